//! The units of calendar and clock.

use std::fmt;

/// What a piece of a time's text counts, from the year down to the millisecond; finer grains compare as greater.
///
/// ```
/// # use keystride::time::Grain;
/// assert!(Grain::Year < Grain::Ms);
/// assert_eq!(Grain::Minute.letters(), "mm");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// The year, 0001 to 9999.
    Year,
    /// The month, 01 to 12.
    Month,
    /// The day of the month, 01 to 31.
    Day,
    /// The hour of the day, 00 to 23.
    Hour,
    /// The minute, 00 to 59.
    Minute,
    /// The second, 00 to 59.
    Second,
    /// The millisecond of the second, 000 to 999.
    Ms,
}

impl Grain {
    /// All grains, the coarsest first.
    pub const ALL: [Self; 7] =
        [Self::Year, Self::Month, Self::Day, Self::Hour, Self::Minute, Self::Second, Self::Ms];

    /// Returns its letters in a Java pattern, one for each digit.
    pub fn letters(self) -> &'static str {
        match self {
            Self::Year => "yyyy",
            Self::Month => "MM",
            Self::Day => "dd",
            Self::Hour => "HH",
            Self::Minute => "mm",
            Self::Second => "ss",
            Self::Ms => "SSS",
        }
    }

    /// Returns its number of digits when padded with zeros.
    pub(super) fn digits(self) -> usize {
        self.letters().len()
    }

    /// Whether `number` is within its limits.
    #[inline]
    pub(super) fn has(self, number: u16) -> bool {
        let (first, last) = self.limits();
        (first..=last).contains(&number)
    }

    /// Returns its smallest and largest number; a month may have fewer days.
    #[inline]
    pub(super) fn limits(self) -> (u16, u16) {
        match self {
            Self::Year => (1, 9999),
            Self::Month => (1, 12),
            Self::Day => (1, 31),
            Self::Hour => (0, 23),
            Self::Minute | Self::Second => (0, 59),
            Self::Ms => (0, 999),
        }
    }
}

impl fmt::Display for Grain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::Day => "day",
            Self::Hour => "hour",
            Self::Minute => "minute",
            Self::Second => "second",
            Self::Ms => "millisecond",
        })
    }
}
