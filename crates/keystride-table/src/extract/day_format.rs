//! How days are written in the names of partition folders.

use std::fmt;
use std::str::FromStr;

use keystride::time::{Grain, Pattern, TimeError, Unit, Zone, read_iso8601};

use super::day::is_plain;

/// A Java pattern for days, such as `yyyyMMdd`: each day has a text of its own, which can be a part of a folder's name. The
/// default is `yyyy-MM-dd`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayFormat(Pattern);

/// Why a pattern can't name the folders of days.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DayFormatError {
    /// It is no pattern.
    #[error("{0}; write yyyyMMdd, for example")]
    Pattern(#[from] TimeError),
    /// It is coarser or finer than a day, has an offset, or a year without its century.
    #[error(
        "\"{found}\" does not write year, month and day, and nothing else of the time: write yyyyMMdd, for example"
    )]
    NotDays {
        /// The pattern.
        found: String,
    },
    /// It has a character that a folder's name can't have, or that Hive would escape there.
    #[error("\"{}\" writes {character:?}, which has no place in a folder's name: write yyyyMMdd, for example", found.escape_debug())]
    Character {
        /// The pattern.
        found: String,
        /// The first such character.
        character: char,
    },
}

const DEFAULT: &str = "yyyy-MM-dd";

impl DayFormat {
    /// Returns the text of the day with this text in ISO 8601.
    pub(super) fn text_of(&self, day: &str) -> Result<String, TimeError> {
        let utc = Zone::utc();
        let ms = Unit::Ms.of_nanos(read_iso8601(day.as_bytes(), &utc)?);
        let mut text = Vec::new();
        self.0.format(i64::try_from(ms).unwrap_or(i64::MAX), &utc, &mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Whether a text is that of a day.
    pub(super) fn is_day(&self, text: &str) -> bool {
        self.0.read(text.as_bytes(), &Zone::utc()).is_ok()
    }
}

impl Default for DayFormat {
    fn default() -> Self {
        Self(Pattern::parse(DEFAULT).expect("it is a pattern"))
    }
}

impl FromStr for DayFormat {
    type Err = DayFormatError;

    fn from_str(text: &str) -> Result<Self, DayFormatError> {
        let pattern = Pattern::parse(text)?;
        let found = || text.to_owned();
        if pattern.resolution() != Grain::Day || pattern.has_offset() || pattern.needs_century() {
            return Err(DayFormatError::NotDays { found: found() });
        }
        let format = Self(pattern);
        // What is between the numbers is the same for all days.
        let sample = format.text_of("2013-03-08")?;
        match sample.chars().find(|character| !is_plain(*character)) {
            Some(character) => Err(DayFormatError::Character { found: found(), character }),
            None => Ok(format),
        }
    }
}

impl fmt::Display for DayFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_in_the_pattern_and_known_by_it() {
        for (pattern, text) in [
            (DEFAULT, "2020-04-06"),
            ("yyyyMMdd", "20200406"),
            ("dd.MM.yyyy", "06.04.2020"),
            ("yyyy-M-d", "2020-4-6"),
            ("yyyyDDD", "2020097"),
            ("yyyy'年'MM'月'dd'日'", "2020年04月06日"),
        ] {
            let format: DayFormat = pattern.parse().unwrap();
            assert_eq!(format.text_of("2020-04-06").unwrap(), text);
            assert!(format.is_day(text) && !format.is_day("x"), "{pattern}");
            assert_eq!(format.to_string(), pattern);
        }
        assert!(!DayFormat::default().is_day("20200406"));
    }

    #[test]
    fn what_does_not_name_each_day_or_no_folder_is_refused() {
        for pattern in ["yyyy", "yyyyMM", "yyMMdd", "yyyyMMddHH", "yyyyMMddXX"] {
            let refused = pattern.parse::<DayFormat>();
            assert!(matches!(refused, Err(DayFormatError::NotDays { .. })), "{pattern}: {refused:?}");
        }
        for (pattern, wrong) in
            [("yyyy/MM/dd", '/'), ("yyyy=MMdd", '='), ("yyyyMMdd'\\'", '\\'), ("yyyyMMdd'\0'", '\0')]
        {
            let refused = pattern.parse::<DayFormat>();
            assert!(
                matches!(refused, Err(DayFormatError::Character { character, .. }) if character == wrong),
                "{pattern}"
            );
        }
        for pattern in ["", "day", "yyyyMMddd", "MMdd"] {
            assert!(pattern.parse::<DayFormat>().is_err(), "{pattern}");
        }
    }
}
