//! Durations as they are written: `100ms`, `5s`, `2m`, `1h`, `1d`.

use std::num::NonZeroU64;
use std::time::Duration;

/// The names of units, and their lengths in milliseconds.
const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// A text that is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is not a length of time: write 100ms, 5s, 2m, 1h or 1d")]
pub struct BadDuration {
    found: String,
}

/// Parses a duration, which must not be zero.
///
/// # Errors
///
/// [`BadDuration`] for any other text.
pub fn parse_duration(text: &str) -> Result<Duration, BadDuration> {
    parse_ms(text)
        .map(|ms| Duration::from_millis(ms.get()))
        .ok_or_else(|| BadDuration { found: text.to_owned() })
}

/// Parses a duration in milliseconds.
pub fn parse_ms(text: &str) -> Option<NonZeroU64> {
    scaled(text, &UNITS, |unit, name| unit == name)
}

/// Parses a number in digits, followed by a unit that `is_unit` finds; the result must not be zero.
pub fn scaled(text: &str, units: &[(&str, u64)], is_unit: impl Fn(&str, &str) -> bool) -> Option<NonZeroU64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| is_unit(unit, name))?;
    NonZeroU64::new(number.parse::<u64>().ok()?.checked_mul(*factor)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_has_a_number_and_a_unit() {
        for (text, ms) in
            [("100ms", 100), ("5s", 5_000), ("2m", 120_000), ("1h", 3_600_000), ("1d", 86_400_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "5", "s", "0s", "-1s", "1.5s", "5 s", "1w", "99999999999999999999h"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
