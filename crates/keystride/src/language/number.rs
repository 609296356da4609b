use super::part::State;
use crate::codec::{floor_number, write_number};
use crate::design::{Field, FieldKind, FieldPart, NumberDesc, OrderKept, Steps, TimeKind, TimeText};
use crate::key::SortOrder;

/// Numbers of fixed width whose bytes rise, or fall, with them.
///
/// The numbers that begin with given bytes are an interval; a byte more cuts it by binary search over the encoder itself,
/// so every encoding that keeps an order is exact, calendars included.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    steps: Steps,
    kind: FieldKind,
    order: OrderKept,
    min: i128,
    max: i128,
}

impl Numbers {
    pub(crate) fn new(part: &FieldPart, field: &Field, order: OrderKept) -> Self {
        let (min, max) = encodable(&part.steps, &field.kind);
        let numbers = Self { steps: part.steps.clone(), kind: field.kind.clone(), order, min, max };
        debug_assert!(
            min > max || [min, max].iter().all(|&number| !numbers.bytes(number).is_empty()),
            "both ends of {min} to {max} are written by {}",
            part.steps
        );
        numbers
    }

    pub(crate) fn start(&self) -> State {
        State::Between { low: self.min, high: self.max, at: 0 }
    }

    pub(crate) fn step(&self, state: &State, byte: u8) -> Option<State> {
        let State::Between { low, high, at } = *state else { return None };
        let (least, most) = (self.byte(low, at)?, self.byte(high, at)?);
        if !(least.min(most)..=least.max(most)).contains(&byte) {
            return None;
        }
        // In falling order the numbers before `byte` are those with a larger one.
        let is_before = |number: i128| {
            self.byte(number, at)
                .is_some_and(|b| if self.order == OrderKept::Descending { b > byte } else { b < byte })
        };
        let is_within = |number: i128| is_before(number) || self.byte(number, at) == Some(byte);
        let first = partition(low, high, is_before);
        let after = partition(low, high, is_within);
        (first < after).then_some(State::Between { low: first, high: after - 1, at: at + 1 })
    }

    pub(crate) fn accepts(&self, state: &State) -> bool {
        matches!(*state, State::Between { low, at, .. } if self.bytes(low).len() == at)
    }

    #[expect(clippy::cast_precision_loss, reason = "a share needs no 53 bits")]
    pub(crate) fn chance(&self, state: &State, byte: u8) -> f64 {
        let count = |state: &State| match state {
            State::Between { low, high, .. } => (high - low + 1) as f64,
            _ => 0.0,
        };
        self.step(state, byte).map_or(0.0, |next| count(&next) / count(state))
    }

    fn byte(&self, number: i128, at: usize) -> Option<u8> {
        self.bytes(number).get(at).copied()
    }

    fn bytes(&self, number: i128) -> Vec<u8> {
        let mut bytes = Vec::new();
        if write_number(number, &self.steps, &self.kind, &mut bytes).is_err() {
            bytes.clear();
        }
        if self.steps.invert && !self.steps.encodes_descending() {
            SortOrder::Descending.apply(&mut bytes);
        }
        bytes
    }
}

/// The first number from `low` to `high` for which `before` does not hold; `high` + 1 when it holds for all.
fn partition(low: i128, high: i128, before: impl Fn(i128) -> bool) -> i128 {
    let (mut low, mut end) = (low, high + 1);
    while low < end {
        let middle = low + (end - low) / 2;
        if before(middle) { low = middle + 1 } else { end = middle }
    }
    low
}

/// The least and the largest number of a field that its steps can write; the wrong way round when there is none.
pub(crate) fn encodable(steps: &Steps, kind: &FieldKind) -> (i128, i128) {
    let (min, max) = kind.number_range().unwrap_or((0, 0));
    let (low, high) = writable(steps, kind);
    match (&steps.floor, kind) {
        // What is written is the start of the number's period.
        (Some(period), FieldKind::Time(time)) => {
            let first = partition(min, max, |number| floor_number(number, *period, time) < low);
            let after = partition(min, max, |number| floor_number(number, *period, time) <= high);
            (first, after - 1)
        }
        _ => (min.max(low), max.min(high)),
    }
}

/// The least and the largest number that can go through the steps after `floor`.
fn writable(steps: &Steps, kind: &FieldKind) -> (i128, i128) {
    let (mut min, mut max): (i128, i128) = (i64::MIN.into(), u64::MAX.into());
    let mut within = |low: i128, high: i128| {
        min = min.max(low);
        max = max.min(high);
    };
    if let Some(desc) = steps.desc {
        within(0, desc.bound());
    }
    if let Some(width) = steps.pad.and_then(|pad| u32::try_from(pad).ok()).filter(|pad| *pad < 38)
        && steps.desc.is_none()
    {
        within(0, 10i128.pow(width) - 1);
    }
    if let (FieldKind::Time(time), true) =
        (kind, steps.is_text(kind) && steps.desc.is_none() && steps.pad.is_none())
    {
        let (low, high) = match time.text {
            TimeText::Epoch(unit) => {
                let digits = u32::try_from(unit.digits()).unwrap_or(19);
                (10i128.pow(digits - 1), 10i128.pow(digits) - 1)
            }
            TimeText::Pattern(_) => TimeKind::widest(&time.text),
        };
        within(low, high);
    }
    if !steps.is_text(kind) && steps.desc != Some(NumberDesc::LongMax) {
        let (low, high) = crate::codec::binary_range(steps, kind);
        match steps.desc {
            // What is written is bound − number.
            Some(desc) => within(desc.bound() - high, desc.bound() - low.max(0)),
            None => within(low, high),
        }
    }
    (min, max)
}

#[cfg(test)]
mod tests {
    use crate::{Design, KeyCodec, KeyLanguage, Row, Value};

    #[test]
    fn periods_that_begin_before_the_first_writable_number_are_left_out() {
        let design = Design::from_toml(
            r#"
            format = 1
            [table]
            name = "t"
            families = ["f"]
            [fields]
            v = { type = "time", unit = "s" }
            [key]
            parts = [ { field = "v", floor = "1d" } ]
            "#,
        );
        let codec = KeyCodec::new(design.unwrap());
        // 1000000000 is in a day that begins at 999993600, which has nine digits.
        assert_eq!(KeyLanguage::new(&codec).first().as_deref(), Some(&b"1000080000"[..]));
        let mut row = Row::new(1);
        row.set(0, Value::Int(1_000_000_000));
        assert!(codec.encoder().encode(&row, &mut Vec::new()).is_err());
    }
}
