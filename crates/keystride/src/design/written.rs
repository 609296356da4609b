//! The numbers that the steps of a part can write, and their binary form.

use super::{Encoding, FieldKind, IntWidth, NumberDesc, Steps, TimeKind, TimeText};
use crate::time::{Period, Unit};

/// The integer type in which a binary number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    I32,
    I64,
    U32,
    U64,
}

impl Binary {
    /// Returns the type of a part: that of the field, unless `width` makes it 4 or 8 bytes wide; always `I64` for
    /// `long-max`.
    pub(crate) fn of(steps: &Steps, kind: &FieldKind) -> Self {
        if steps.desc == Some(NumberDesc::LongMax) {
            return Self::I64;
        }
        let (declared, unsigned) = match kind {
            FieldKind::Int(int) => (int.width, int.min >= 0),
            FieldKind::Time(time) => (IntWidth::Int, time.min >= 0),
            _ => (IntWidth::Int, false),
        };
        match (declared, steps.width) {
            (IntWidth::U64 | IntWidth::U32, Some(8)) | (IntWidth::U64, None) => Self::U64,
            (IntWidth::U32 | IntWidth::U64, _) => Self::U32,
            (_, Some(4)) if unsigned && steps.encoding == Encoding::Be => Self::U32,
            (_, Some(4)) | (IntWidth::I32, None) => Self::I32,
            (IntWidth::Int | IntWidth::I32 | IntWidth::I64, _) => Self::I64,
        }
    }
}

/// Returns the smallest and the largest number that a binary part can hold.
pub(crate) fn binary_range(steps: &Steps, kind: &FieldKind) -> (i128, i128) {
    match Binary::of(steps, kind) {
        Binary::I32 => (i32::MIN.into(), i32::MAX.into()),
        Binary::I64 => (i64::MIN.into(), i64::MAX.into()),
        Binary::U32 if steps.encoding == Encoding::Phoenix => (0, i32::MAX.into()),
        Binary::U32 => (0, u32::MAX.into()),
        Binary::U64 if steps.encoding == Encoding::Phoenix => (0, i64::MAX.into()),
        Binary::U64 => (0, u64::MAX.into()),
    }
}

/// Returns the start of the period that contains `number`. A number that exceeds 64 bits of milliseconds is a period of
/// its own.
pub fn floor_number(number: i128, period: Period, time: &TimeKind) -> i128 {
    let Some(ms) = to_ms(number, time.unit()) else { return number };
    (i128::from(period.floor(ms, &time.zone)) * Unit::Ms.nanos()).div_euclid(time.unit().nanos())
}

/// Returns the start of the first period that does not begin before `number`.
pub(crate) fn ceil_number(number: i128, period: Period, time: &TimeKind) -> i128 {
    let start = floor_number(number, period, time);
    if start == number { number } else { next_period(number, period, time) }
}

/// Returns the start of the period after the one that contains `number`, as defined by [`floor_number`].
pub(crate) fn next_period(number: i128, period: Period, time: &TimeKind) -> i128 {
    let Some(ms) = to_ms(number, time.unit()) else { return number.saturating_add(1) };
    let next = match period.next(ms, &time.zone) {
        // The last period ends with the last number that fits.
        i64::MAX => i128::from(i64::MAX) + 1,
        next => next.into(),
    };
    let (ns, unit_ns) = (next * Unit::Ms.nanos(), time.unit().nanos());
    (ns + unit_ns - 1).div_euclid(unit_ns)
}

fn to_ms(number: i128, unit: Unit) -> Option<i64> {
    let ns = number.checked_mul(unit.nanos())?;
    i64::try_from(ns.div_euclid(Unit::Ms.nanos())).ok()
}

/// Returns the first number from `low` to `high` for which `before` does not hold, or `high` + 1 when it holds for all.
pub(crate) fn partition(low: i128, high: i128, mut before: impl FnMut(i128) -> bool) -> i128 {
    let (mut low, mut end) = (low, high + 1);
    while low < end {
        let middle = low + (end - low) / 2;
        if before(middle) { low = middle + 1 } else { end = middle }
    }
    low
}

/// Returns the smallest and the largest number of a field that its steps can write; the smallest exceeds the largest
/// when there is none.
pub fn encodable(steps: &Steps, kind: &FieldKind) -> (i128, i128) {
    let (min, max) = kind.number_range().unwrap_or((0, 0));
    let (low, high) = writable(steps, kind);
    match (&steps.floor, kind) {
        // The start of the number's period is written.
        (Some(period), FieldKind::Time(time)) => {
            let first = partition(min, max, |number| floor_number(number, *period, time) < low);
            let after = partition(min, max, |number| floor_number(number, *period, time) <= high);
            (first, after - 1)
        }
        _ => (min.max(low), max.min(high)),
    }
}

/// Returns the smallest and the largest number that the steps after `floor` can write.
pub fn writable(steps: &Steps, kind: &FieldKind) -> (i128, i128) {
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
            TimeText::Pattern(_) => TimeKind::widest(&time.text, &time.zone),
        };
        within(low, high);
    }
    if !steps.is_text(kind) && steps.desc != Some(NumberDesc::LongMax) {
        let (low, high) = binary_range(steps, kind);
        match steps.desc {
            // The number that is written is bound − number.
            Some(desc) => within(desc.bound() - high, desc.bound() - low.max(0)),
            None => within(low, high),
        }
    }
    (min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;
    use crate::design::Part;

    /// The steps and the type of a design's only part.
    fn part(field: &str, steps: &str) -> (Steps, FieldKind) {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = {{ {field} }}\n\
             [key]\nparts = [{{ field = \"v\"{steps} }}]\n"
        );
        let design = Design::from_toml(&toml).unwrap();
        let Part::Field(part) = &design.parts[0] else { panic!("{toml}") };
        (part.steps.clone(), design.fields[0].kind.clone())
    }

    #[test]
    fn four_bytes_of_what_is_never_negative_have_no_sign_in_big_endian_order() {
        let seconds = "type = \"time\", unit = \"s\", min = \"1970-01-01\"";
        let since_1960 = "type = \"time\", unit = \"s\", min = \"1960-01-01\"";
        for (field, steps, binary) in [
            (seconds, "as = \"be\", width = 4", Binary::U32),
            (seconds, "as = \"ordered\", width = 4", Binary::I32),
            (seconds, "as = \"be\"", Binary::I64),
            (since_1960, "as = \"be\", width = 4", Binary::I32),
            ("type = \"int\", min = 0", "as = \"be\", width = 4", Binary::U32),
            ("type = \"int\"", "as = \"be\", width = 4", Binary::I32),
            ("type = \"u32\"", "as = \"be\", width = 8", Binary::U64),
            ("type = \"u32\"", "as = \"be\", desc = \"long-max\"", Binary::I64),
        ] {
            let (steps, kind) = part(field, &format!(", {steps}"));
            assert_eq!(Binary::of(&steps, &kind), binary, "{field}, {steps}");
        }
    }

    #[test]
    fn the_last_period_ends_with_the_last_number() {
        let (_, kind) = part("type = \"time\", unit = \"ms\"", "");
        let FieldKind::Time(time) = kind else { panic!("{kind:?}") };
        let day = "1d".parse().unwrap();
        let last = i128::from(i64::MAX);
        assert_eq!(next_period(last, day, &time), last + 1);
        assert_eq!(next_period(last + 1, day, &time), last + 2);
        assert_eq!(next_period(86_399_999, day, &time), 86_400_000);
        assert_eq!(floor_number(last + 1, day, &time), last + 1);
    }

    #[test]
    fn numbers_from_a_bound_down_are_as_far_below_it_as_their_bytes_reach() {
        let four = ", as = \"be\", width = 4, desc = 5000000000";
        let (steps, kind) = part("type = \"int\", min = 0", four);
        assert_eq!(writable(&steps, &kind), (5_000_000_000 - 4_294_967_295, 5_000_000_000));
        let (steps, kind) = part("type = \"i32\", min = 0", ", as = \"be\", desc = 3000000000");
        assert_eq!(writable(&steps, &kind), (3_000_000_000 - 2_147_483_647, 3_000_000_000));
    }
}
