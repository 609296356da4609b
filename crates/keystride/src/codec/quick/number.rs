//! The quick form of whole numbers and epochs in decimal digits.

use std::num::NonZeroUsize;

use super::room::Room;
use crate::design::{End, Field, FieldKind, FieldPart, TimeText};
use crate::value::Row;

/// A whole number or an epoch in decimal digits.
#[derive(Debug)]
pub(in crate::codec) struct QuickNumber {
    field: usize,
    /// The bound that the number is subtracted from, if any.
    bound: Option<u64>,
    /// The width in digits; `None` for no more digits than the number needs.
    width: Option<NonZeroUsize>,
    /// The smallest number, after `bound` is applied, that has `width` digits.
    least: u64,
    most: u64,
    is_reversed: bool,
}

/// The largest width that the quick form writes.
const MOST_DIGITS: usize = 24;

impl QuickNumber {
    /// Returns the quick form of a part; `None` when the part is written in another form, or its terminator can occur
    /// in a number.
    pub(super) fn of(part: &FieldPart, field: &Field, end: &End) -> Option<Self> {
        if matches!(end, End::Before(terminator) if terminator.first().is_none_or(|byte| is_of_number(*byte)))
        {
            return None;
        }
        let steps = &part.steps;
        let (width, least) = match (steps.pad, steps.desc, &field.kind) {
            (Some(pad), _, _) => (pad, 0),
            (None, Some(desc), _) => (desc.digits(), 0),
            (None, None, FieldKind::Time(time)) => match time.text {
                TimeText::Epoch(unit) => (unit.digits(), power(unit.digits() - 1)),
                TimeText::Pattern(_) => return None,
            },
            (None, None, _) => (0, 0),
        };
        let bound = match steps.desc {
            Some(desc) => Some(u64::try_from(desc.bound()).ok()?),
            None => None,
        };
        let width = NonZeroUsize::new(width);
        let most = width.map_or(u64::MAX, |width| power(width.get()).wrapping_sub(1));
        let is_usual = width.is_none_or(|width| width.get() <= MOST_DIGITS);
        is_usual.then_some(Self { field: part.field, bound, width, least, most, is_reversed: steps.reverse })
    }

    #[inline]
    pub(super) fn write(&self, row: &Row, room: &mut Room<'_>) -> Option<()> {
        let number = u64::try_from(row.int(self.field)?).ok()?;
        let number = match self.bound {
            Some(bound) => bound.checked_sub(number)?,
            None => number,
        };
        if number < self.least || number > self.most {
            return None;
        }
        let start = room.len();
        match self.width {
            None => room.put_shortest(number)?,
            Some(width) => room.put_padded(number, width.get())?,
        }
        if self.is_reversed {
            reverse(room.written_from(start)?);
        }
        Some(())
    }
}

/// Few keys are reversed; kept out of line so that the others do not pay for the registers it needs.
#[inline(never)]
fn reverse(bytes: &mut [u8]) {
    bytes.reverse();
}

/// Whether a byte can occur in a decimal number.
fn is_of_number(byte: u8) -> bool {
    byte == b'-' || byte.is_ascii_digit()
}

/// Returns 10^`digits`, or 0, which is 2^64 modulo 2^64, if that exceeds 64 bits.
fn power(digits: usize) -> u64 {
    u32::try_from(digits).ok().and_then(|digits| 10_u64.checked_pow(digits)).unwrap_or(0)
}
