//! Decimal numbers with the precision and range of HBase's `OrderedBytes`.

use crate::key::{DecodeError, DecodeFault, EncodeError};

/// The number of significant digits that HBase rounds to.
const MAX_DIGITS: u32 = 31;

/// The largest power of 100, and the negative of the smallest; the exponents of Java's decimals have 32 bits, too.
const MAX_POWER_OF_100: i64 = 1_000_000_000;

/// A power of ten that is out of range whatever the digits are; sums of it do not overflow.
const TOO_FAR: i64 = 1 << 32;

/// A decimal number: a coefficient of at most 31 digits, whose last digit is not 0, times a power of ten.
///
/// ```
/// # use keystride::key::ordered_bytes::Decimal;
/// assert_eq!(Decimal::parse(b"12.30")?, Decimal::new(123, -1)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    coefficient: i128,
    exponent: i32,
}

impl Decimal {
    /// Creates the number `coefficient` · 10^`exponent`, rounded to 31 significant digits, half away from zero.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Magnitude`] at 10^2,000,000,000 and above, and below 10^−2,000,000,002.
    pub fn new(coefficient: i128, exponent: i32) -> Result<Self, EncodeError> {
        Self::normalized(coefficient, exponent.into())
    }

    /// Reads a whole text such as `-1.50`, `1E-7` or `+2.5e+10`, rounded to 31 significant digits, half away from zero.
    ///
    /// # Errors
    ///
    /// The first byte that does not fit, or a number outside the range of [`Self::new`].
    pub fn parse(text: &[u8]) -> Result<Self, DecodeError> {
        let (sign, start) = match text {
            [b'-', ..] => (-1, 1),
            [b'+', ..] => (1, 1),
            _ => (1, 0),
        };
        let mut digits = SignificantDigits::default();
        let at = digits.read(text, start)?;
        let exponent = exponent_at(text, at)?.saturating_add(digits.exponent).clamp(-TOO_FAR, TOO_FAR);
        let decimal = Self::normalized(sign * digits.coefficient, exponent);
        decimal.map_err(|_| DecodeError::new(0, DecodeFault::OutOfRange))
    }

    /// Returns the digits with the sign of the number; 0 only for zero.
    pub fn coefficient(self) -> i128 {
        self.coefficient
    }

    /// Returns the power of ten that the coefficient is multiplied by; 0 for zero.
    pub fn exponent(self) -> i32 {
        self.exponent
    }

    /// Returns the number as an integer, if it is one and fits.
    pub fn to_integer(self) -> Option<i128> {
        let power = u32::try_from(self.exponent).ok()?;
        self.coefficient.checked_mul(10_i128.checked_pow(power)?)
    }

    /// Returns the smallest power of 100 above the magnitude, so that the number is 0.dd… times it. Not for zero.
    pub(super) fn power_of_100(self) -> i32 {
        let power = power_of_100(first_digit(self.coefficient.unsigned_abs(), self.exponent.into()));
        i32::try_from(power).expect("it is checked when the number is made")
    }

    /// Returns the number in its canonical form, if it is in range.
    fn normalized(coefficient: i128, exponent: i64) -> Result<Self, EncodeError> {
        let (mut magnitude, mut exponent) = rounded(coefficient.unsigned_abs(), exponent);
        if magnitude == 0 {
            return Ok(Self { coefficient: 0, exponent: 0 });
        }
        while magnitude.is_multiple_of(10) {
            magnitude /= 10;
            exponent += 1;
        }
        let first = first_digit(magnitude, exponent);
        if power_of_100(first).abs() > MAX_POWER_OF_100 {
            return Err(EncodeError::Magnitude { exponent: first });
        }
        let unsigned = i128::try_from(magnitude).expect("31 digits fit 127 bits");
        let exponent =
            i32::try_from(exponent).expect("it is within 31 digits of the first, which is in range");
        Ok(Self { coefficient: unsigned * coefficient.signum(), exponent })
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::new(value.into(), 0).expect("19 digits are in range")
    }
}

impl From<u64> for Decimal {
    fn from(value: u64) -> Self {
        Self::new(value.into(), 0).expect("20 digits are in range")
    }
}

/// Rounds to 31 digits, half up.
fn rounded(magnitude: u128, exponent: i64) -> (u128, i64) {
    let digits = magnitude.checked_ilog10().map_or(1, |power| power + 1);
    let excess = digits.saturating_sub(MAX_DIGITS);
    let unit = 10_u128.pow(excess);
    ((magnitude + unit / 2) / unit, exponent + i64::from(excess))
}

/// Returns the power of ten just above the first digit.
fn first_digit(magnitude: u128, exponent: i64) -> i64 {
    exponent + i64::from(magnitude.ilog10()) + 1
}

/// Returns half the power of ten, rounded up.
fn power_of_100(power_of_10: i64) -> i64 {
    (power_of_10 + 1).div_euclid(2)
}

/// The first 32 significant digits of a text, one more than are kept, to decide the rounding.
#[derive(Default)]
struct SignificantDigits {
    coefficient: i128,
    exponent: i64,
    point_seen: bool,
    digit_seen: bool,
}

impl SignificantDigits {
    /// Reads digits and at most one point from `start`; returns where they end.
    fn read(&mut self, text: &[u8], start: usize) -> Result<usize, DecodeError> {
        let mut at = start;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'0'..=b'9' => self.push(byte - b'0'),
                b'.' if !self.point_seen => self.point_seen = true,
                _ => break,
            }
            at += 1;
        }
        if self.digit_seen {
            return Ok(at);
        }
        Err(text.get(at).map_or(DecodeError::too_short(at, at + 1), |&found| not_a_digit(at, found)))
    }

    fn push(&mut self, digit: u8) {
        self.digit_seen = true;
        let kept = self.coefficient < 10_i128.pow(MAX_DIGITS);
        if kept {
            self.coefficient = self.coefficient * 10 + i128::from(digit);
        }
        match (kept, self.point_seen) {
            (true, true) => self.exponent -= 1,
            (false, false) => self.exponent += 1,
            _ => {}
        }
    }
}

/// Reads the exponent after an `E` at `at`; 0 at the end of the text.
fn exponent_at(text: &[u8], at: usize) -> Result<i64, DecodeError> {
    let (sign, start) = match &text[at..] {
        [] => return Ok(0),
        [b'e' | b'E', b'-', ..] => (-1, at + 2),
        [b'e' | b'E', b'+', ..] => (1, at + 2),
        [b'e' | b'E', ..] => (1, at + 1),
        [found, ..] => return Err(not_a_digit(at, *found)),
    };
    if start == text.len() {
        return Err(DecodeError::too_short(start, start + 1));
    }
    let mut power = 0_i64;
    for (at, &byte) in (start..).zip(&text[start..]) {
        match byte {
            b'0'..=b'9' => power = power.saturating_mul(10).saturating_add(i64::from(byte - b'0')),
            found => return Err(not_a_digit(at, found)),
        }
    }
    Ok(sign * power)
}

fn not_a_digit(at: usize, found: u8) -> DecodeError {
    DecodeError::new(at, DecodeFault::NotADigit { found })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (i128, i32) {
        let decimal = Decimal::parse(text.as_bytes()).unwrap();
        (decimal.coefficient(), decimal.exponent())
    }

    fn refusal(text: &str) -> DecodeError {
        Decimal::parse(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn one_number_has_one_form() {
        assert_eq!(parts("100.00"), (1, 2));
        assert_eq!(parts("+1e2"), (1, 2));
        assert_eq!(parts("-0012.50E-1"), (-125, -2));
        assert_eq!(parts(".5"), parts("0.50"));
        assert_eq!(parts("-0.000E+99999999999999999999"), (0, 0));
    }

    #[test]
    fn the_32nd_digit_rounds_half_away_from_zero() {
        let thirty_one = "1234567890123456789012345678901";
        let kept = 1_234_567_890_123_456_789_012_345_678_901;
        assert_eq!(parts(&format!("{thirty_one}4999")), (kept, 4));
        assert_eq!(parts(&format!("{thirty_one}.5")), (kept + 1, 0));
        assert_eq!(parts(&format!("-0.0{thirty_one}50")), (-kept - 1, -32));
        assert_eq!(parts(&"9".repeat(60)), (1, 60));
        assert_eq!(
            Decimal::new(i128::MIN, 0).unwrap().coefficient(),
            -1_701_411_834_604_692_317_316_873_037_159
        );
    }

    #[test]
    fn texts_that_are_no_number_are_refused_where_they_break() {
        assert_eq!(refusal(""), DecodeError::too_short(0, 1));
        assert_eq!(refusal("-."), DecodeError::too_short(2, 3));
        assert_eq!(refusal("1.2.3"), not_a_digit(3, b'.'));
        assert_eq!(refusal("1E"), DecodeError::too_short(2, 3));
        assert_eq!(refusal("1E+-1"), not_a_digit(3, b'-'));
        assert_eq!(refusal("NaN"), not_a_digit(0, b'N'));
    }

    #[test]
    fn numbers_beyond_the_encoding_are_refused() {
        assert_eq!(parts("9E1999999999"), (9, 1_999_999_999));
        assert_eq!(refusal("1E2000000000").fault, DecodeFault::OutOfRange);
        assert_eq!(parts("1E-2000000002"), (1, -2_000_000_002));
        let exponent = -2_000_000_002;
        assert_eq!(Decimal::new(9, -2_000_000_003), Err(EncodeError::Magnitude { exponent }));
        assert_eq!(
            parts("1234567890123456789012345678901E-2000000032"),
            (1_234_567_890_123_456_789_012_345_678_901, -2_000_000_032)
        );
        assert_eq!(refusal("1E99999999999999999999").fault, DecodeFault::OutOfRange);
    }

    #[test]
    fn whole_numbers_are_given_back_whole() {
        assert_eq!(Decimal::from(i64::MIN).to_integer(), Some(i64::MIN.into()));
        assert_eq!(Decimal::from(u64::MAX).to_integer(), Some(u64::MAX.into()));
        assert_eq!(Decimal::from(1_000_i64).to_integer(), Some(1_000));
        assert_eq!(Decimal::parse(b"0.5").unwrap().to_integer(), None);
        assert_eq!(Decimal::parse(b"1E60").unwrap().to_integer(), None);
    }
}
