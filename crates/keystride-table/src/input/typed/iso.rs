//! Formatting of days and instants as ISO 8601 text.

use std::fmt::Write as _;

use keystride::time::{Pattern, TimeError, Zone};

const NANOS_PER_SECOND: i128 = 1_000_000_000;
const MS_PER_DAY: i128 = 86_400_000;

/// Writes times of the years 1 to 9999.
#[derive(Debug)]
pub(in crate::input) struct IsoWriter {
    date: Pattern,
    clock: Pattern,
    utc: Zone,
    bytes: Vec<u8>,
}

impl IsoWriter {
    pub(in crate::input) fn new() -> Self {
        let pattern = |text| Pattern::parse(text).expect("a pattern of Java's letters and quoted text");
        Self {
            date: pattern("yyyy-MM-dd"),
            clock: pattern("yyyy-MM-dd'T'HH:mm:ss"),
            utc: Zone::utc(),
            bytes: Vec::new(),
        }
    }

    /// Appends the day that is `days` after 1970-01-01.
    pub(in crate::input) fn write_date(&mut self, days: i128, out: &mut String) -> Result<(), TimeError> {
        let Self { date, utc, bytes, .. } = self;
        write(date, days * MS_PER_DAY, utc, bytes, out)
    }

    /// Appends the date and time `nanos` after 1970-01-01T00:00, with 0, 3, 6 or 9 fractional digits as needed.
    pub(in crate::input) fn write_time(&mut self, nanos: i128, out: &mut String) -> Result<(), TimeError> {
        let Self { clock, utc, bytes, .. } = self;
        let second = nanos.div_euclid(NANOS_PER_SECOND);
        write(clock, second * 1000, utc, bytes, out)?;
        let rest = nanos.rem_euclid(NANOS_PER_SECOND);
        // Writing to a String can't fail.
        let _ = match rest {
            0 => Ok(()),
            rest if rest % 1_000_000 == 0 => write!(out, ".{:03}", rest / 1_000_000),
            rest if rest % 1_000 == 0 => write!(out, ".{:06}", rest / 1_000),
            rest => write!(out, ".{rest:09}"),
        };
        Ok(())
    }
}

fn write(
    pattern: &Pattern,
    ms: i128,
    utc: &Zone,
    bytes: &mut Vec<u8>,
    out: &mut String,
) -> Result<(), TimeError> {
    bytes.clear();
    // Times beyond 64 bits of milliseconds are also beyond the years that a pattern can format.
    pattern.format(i64::try_from(ms).unwrap_or(i64::MAX), utc, bytes)?;
    out.push_str(&String::from_utf8_lossy(bytes));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_digits_they_need() {
        let mut iso = IsoWriter::new();
        for (nanos, text) in [
            (0, "1970-01-01T00:00:00"),
            (-1, "1969-12-31T23:59:59.999999999"),
            (1_357_034_400_000_000_000, "2013-01-01T10:00:00"),
            (1_357_034_400_120_000_000, "2013-01-01T10:00:00.120"),
            (1_357_034_400_000_034_000, "2013-01-01T10:00:00.000034"),
        ] {
            let mut out = String::new();
            iso.write_time(nanos, &mut out).unwrap();
            assert_eq!(out, text);
        }
    }

    #[test]
    fn days_count_from_1970() {
        let (mut iso, mut out) = (IsoWriter::new(), String::new());
        iso.write_date(15_706, &mut out).unwrap();
        assert_eq!(out, "2013-01-01");
        assert!(iso.write_date(i128::from(i32::MAX), &mut out).is_err());
    }
}
