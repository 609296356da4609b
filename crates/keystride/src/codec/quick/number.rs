//! The quick form of whole numbers and epochs in decimal digits.

use std::num::NonZeroUsize;

use super::room::Room;
use crate::codec::quick_values::{Decimal, QuickValues};
use crate::design::{End, FieldPart};
use crate::value::Row;

/// A whole number or an epoch in decimal digits.
#[derive(Debug)]
pub(in crate::codec) struct QuickNumber {
    field: usize,
    least: u64,
    most: u64,
    /// The bound that the number is subtracted from, if any.
    bound: Option<u64>,
    /// The width in digits; `None` for no more digits than the number needs.
    width: Option<NonZeroUsize>,
    is_reversed: bool,
}

/// The largest width that the quick form writes.
const MOST_DIGITS: usize = 24;

impl QuickNumber {
    /// Returns the quick form of a part with these values; `None` when they are not decimal, or the terminator can occur
    /// in them.
    pub(super) fn of(part: &FieldPart, values: &QuickValues, end: &End) -> Option<Self> {
        if matches!(end, End::Before(terminator) if values.may_hold(terminator)) {
            return None;
        }
        let Decimal { from, min, max, width } = values.decimal()?;
        let is_usual = width.is_none_or(|width| width <= MOST_DIGITS);
        is_usual.then_some(Self {
            field: part.field,
            least: u64::try_from(min.max(0)).ok()?,
            most: u64::try_from(max.min(u64::MAX.into())).ok()?,
            bound: from.and_then(|from| u64::try_from(from).ok()),
            width: width.and_then(NonZeroUsize::new),
            is_reversed: part.steps.reverse,
        })
    }

    #[inline]
    pub(super) fn write(&self, row: &Row, room: &mut Room<'_>) -> Option<()> {
        let number = u64::try_from(row.int(self.field)?).ok()?;
        if number < self.least || number > self.most {
            return None;
        }
        let number = match self.bound {
            Some(bound) => bound.checked_sub(number)?,
            None => number,
        };
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
