//! Local days, which are the partitions of an extract.

use keystride::design::{Expr, TimeKind};
use keystride::plan::{Comparison, Literal};
use keystride::time::{Pattern, Period, TimeError, Unit, read_iso8601};
use keystride::{Design, Predicate, Row};

use super::{DayFormat, ExtractError};
use crate::cells::number_of;

/// A day of a time field, in the field's time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    pub(super) field: usize,
    /// Its first instant, in the field's unit.
    pub(super) start: i128,
    /// The first instant after it.
    pub(super) end: i128,
    /// `2013-03-08`.
    pub(super) name: String,
}

/// Whether a text can be used unescaped before the `=` in the names of partition folders: it must be a single path
/// component without any of the characters that Hive escapes as `%` and two digits. The texts of days, after the `=`,
/// contain no such characters either.
pub(super) fn can_name_partitions(column: &str) -> bool {
    !column.is_empty() && !column.starts_with('.') && column.chars().all(is_plain)
}

/// Whether a character is written as it is in the names of partition folders.
pub(super) fn is_plain(character: char) -> bool {
    const ESCAPED: &str = "\"#%'*/:=?\\{[]^\u{7f}";
    !character.is_control() && !ESCAPED.contains(character)
}

/// The folder of rows that have no time, as Hive names that of null.
pub(super) const NO_TIME: &str = "__HIVE_DEFAULT_PARTITION__";

/// The length of a day's name.
const NAME_LEN: usize = "2013-03-08".len();

impl Day {
    /// Parses a day, written `2013-03-08` or `20130308`, of the field at index `field`. It lasts from local midnight
    /// to local midnight, even if clocks are changed in between. A day that clocks skipped as a whole has no rows.
    ///
    /// # Errors
    ///
    /// [`ExtractError::Day`], and [`ExtractError::NotATime`] if the field is not a time.
    pub fn parse(text: &str, design: &Design, field: usize) -> Result<Self, ExtractError> {
        let time = time_of(design, field)?;
        let written = match text.as_bytes() {
            [year @ .., _, _, _, _] if text.len() == 8 && text.is_ascii() => {
                let year = year.len();
                format!("{}-{}-{}", &text[..year], &text[year..year + 2], &text[year + 2..])
            }
            _ => text.to_owned(),
        };
        let fail = |source| ExtractError::Day { found: text.to_owned(), source };
        match read_iso8601(written.as_bytes(), &time.zone) {
            Ok(start_ns) => day_of(Unit::Ms.of_nanos(start_ns), field, time).map_err(fail),
            Err(TimeError::InGap { at, .. }) if written.len() == NAME_LEN => {
                let start = time.number_of_second(at);
                Ok(Self { field, start, end: start, name: written })
            }
            Err(error) => Err(fail(error)),
        }
    }

    /// Returns its name, such as `2013-03-08`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates a comparison of the field with a number.
    pub(super) fn bound(&self, op: Comparison, number: i128) -> Predicate {
        let expr = Expr { field: self.field, function: None };
        Predicate::Compare { expr, op, literal: Literal::Int(number) }
    }
}

/// Returns the declaration of the time field at index `field`.
pub(super) fn time_of(design: &Design, field: usize) -> Result<&TimeKind, ExtractError> {
    let declared = &design.fields()[field];
    declared.time().ok_or_else(|| ExtractError::NotATime { field: declared.name.clone() })
}

/// Returns the day that contains an epoch time in milliseconds.
fn day_of(epoch_ms: i128, field: usize, time: &TimeKind) -> Result<Day, TimeError> {
    // Times beyond 64 bits of milliseconds are also beyond all years that can be named.
    let ms = i64::try_from(epoch_ms).unwrap_or(if epoch_ms < 0 { i64::MIN } else { i64::MAX });
    let day: Period = "1d".parse()?;
    let (start, end) = (day.floor(ms, &time.zone), day.next(ms, &time.zone));
    let mut name = Vec::new();
    Pattern::parse("yyyy-MM-dd")?.format(start, &time.zone, &mut name)?;
    let in_unit = |ms: i64| i128::from(ms) * Unit::Ms.nanos() / time.unit().nanos();
    let name = String::from_utf8_lossy(&name).into_owned();
    Ok(Day { field, start: in_unit(start), end: in_unit(end), name })
}

/// Determines the days of rows. Consecutive rows often have the same day, so the last one is cached.
#[derive(Debug)]
pub(super) struct Days {
    time: TimeKind,
    field: usize,
    format: DayFormat,
    /// The last day, with its text.
    last: Option<(Day, String)>,
}

impl Days {
    pub(super) fn new(design: &Design, field: usize, format: DayFormat) -> Result<Self, ExtractError> {
        Ok(Self { time: time_of(design, field)?.clone(), field, format, last: None })
    }

    /// Returns the text of a row's day.
    ///
    /// # Errors
    ///
    /// The row's number, if its year is not 1 to 9999. Only null is in Hive's partition for null, and any other name
    /// would make the partitions' column one of texts to its readers.
    pub(super) fn name_of(&mut self, design: &Design, row: &Row) -> Result<&str, i128> {
        let Some(number) = number_of(design, self.field, row) else { return Ok(NO_TIME) };
        if !self.last.as_ref().is_some_and(|(day, _)| (day.start..day.end).contains(&number)) {
            self.last = self.day_at(number);
        }
        self.last.as_ref().map(|(_, text)| text.as_str()).ok_or(number)
    }

    fn day_at(&self, number: i128) -> Option<(Day, String)> {
        let ms = Unit::Ms.of_nanos(number.checked_mul(self.time.unit().nanos())?);
        let day = day_of(ms, self.field, &self.time).ok()?;
        let text = self.format.text_of(&day.name).ok()?;
        Some((day, text))
    }
}

#[cfg(test)]
mod tests {
    use keystride::Value;

    use super::*;

    fn design(zone: &str) -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nt = {{ type = \"time\", unit = \"s\", zone = \"{zone}\" }}\n\
             id = {{ type = \"int\" }}\n[key]\nparts = [{{ field = \"t\" }}]"
        );
        Design::from_toml(&toml).unwrap()
    }

    #[test]
    fn a_day_runs_from_local_midnight_to_local_midnight() {
        let day = Day::parse("2013-03-08", &design("+08:00"), 0).unwrap();
        assert_eq!((day.start, day.end, day.name()), (1_362_672_000, 1_362_758_400, "2013-03-08"));
        assert_eq!(Day::parse("20130308", &design("+08:00"), 0).unwrap(), day);
        // Clocks were set forward that day.
        let short = Day::parse("2013-03-10", &design("America/New_York"), 0).unwrap();
        assert_eq!(short.end - short.start, 23 * 3600);
    }

    #[test]
    fn a_partition_column_is_one_part_of_a_path_that_hive_writes_as_it_is() {
        for name in ["dt", "day_of", "日", "a-b.c", NO_TIME] {
            assert!(can_name_partitions(name), "{name}");
        }
        for name in
            ["", ".", "..", ".dt", "a/../b", "/a", "a\\b", "a=b", "a\0", "a\n", "50%", "a:b", "\u{7f}"]
        {
            assert!(!can_name_partitions(name), "{name:?}");
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in ["", "2013-02-30", "2013-3-8", "20130229", "today", "2013é"] {
            assert!(matches!(Day::parse(text, &design("UTC"), 0), Err(ExtractError::Day { .. })), "{text}");
        }
        assert!(matches!(Day::parse("2013-03-08", &design("UTC"), 1), Err(ExtractError::NotATime { .. })));
    }

    #[test]
    fn rows_have_the_days_of_their_times() {
        let design = design("America/New_York");
        let mut days = Days::new(&design, 0, DayFormat::default()).unwrap();
        let mut row = Row::new(2);
        for (seconds, name) in [
            (1_362_891_599, "2013-03-09"),
            (1_362_891_600, "2013-03-10"),
            (1_362_974_400, "2013-03-11"),
            (-1, "1969-12-31"),
        ] {
            row.set(0, Value::Int(seconds));
            assert_eq!(days.name_of(&design, &row), Ok(name), "{seconds}");
        }
        assert_eq!(days.name_of(&design, &Row::new(2)), Ok(NO_TIME));
    }

    #[test]
    fn a_time_of_no_year_that_has_days_is_told_from_null() {
        let design = design("UTC");
        let mut days = Days::new(&design, 0, DayFormat::default()).unwrap();
        for number in [253_402_300_800, -62_135_596_801, i64::MAX.into(), i64::MIN.into()] {
            let mut row = Row::new(2);
            row.set(0, Value::Int(number));
            assert_eq!(days.name_of(&design, &row), Err(number));
        }
    }

    #[test]
    fn a_day_that_clocks_skipped_has_no_rows() {
        for (zone, [before, day, after]) in [
            ("Pacific/Apia", ["2011-12-29", "2011-12-30", "2011-12-31"]),
            ("Pacific/Kwajalein", ["1993-08-20", "1993-08-21", "1993-08-22"]),
            ("Asia/Manila", ["1844-12-30", "18441231", "1845-01-01"]),
        ] {
            let design = design(zone);
            let [before, day, after] = [before, day, after].map(|day| Day::parse(day, &design, 0).unwrap());
            assert_eq!((day.start, day.end), (before.end, after.start), "{zone}");
            assert_eq!(day.start, day.end, "{zone}");
            assert_eq!(day.name().len(), NAME_LEN);
        }
        assert!(Day::parse("2011-12-30T10:00", &design("Pacific/Apia"), 0).is_err());
    }
}
