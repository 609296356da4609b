//! Periods that instants are rounded down to.

use std::fmt;
use std::str::FromStr;

use super::civil::{DAY_SECONDS, date_of, days_of};
use super::{TimeError, Zone};

/// A length of local time that instants are rounded down to: `15m`, `1h`, `7d`, `1mo`, `1y`.
///
/// Seconds, minutes and hours count from the start of the minute, hour and day on local clocks, and divide it evenly;
/// an hour that clocks repeat makes two periods. Days count from 1970-01-01 on the local calendar. If clocks skip the
/// start of a period, it begins at the first instant after; if they repeat the start of a day, month or year, it begins
/// at the earlier one. Periods therefore follow one another without gaps or overlaps, and later instants never fall
/// into earlier periods.
///
/// ```
/// # use keystride::time::{Period, Zone};
/// let day: Period = "1d".parse()?;
/// let shanghai = Zone::parse("Asia/Shanghai")?;
/// assert_eq!(day.floor(1_400_657_685_457, &shanghai), 1_400_601_600_000); // 2014-05-21T00:00+08:00
/// assert_eq!(day.next(1_400_657_685_457, &shanghai), 1_400_688_000_000);
/// # Ok::<(), keystride::time::TimeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    count: u32,
    unit: PeriodUnit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PeriodUnit {
    Second,
    Minute,
    Hour,
    Day,
    Month,
    Year,
}

/// The kind of local times at which a period starts.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// At multiples of this many seconds of the clock; the number divides a day.
    Clock(i64),
    /// On some days of the calendar.
    Calendar,
}

impl Period {
    /// Returns the start of the period that holds an instant, both in milliseconds since 1970-01-01T00:00:00Z: the
    /// latest start that is not after it, but never below `i64::MIN`.
    pub fn floor(self, epoch_ms: i64, zone: &Zone) -> i64 {
        let second = epoch_ms.div_euclid(1000);
        let start = match self.rule() {
            Rule::Clock(seconds) => clock_floor(seconds, second, zone),
            Rule::Calendar => self.calendar_floor(second, zone),
        };
        start.saturating_mul(1000)
    }

    /// Returns the start of the next period, in epoch milliseconds: the earliest start after the instant, or `i64::MAX`
    /// if that exceeds 64 bits.
    pub fn next(self, epoch_ms: i64, zone: &Zone) -> i64 {
        let second = epoch_ms.div_euclid(1000);
        let start = match self.rule() {
            Rule::Clock(seconds) => clock_next(seconds, second, zone),
            Rule::Calendar => self.calendar_next(second, zone),
        };
        start.saturating_mul(1000)
    }

    fn rule(self) -> Rule {
        let count = i64::from(self.count);
        match self.unit {
            PeriodUnit::Second => Rule::Clock(count),
            PeriodUnit::Minute => Rule::Clock(count * 60),
            PeriodUnit::Hour => Rule::Clock(count * 3600),
            PeriodUnit::Day | PeriodUnit::Month | PeriodUnit::Year => Rule::Calendar,
        }
    }

    fn calendar_floor(self, second: i64, zone: &Zone) -> i64 {
        let local = second + zone.offset_at(second);
        let [this, next] = self.calendar_starts(local).map(|start| zone.first_at(start));
        // When clocks are set back over midnight, they show the old date again although the new period has begun.
        if next <= second { next } else { this }
    }

    fn calendar_next(self, second: i64, zone: &Zone) -> i64 {
        let local = second + zone.offset_at(second);
        let [_, next] = self.calendar_starts(local);
        let next_at = zone.first_at(next);
        if next_at > second { next_at } else { zone.first_at(self.calendar_starts(next)[1]) }
    }

    /// Returns the local midnights, in seconds, at which the period that holds `local` and the next one start.
    fn calendar_starts(self, local: i64) -> [i64; 2] {
        let days = local.div_euclid(DAY_SECONDS);
        let (year, month, _) = date_of(days);
        let starts = match self.unit {
            PeriodUnit::Year => [days_of(year, 1, 1), days_of(year + 1, 1, 1)],
            PeriodUnit::Month if month == 12 => [days_of(year, 12, 1), days_of(year + 1, 1, 1)],
            PeriodUnit::Month => [days_of(year, month, 1), days_of(year, month + 1, 1)],
            PeriodUnit::Day | PeriodUnit::Hour | PeriodUnit::Minute | PeriodUnit::Second => {
                let count = i64::from(self.count);
                let first = days.div_euclid(count) * count;
                [first, first + count]
            }
        };
        starts.map(|days| days * DAY_SECONDS)
    }
}

fn clock_floor(seconds: i64, mut second: i64, zone: &Zone) -> i64 {
    loop {
        let stretch = zone.stretch_at(second);
        let offset = i64::from(stretch.offset);
        let local_start = (second + offset).div_euclid(seconds) * seconds;
        if local_start - offset >= stretch.from {
            return local_start - offset;
        }
        if local_start >= stretch.from + i64::from(stretch.offset_before) {
            // Clocks skip the start of the period.
            return stretch.from;
        }
        second = stretch.from - 1;
    }
}

fn clock_next(seconds: i64, mut second: i64, zone: &Zone) -> i64 {
    loop {
        let offset = zone.offset_at(second);
        let start = ((second + offset).div_euclid(seconds) + 1) * seconds - offset;
        match zone.stretch_after(second) {
            Some(after) if start >= after.from => {
                if clock_floor(seconds, after.from, zone) == after.from {
                    return after.from;
                }
                second = after.from;
            }
            _ => return start,
        }
    }
}

impl FromStr for Period {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let not_a_period = || TimeError::NotAPeriod { found: text.to_owned() };
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (count, unit) = text.split_at(digits);
        let unit = PeriodUnit::ALL.into_iter().find(|known| known.name() == unit).ok_or_else(not_a_period)?;
        let count = count.parse().ok().filter(|count| *count > 0).ok_or_else(not_a_period)?;
        match (unit.divides(), unit) {
            (Some((whole, divides)), _) if !divides.is_multiple_of(count) => {
                Err(TimeError::Uneven { count, unit: unit.name(), whole, divides })
            }
            (None, PeriodUnit::Month | PeriodUnit::Year) if count > 1 => {
                Err(TimeError::ManyMonths { found: text.to_owned() })
            }
            _ => Ok(Self { count, unit }),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, self.unit.name())
    }
}

impl PeriodUnit {
    const ALL: [Self; 6] = [Self::Second, Self::Minute, Self::Hour, Self::Day, Self::Month, Self::Year];

    fn name(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Minute => "m",
            Self::Hour => "h",
            Self::Day => "d",
            Self::Month => "mo",
            Self::Year => "y",
        }
    }

    /// Returns the next larger unit of the clock, and how many of this unit it has.
    fn divides(self) -> Option<(&'static str, u32)> {
        match self {
            Self::Second => Some(("a minute", 60)),
            Self::Minute => Some(("an hour", 60)),
            Self::Hour => Some(("a day", 24)),
            Self::Day | Self::Month | Self::Year => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::read_iso8601;

    fn period(text: &str) -> Period {
        text.parse().unwrap()
    }

    fn ms(text: &str) -> i64 {
        i64::try_from(read_iso8601(text.as_bytes(), &Zone::utc()).unwrap() / 1_000_000).unwrap()
    }

    #[test]
    fn periods_read_back_as_they_are_shown() {
        for text in ["1s", "30s", "15m", "60m", "1h", "12h", "24h", "1d", "7d", "4294967295d", "1mo", "1y"] {
            assert_eq!(period(text).to_string(), text);
        }
    }

    #[test]
    fn uneven_and_unknown_periods_are_refused() {
        let refusal = |text: &str| text.parse::<Period>().unwrap_err().to_string();
        assert_eq!(refusal("7h"), "7h do not divide a day evenly: 1, 2, 3, 4, 6, 8, 12, 24 do");
        assert_eq!(
            refusal("90m"),
            "90m do not divide an hour evenly: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60 do"
        );
        assert_eq!(refusal("2mo"), "2mo can't be a period: of months and years, 1mo and 1y can");
        for text in ["", "d", "0d", "1", "1w", "-1d", "+1d", "1 d", "1D", "1.5h", "4294967296d", "1é"] {
            assert!(refusal(text).starts_with(&format!("\"{text}\" is not a period")), "{text}");
        }
    }

    /// Checks that a period starts at each of `starts`, and nowhere between them.
    fn check_starts(text: &str, zone: &str, starts: &[&str]) {
        let (period, zone) = (period(text), Zone::parse(zone).unwrap());
        for pair in starts.windows(2) {
            let (start, next) = (ms(pair[0]), ms(pair[1]));
            for instant in [start, start + 1, start + (next - start) / 2, next - 1] {
                let found = (period.floor(instant, &zone), period.next(instant, &zone));
                assert_eq!(found, (start, next), "{text} from {} to {}", pair[0], pair[1]);
            }
        }
    }

    #[test]
    fn an_hour_that_is_repeated_is_two_periods() {
        let starts = ["2013-11-03T04:00Z", "2013-11-03T05:00Z", "2013-11-03T06:00Z", "2013-11-03T07:00Z"];
        check_starts("1h", "America/New_York", &starts);
        check_starts(
            "2h",
            "America/New_York",
            &["2013-11-03T04:00Z", "2013-11-03T07:00Z", "2013-11-03T09:00Z"],
        );
    }

    #[test]
    fn half_an_hour_that_is_repeated_prolongs_its_hour() {
        check_starts(
            "1h",
            "Australia/Lord_Howe",
            &["2020-04-04T14:00:00Z", "2020-04-04T15:30:00Z", "2020-04-04T16:30:00Z"],
        );
    }

    #[test]
    fn a_start_that_is_skipped_is_the_first_instant_after() {
        check_starts(
            "1h",
            "Australia/Lord_Howe",
            &["2020-10-03T14:30Z", "2020-10-03T15:30Z", "2020-10-03T16:00Z"],
        );
        check_starts(
            "1d",
            "America/Sao_Paulo",
            &["2018-11-03T03:00Z", "2018-11-04T03:00Z", "2018-11-05T02:00Z"],
        );
        check_starts(
            "2h",
            "America/New_York",
            &["2013-03-10T05:00Z", "2013-03-10T07:00Z", "2013-03-10T08:00Z"],
        );
    }

    #[test]
    fn a_day_that_is_skipped_has_no_period() {
        check_starts("1d", "Pacific/Apia", &["2011-12-29T10:00Z", "2011-12-30T10:00Z", "2011-12-31T10:00Z"]);
        check_starts("1mo", "Pacific/Apia", &["2011-12-01T10:00Z", "2011-12-31T10:00Z", "2012-01-31T10:00Z"]);
        check_starts("1y", "Pacific/Apia", &["2011-01-01T10:00Z", "2011-12-31T10:00Z"]);
        check_starts(
            "1d",
            "Pacific/Kwajalein",
            &["1993-08-20T12:00Z", "1993-08-21T12:00Z", "1993-08-22T12:00Z"],
        );
    }

    #[test]
    fn a_midnight_that_is_repeated_starts_one_day() {
        // At 00:01 clocks went back to 23:01 of the day before.
        check_starts(
            "1d",
            "America/St_Johns",
            &["2005-10-29T02:30Z", "2005-10-30T02:30Z", "2005-10-31T03:30Z"],
        );
        check_starts(
            "1h",
            "America/St_Johns",
            &["2005-10-30T01:30Z", "2005-10-30T02:30Z", "2005-10-30T03:30Z", "2005-10-30T04:30Z"],
        );
    }

    #[test]
    fn days_count_from_1970_and_months_follow_the_calendar() {
        check_starts("7d", "UTC", &["1969-12-25", "1970-01-01", "1970-01-08"]);
        check_starts("1mo", "UTC", &["2019-11-01", "2019-12-01", "2020-01-01", "2020-02-01", "2020-03-01"]);
        check_starts("1y", "Asia/Shanghai", &["2018-12-31T16:00Z", "2019-12-31T16:00Z", "2020-12-31T16:00Z"]);
    }

    #[test]
    fn rules_hold_beyond_the_year_9999() {
        let new_york = Zone::parse("America/New_York").unwrap();
        let four_centuries = 146_097 * DAY_SECONDS * 1000;
        for text in ["1h", "6h", "1d", "1mo", "1y"] {
            for instant in ["2150-03-08T06:30Z", "2150-03-08T07:30Z", "2150-07-01T00:00Z"].map(ms) {
                let shift = 1_000 * four_centuries;
                assert_eq!(
                    period(text).floor(instant + shift, &new_york),
                    period(text).floor(instant, &new_york) + shift
                );
                assert_eq!(
                    period(text).next(instant + shift, &new_york),
                    period(text).next(instant, &new_york) + shift
                );
            }
        }
    }

    #[test]
    fn the_ends_of_64_bits_have_periods() {
        for zone in ["UTC", "America/New_York"].map(|name| Zone::parse(name).unwrap()) {
            for text in ["1s", "1h", "4294967295d", "1y"] {
                let (first, last) = (period(text).floor(i64::MIN, &zone), period(text).next(i64::MAX, &zone));
                assert_eq!((first, last), (i64::MIN, i64::MAX), "{text} in {zone}");
            }
        }
    }
}
