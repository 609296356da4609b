//! The clock, which new rows may follow.

use keystride::design::TimeKind;
use keystride::time::Unit;

/// How a part of the key follows the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    /// Later rows sort later.
    Rising,
    /// Later rows sort earlier.
    Falling,
    /// Rows of one moment sort next to each other, though those of the next need not follow.
    Shared,
    /// An identifier whose first bits are a time; its UUID version.
    Uuid(u8),
    /// An identifier that, judging by its name, begins with a time.
    NamedId,
}

/// Returns the bound that `desc` subtracts a time of this unit from, with as many digits as its epoch has; `None` if
/// that exceeds 64 bits.
pub(super) fn desc_bound(unit: Unit) -> Option<&'static str> {
    match unit {
        Unit::S => Some("9999999999"),
        Unit::Ms => Some("9999999999999"),
        Unit::Us => Some("9999999999999999"),
        Unit::Ns => None,
    }
}

/// Returns the numbers of a time from 2001-09-09 to 2286-11-20, during which the epoch has a constant number of digits.
pub(super) fn usual_numbers(time: &TimeKind) -> (i128, i128) {
    let second = time.unit().nanos();
    let scale = |epoch_s: i128| epoch_s * 1_000_000_000 / second;
    (scale(1_000_000_000).max(time.min), scale(9_999_999_999).min(time.max))
}
