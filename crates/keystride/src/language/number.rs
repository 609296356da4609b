//! The language of numbers whose encoding preserves their order.

use super::state::State;
use crate::codec::number::write as write_number;
use crate::codec::read_number_part;
use crate::design::{Field, FieldKind, FieldPart, OrderKept, Steps, encodable, partition};
use crate::key::SortOrder;

/// Numbers of fixed width whose bytes sort in the order of the numbers, or in the reverse order.
///
/// The numbers that begin with the given bytes form an interval; each further byte narrows it by binary search over the
/// encoder itself, so every order-preserving encoding is exact, calendars included.
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
        // In descending order, the numbers before `byte` are those with a larger byte.
        let is_before = |number: i128| {
            self.byte(number, at)
                .is_some_and(|b| if self.order == OrderKept::Descending { b > byte } else { b < byte })
        };
        let is_within = |number: i128| is_before(number) || self.byte(number, at) == Some(byte);
        let first = partition(low, high, is_before);
        let after = partition(low, high, is_within);
        (first < after).then_some(State::Between { low: first, high: after - 1, at: at + 1 })
    }

    /// Returns the number whose bytes `bytes` begin with, or else the smallest one after them; all numbers have one
    /// width.
    pub(super) fn at_or_after(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.min > self.max {
            return None;
        }
        let width = self.bytes(self.min).len().min(bytes.len());
        let bytes = &bytes[..width];
        if self.read(bytes).is_some() {
            return Some(bytes.to_vec());
        }
        self.smallest(|word| word >= bytes)
    }

    /// Returns the smallest number after `word`, as bytes.
    pub(super) fn after(&self, word: &[u8]) -> Option<Vec<u8>> {
        self.smallest(|other| other > word)
    }

    /// Returns the smallest number, as bytes, for which `holds`; it must hold for all larger ones as well.
    fn smallest(&self, holds: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
        let falls = self.order == OrderKept::Descending;
        let mut bytes = Vec::new();
        let turn = partition(self.min, self.max, |number| {
            self.write(number, &mut bytes);
            holds(&bytes) == falls
        });
        let number = if falls { turn - 1 } else { turn };
        (self.min..=self.max).contains(&number).then(|| self.bytes(number))
    }

    /// Returns the number that has exactly these bytes.
    fn read(&self, bytes: &[u8]) -> Option<i128> {
        let number = read_number_part(&self.steps, &self.kind, bytes)?;
        ((self.min..=self.max).contains(&number) && self.bytes(number) == bytes).then_some(number)
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
        self.write(number, &mut bytes);
        bytes
    }

    /// Replaces `bytes` by those of `number`, or clears it if the number can't be written.
    fn write(&self, number: i128, bytes: &mut Vec<u8>) {
        bytes.clear();
        if write_number(number, &self.steps, &self.kind, bytes).is_err() {
            bytes.clear();
        }
        if self.steps.invert && !self.steps.encodes_descending() {
            SortOrder::Descending.apply(bytes);
        }
    }
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
        // 1000000000 is in a day that begins at 999993600, which has only nine digits.
        assert_eq!(KeyLanguage::new(&codec).first().as_deref(), Some(&b"1000080000"[..]));
        let mut row = Row::new(1);
        row.set(0, Value::Int(1_000_000_000));
        assert!(codec.encoder().encode(&row, &mut Vec::new()).is_err());
    }
}
