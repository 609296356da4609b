//! The proleptic Gregorian calendar: days and seconds since 1970-01-01T00:00 on a clock without a time zone.

use std::{array, fmt};

use super::{Grain, TimeError};

pub(super) const DAY_SECONDS: i64 = 86_400;

/// The number of days in four hundred years, which is a whole number of weeks.
pub(super) const CYCLE_DAYS: i64 = 146_097;

/// Days from 0000-03-01 to 1970-01-01. Years are counted from March, so that they end with the leap day.
const MARCH_OF_YEAR_0: i64 = 719_468;

/// 0001-01-01T00:00:00 and 10000-01-01T00:00:00, in seconds since 1970-01-01T00:00:00 on the same clock.
pub(super) const FOUR_DIGIT_YEARS: std::ops::Range<i64> = -62_135_596_800..253_402_300_800;

/// The date and time that a local calendar and clock show, to the millisecond; years 1 to 9999.
///
/// `Display` gives `2013-03-10T02:30:00`, with `.123` where there are milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime([u16; 7]);

impl LocalTime {
    /// The earliest reading: 0001-01-01T00:00:00.
    pub(super) const FIRST: Self = Self([1, 1, 1, 0, 0, 0, 0]);

    /// Returns the reading `seconds` and `ms` after 1970-01-01T00:00:00 on the same clock.
    #[inline]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the year is checked first")]
    pub(super) fn of_seconds(seconds: i64, ms: u16) -> Result<Self, TimeError> {
        if !FOUR_DIGIT_YEARS.contains(&seconds) {
            return Err(TimeError::YearOutOfRange { year: date_of(seconds.div_euclid(DAY_SECONDS)).0 });
        }
        let since_march = (seconds + MARCH_OF_YEAR_0 * DAY_SECONDS) as u64;
        let (days, clock) = ((since_march / 86_400) as u32, (since_march % 86_400) as u32);
        let (year, month, day) = date_since_march(days);
        let numbers = [year, month, day, clock / 3600, clock / 60 % 60, clock % 60, ms.into()];
        Ok(Self(numbers.map(|number| number as u16)))
    }

    /// Returns the reading of these numbers, from the year down; `None` if any is out of range.
    #[inline]
    pub(super) fn of_numbers(numbers: [u16; 7]) -> Option<Self> {
        let local = Self(numbers);
        let are_in_limits = Grain::ALL.into_iter().zip(numbers).all(|(grain, number)| grain.has(number));
        (are_in_limits && local.check_day(0).is_ok()).then_some(local)
    }

    /// Returns all numbers, from the year down.
    #[inline]
    pub(super) fn numbers(&self) -> [u16; 7] {
        self.0
    }

    /// Returns whole seconds since 1970-01-01T00:00:00 on the same clock.
    #[inline]
    pub(super) fn to_seconds(self) -> i64 {
        let [_, _, _, hour, minute, second, _] = self.0.map(i64::from);
        self.days() * DAY_SECONDS + hour * 3600 + minute * 60 + second
    }

    /// Returns the number of one grain.
    pub fn number(&self, grain: Grain) -> u16 {
        self.0[grain as usize]
    }

    /// Sets one grain to a number within its limits; the length of the month is checked by [`LocalTime::check_day`].
    pub(super) fn set(&mut self, grain: Grain, number: u16) {
        self.0[grain as usize] = number;
    }

    /// Returns the day of the year, from 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a year has 366 days at most"
    )]
    pub(super) fn day_of_year(&self) -> u16 {
        (self.days() - self.cut(Grain::Year).days() + 1) as u16
    }

    /// Sets month and day to a day of the year, which was read at byte `at`.
    pub(super) fn set_day_of_year(&mut self, found: u16, at: usize) -> Result<(), TimeError> {
        let [year, ..] = self.0;
        let last = 337 + days_in_month(year, 2);
        if !(1..=last).contains(&found) {
            return Err(TimeError::OutOfRange { at, grain: Grain::Day, found, first: 1, last });
        }
        let mut day = found;
        let month = (1..12).find(|month| {
            let is_here = day <= days_in_month(year, *month);
            day -= if is_here { 0 } else { days_in_month(year, *month) };
            is_here
        });
        self.set(Grain::Month, month.unwrap_or(12));
        self.set(Grain::Day, day);
        Ok(())
    }

    /// Checks that the month has this day, which was read at byte `at`.
    pub(super) fn check_day(&self, at: usize) -> Result<(), TimeError> {
        let [year, month, day, ..] = self.0;
        // Every month has at least 28 days.
        if day <= 28 || day <= days_in_month(year, month) {
            return Ok(());
        }
        let last = days_in_month(year, month);
        Err(TimeError::OutOfRange { at, grain: Grain::Day, found: day, first: 1, last })
    }

    /// Returns the reading with everything finer than `grain` at its start.
    pub(super) fn cut(self, grain: Grain) -> Self {
        Self(array::from_fn(
            |index| if index <= grain as usize { self.0[index] } else { Self::FIRST.0[index] },
        ))
    }

    /// Returns the second at which the next year, month, … or second starts; for a millisecond, the next second.
    pub(super) fn end_of(self, grain: Grain) -> i64 {
        let start = self.cut(grain.min(Grain::Second)).to_seconds();
        let [year, month, ..] = self.0;
        match grain {
            Grain::Year => days_of(i64::from(year) + 1, 1, 1) * DAY_SECONDS,
            Grain::Month => start + i64::from(days_in_month(year, month)) * DAY_SECONDS,
            Grain::Day => start + DAY_SECONDS,
            Grain::Hour => start + 3600,
            Grain::Minute => start + 60,
            Grain::Second | Grain::Ms => start + 1,
        }
    }

    /// Returns the same as [`days_of`], but faster, as no year lies before the epoch of the count.
    #[inline]
    fn days(self) -> i64 {
        let [year, month, day, ..] = self.0.map(u32::from);
        i64::from(days_since_march(year, month, day)) - MARCH_OF_YEAR_0
    }
}

/// Returns the year (0 is 1 BC), month and day of the date `days` after 1970-01-01.
#[expect(clippy::cast_possible_truncation, reason = "the rest of a division by 146,097")]
pub(super) fn date_of(days: i64) -> (i64, i64, i64) {
    let since_march = days + MARCH_OF_YEAR_0;
    let cycle = since_march.div_euclid(CYCLE_DAYS);
    let (year, month, day) = date_since_march(since_march.rem_euclid(CYCLE_DAYS) as u32);
    (cycle * 400 + i64::from(year), month.into(), day.into())
}

/// Returns the year, month and day of the date `days` after 0000-03-01; `days` is at most 2^29.
#[inline]
fn date_since_march(days: u32) -> (u32, u32, u32) {
    let century = (4 * days + 3) / 146_097;
    let day_of_century = days - 146_097 * century / 4;
    let year = (4 * day_of_century + 3) / 1_461;
    let day_of_year = day_of_century - 1_461 * year / 4;
    // From March on, the lengths of months repeat every five months, of 153 days.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (century * 100 + year + next_year, month, day)
}

/// Returns the days from 1970-01-01 to a date; the inverse of [`date_of`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the rest of a division by 400, and a date's numbers"
)]
pub(super) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    // One cycle later, as January of year 0 lies before March of year 0.
    let (cycle, year) = (year.div_euclid(400) - 1, year.rem_euclid(400) + 400);
    let days = days_since_march(year as u32, month as u32, day as u32);
    cycle * CYCLE_DAYS + i64::from(days) - MARCH_OF_YEAR_0
}

/// Returns the days from 0000-03-01 to a date that is not before it; the inverse of [`date_since_march`].
#[inline]
fn days_since_march(year: u32, month: u32, day: u32) -> u32 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let century = year / 100;
    365 * year + year / 4 - century + century / 4 + (153 * month + 2) / 5 + day - 1
}

/// Returns the number of days of a month; `month` is 1 to 12.
pub(super) fn days_in_month(year: u16, month: u16) -> u16 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [year, month, day, hour, minute, second, ms] = self.0;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if ms > 0 { write!(f, ".{ms:03}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_a_cycle_has_the_next_date() {
        let mut expected = (1600_u16, 1_u16, 1_u16);
        let first = days_of(1600, 1, 1);
        for days in first..first + CYCLE_DAYS {
            let (year, month, day) = date_of(days);
            assert_eq!((year, month, day), (expected.0.into(), expected.1.into(), expected.2.into()));
            assert_eq!(days_of(year, month, day), days);
            let midnight = LocalTime([expected.0, expected.1, expected.2, 0, 0, 0, 0]);
            assert_eq!(midnight.to_seconds(), days * DAY_SECONDS);
            expected = match expected {
                (year, 12, 31) => (year + 1, 1, 1),
                (year, month, day) if day == days_in_month(year, month) => (year, month + 1, 1),
                (year, month, day) => (year, month, day + 1),
            };
        }
        assert_eq!(expected, (2000, 1, 1));
    }

    #[test]
    fn days_of_the_year_are_counted_from_its_first() {
        for year in [2023_u16, 2024, 1900, 2000] {
            let mut expected = 0;
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    expected += 1;
                    let date = LocalTime([year, month, day, 0, 0, 0, 0]);
                    assert_eq!(date.day_of_year(), expected);
                    let mut read = date.cut(Grain::Year);
                    assert_eq!((read.set_day_of_year(expected, 0), read), (Ok(()), date));
                }
            }
            let mut none = LocalTime([year, 1, 1, 0, 0, 0, 0]);
            let refused = none.set_day_of_year(expected + 1, 7).unwrap_err().to_string();
            assert_eq!(refused, format!("at byte 7: found day {}, expected 1 to {expected}", expected + 1));
        }
    }

    #[test]
    fn dates_agree_with_jiff() {
        let epoch = jiff::civil::date(1970, 1, 1);
        for (year, month, day) in [(1, 1, 1), (1582, 10, 15), (1970, 1, 1), (2000, 2, 29), (9999, 12, 31)] {
            let there = jiff::civil::date(year, month, day);
            let days = i64::from(epoch.until(there).unwrap().get_days());
            assert_eq!(days_of(year.into(), month.into(), day.into()), days);
            let numbers =
                [year, month.into(), day.into(), 0, 0, 0, 0].map(|number| u16::try_from(number).unwrap());
            assert_eq!(LocalTime(numbers).to_seconds(), days * DAY_SECONDS);
        }
    }

    #[test]
    fn far_days_have_dates() {
        let far = i64::MAX / 1000 / DAY_SECONDS;
        for days in [-far, far] {
            let (year, month, day) = date_of(days);
            assert_eq!(days_of(year, month, day), days);
        }
    }

    #[test]
    fn years_of_four_digits_are_from_1_to_9999() {
        let (first, end) = (FOUR_DIGIT_YEARS.start, FOUR_DIGIT_YEARS.end);
        assert_eq!(LocalTime::of_seconds(first, 0).unwrap().to_string(), "0001-01-01T00:00:00");
        assert_eq!(LocalTime::of_seconds(end - 1, 1).unwrap().to_string(), "9999-12-31T23:59:59.001");
        assert_eq!(LocalTime::of_seconds(first - 1, 0), Err(TimeError::YearOutOfRange { year: 0 }));
        assert_eq!(LocalTime::of_seconds(end, 0), Err(TimeError::YearOutOfRange { year: 10_000 }));
    }

    #[test]
    fn a_cut_keeps_the_coarse_part_and_ends_where_the_next_starts() {
        let time = LocalTime::of_seconds(days_of(2020, 2, 29) * DAY_SECONDS + 45_296, 789).unwrap();
        let cuts = Grain::ALL.map(|grain| {
            let end = LocalTime::of_seconds(time.end_of(grain), 0).unwrap();
            format!("{} {end}", time.cut(grain))
        });
        assert_eq!(
            cuts,
            [
                "2020-01-01T00:00:00 2021-01-01T00:00:00",
                "2020-02-01T00:00:00 2020-03-01T00:00:00",
                "2020-02-29T00:00:00 2020-03-01T00:00:00",
                "2020-02-29T12:00:00 2020-02-29T13:00:00",
                "2020-02-29T12:34:00 2020-02-29T12:35:00",
                "2020-02-29T12:34:56 2020-02-29T12:34:57",
                "2020-02-29T12:34:56.789 2020-02-29T12:34:57",
            ]
        );
    }
}
