//! The formats in which a source writes times.

use std::fmt;
use std::str::FromStr;

use super::{Expected, Pattern, TimeError, Unit, Zone, read_iso8601};

/// How a source writes a time.
///
/// ```
/// # use keystride::time::{InputFormat, Zone};
/// let millis = InputFormat::parse("epoch-ms")?;
/// assert_eq!(millis.read(b"1400657685457", &Zone::utc())?, 1_400_657_685_457_000_000);
/// # Ok::<(), keystride::time::TimeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputFormat {
    /// A decimal epoch of at most 64 bits: `epoch-s`, `epoch-ms`, `epoch-us`, `epoch-ns`.
    Epoch(Unit),
    /// What [`read_iso8601`] accepts: `iso8601`.
    Iso8601,
    /// A Java pattern.
    Pattern(Pattern),
}

impl InputFormat {
    /// Parses the name of a format, or a pattern.
    ///
    /// # Errors
    ///
    /// [`TimeError`] for text that looks like a name but is not one, or for what is wrong with the pattern.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        if text == "iso8601" {
            return Ok(Self::Iso8601);
        }
        if let Some(Ok(unit)) = text.strip_prefix("epoch-").map(str::parse) {
            return Ok(Self::Epoch(unit));
        }
        let lower = text.to_lowercase();
        if lower.starts_with("epoch") || lower.starts_with("iso") {
            return Err(TimeError::UnknownInput { found: text.to_owned() });
        }
        Pattern::parse(text).map(Self::Pattern)
    }

    /// Declares the years of a pattern with `yy`: see [`Pattern::between`].
    ///
    /// # Errors
    ///
    /// As for [`Pattern::between`].
    pub fn between(self, first_ms: i64, last_ms: i64, zone: &Zone) -> Result<Self, TimeError> {
        match self {
            Self::Pattern(pattern) => pattern.between(first_ms, last_ms, zone).map(Self::Pattern),
            other => Ok(other),
        }
    }

    /// Reads a whole text, and returns the instant in nanoseconds since 1970-01-01T00:00:00Z. `zone` applies to texts
    /// without an offset; an epoch has none. An offset is taken literally.
    ///
    /// # Errors
    ///
    /// [`TimeError`], with the place, for a text that is not in this format.
    pub fn read(&self, text: &[u8], zone: &Zone) -> Result<i128, TimeError> {
        match self {
            Self::Epoch(unit) => Ok(i128::from(read_epoch(text)?) * unit.nanos()),
            Self::Iso8601 => read_iso8601(text, zone),
            Self::Pattern(pattern) => Ok(i128::from(pattern.read_literally(text, zone)?) * Unit::Ms.nanos()),
        }
    }
}

/// Reads an optional minus sign and decimal digits.
fn read_epoch(text: &[u8]) -> Result<i64, TimeError> {
    let sign_len = usize::from(text.first() == Some(&b'-'));
    let digits = &text[sign_len..];
    if let Some(at) = digits.iter().position(|byte| !byte.is_ascii_digit()).or(digits.is_empty().then_some(0))
    {
        let found = digits.get(at).copied();
        return Err(TimeError::Unexpected { at: sign_len + at, found, expected: Expected::Number });
    }
    let epoch = digits.iter().try_fold(0_i64, |epoch, digit| {
        let digit = i64::from(digit - b'0');
        // The sum is built downward, as the smallest number has no positive counterpart.
        epoch.checked_mul(10)?.checked_sub(digit)
    });
    let epoch = if sign_len == 0 { epoch.and_then(i64::checked_neg) } else { epoch };
    epoch.ok_or(TimeError::NotInSixtyFourBits)
}

impl FromStr for InputFormat {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        Self::parse(text)
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epoch(unit) => write!(f, "epoch-{unit}"),
            Self::Iso8601 => f.write_str("iso8601"),
            Self::Pattern(pattern) => write!(f, "{pattern}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: &str, text: &str) -> Result<i128, TimeError> {
        InputFormat::parse(format).unwrap().read(text.as_bytes(), &Zone::utc())
    }

    #[test]
    fn formats_read_back_as_they_are_shown() {
        for text in ["epoch-s", "epoch-ms", "epoch-us", "epoch-ns", "iso8601", "dd/MM/yyyy"] {
            assert_eq!(InputFormat::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn names_that_are_none_are_told_from_patterns() {
        for text in ["epoch", "epoch-h", "epoch_ms", "ISO8601", "iso-8601"] {
            assert_eq!(InputFormat::parse(text), Err(TimeError::UnknownInput { found: text.to_owned() }));
        }
        assert!(matches!(InputFormat::parse("yyyyDD"), Err(TimeError::Letters { at: 4, .. })));
    }

    #[test]
    fn an_epoch_is_any_number_of_64_bits() {
        assert_eq!(read("epoch-s", "0"), Ok(0));
        assert_eq!(read("epoch-us", "-1"), Ok(-1_000));
        assert_eq!(read("epoch-s", "9223372036854775807"), Ok(i128::from(i64::MAX) * 1_000_000_000));
        assert_eq!(read("epoch-ns", "-9223372036854775808"), Ok(i64::MIN.into()));
        for text in ["9223372036854775808", "-9223372036854775809", "99999999999999999999"] {
            assert_eq!(read("epoch-ns", text), Err(TimeError::NotInSixtyFourBits));
        }
    }

    #[test]
    fn an_epoch_is_digits_alone() {
        for (text, at) in [("", 0), ("-", 1), ("+1", 0), ("1.5", 1), (" 1", 0), ("1e9", 1), ("--1", 1)] {
            let error = read("epoch-s", text).unwrap_err();
            assert!(
                matches!(error, TimeError::Unexpected { at: found, .. } if found == at),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn a_pattern_s_milliseconds_become_nanoseconds() {
        assert_eq!(read("yyyyMMddHHmmssSSS", "19700101000000001"), Ok(1_000_000));
    }
}
