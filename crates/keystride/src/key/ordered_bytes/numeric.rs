//! `OrderedBytes` numbers of any size.

use super::{Decimal, header, varint};
use crate::key::{DecodeError, DecodeFault, SortOrder};

/// A number of any size, as written by `OrderedBytes.encodeNumeric`; whole numbers and fractions sort among each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// Before every number.
    NegativeInfinity,
    /// A number.
    Finite(Decimal),
    /// After every number.
    PositiveInfinity,
    /// Not a number; sorts last.
    NaN,
}

impl From<Decimal> for Numeric {
    fn from(value: Decimal) -> Self {
        Self::Finite(value)
    }
}

impl From<i64> for Numeric {
    fn from(value: i64) -> Self {
        Self::Finite(value.into())
    }
}

impl From<u64> for Numeric {
    fn from(value: u64) -> Self {
        Self::Finite(value.into())
    }
}

/// Appends a header that denotes sign and size, the exponent unless the header includes it, and the digits in base 100,
/// each as 2·d + 1, the last one as 2·d. All bytes of a negative number except the header are complemented.
///
/// ```
/// # use keystride::key::{SortOrder, ordered_bytes};
/// let mut key = Vec::new();
/// ordered_bytes::encode_numeric(&mut key, -12_345_i64, SortOrder::Ascending);
/// assert_eq!(key, [0x10, 0xfc, 0xd0, 0xa5]);
/// ```
pub fn encode_numeric(out: &mut Vec<u8>, value: impl Into<Numeric>, order: SortOrder) {
    let start = out.len();
    match value.into() {
        Numeric::NegativeInfinity => out.push(header::NEGATIVE_INFINITY),
        Numeric::Finite(zero) if zero.coefficient() == 0 => out.push(header::ZERO),
        Numeric::Finite(number) => push_finite(out, number),
        Numeric::PositiveInfinity => out.push(header::POSITIVE_INFINITY),
        Numeric::NaN => out.push(header::NAN),
    }
    order.apply(&mut out[start..]);
}

/// Reads what [`encode_numeric`] wrote: the value and the number of bytes read, header included.
///
/// # Errors
///
/// Another header, too few bytes, or digits that the encoder does not write.
pub fn decode_numeric(bytes: &[u8], order: SortOrder) -> Result<(Numeric, usize), DecodeError> {
    let (header, _) = header::split(bytes, order)?;
    let value = match header {
        header::NEGATIVE_INFINITY => Numeric::NegativeInfinity,
        header::ZERO => 0_i64.into(),
        header::POSITIVE_INFINITY => Numeric::PositiveInfinity,
        header::NAN => Numeric::NaN,
        _ => {
            let (sign, size) = sign_and_size(header).ok_or(header::unknown(header, order))?;
            let mut reader = Reader { bytes, at: 1, mask: order.mask() ^ sign.mask() };
            return Ok((reader.finite(sign, size)?.into(), reader.at));
        }
    };
    Ok((value, 1))
}

#[derive(Clone, Copy)]
enum Sign {
    Negative,
    Positive,
}

impl Sign {
    fn mask(self) -> u8 {
        match self {
            Self::Negative => 0xff,
            Self::Positive => 0x00,
        }
    }
}

/// Where the power of 100 is stored.
#[derive(Clone, Copy)]
enum Size {
    /// At most 0: its negative follows the header, complemented.
    Small,
    /// 1 to 10: in the header.
    Medium(u8),
    /// Above 10: it follows the header.
    Large,
}

impl Size {
    fn of(power_of_100: i32) -> Self {
        match u8::try_from(power_of_100) {
            Ok(power @ 1..=10) => Self::Medium(power),
            _ if power_of_100 > 0 => Self::Large,
            _ => Self::Small,
        }
    }
}

fn header_of(sign: Sign, size: Size) -> u8 {
    match (sign, size) {
        (Sign::Negative, Size::Large) => header::NEGATIVE_LARGE,
        (Sign::Negative, Size::Medium(power)) => header::NEGATIVE_MEDIUM - power,
        (Sign::Negative, Size::Small) => header::NEGATIVE_SMALL,
        (Sign::Positive, Size::Small) => header::POSITIVE_SMALL,
        (Sign::Positive, Size::Medium(power)) => header::POSITIVE_MEDIUM + power,
        (Sign::Positive, Size::Large) => header::POSITIVE_LARGE,
    }
}

fn sign_and_size(header: u8) -> Option<(Sign, Size)> {
    Some(match header {
        header::NEGATIVE_LARGE => (Sign::Negative, Size::Large),
        0x09..=0x12 => (Sign::Negative, Size::Medium(header::NEGATIVE_MEDIUM - header)),
        header::NEGATIVE_SMALL => (Sign::Negative, Size::Small),
        header::POSITIVE_SMALL => (Sign::Positive, Size::Small),
        0x18..=0x21 => (Sign::Positive, Size::Medium(header - header::POSITIVE_MEDIUM)),
        header::POSITIVE_LARGE => (Sign::Positive, Size::Large),
        _ => return None,
    })
}

fn push_finite(out: &mut Vec<u8>, number: Decimal) {
    let sign = if number.coefficient() < 0 { Sign::Negative } else { Sign::Positive };
    let power = number.power_of_100();
    let size = Size::of(power);
    out.push(header_of(sign, size));
    let start = out.len();
    match size {
        Size::Small => {
            varint::push(out, power.unsigned_abs());
            SortOrder::Descending.apply(&mut out[start..]);
        }
        Size::Medium(_) => {}
        Size::Large => varint::push(out, power.unsigned_abs()),
    }
    push_digits(out, number);
    for byte in &mut out[start..] {
        *byte ^= sign.mask();
    }
}

fn push_digits(out: &mut Vec<u8>, number: Decimal) {
    let odd = number.exponent().rem_euclid(2) == 1;
    let magnitude = number.coefficient().unsigned_abs() * if odd { 10 } else { 1 };
    let digits = base_100(magnitude);
    let first = digits.iter().take_while(|&&digit| digit == 0).count();
    out.extend(digits[first..].iter().map(|digit| 2 * digit + 1));
    // The last digit is made even, which marks the end. It is never 0, as a coefficient does not end with a zero.
    if let Some(last) = out.last_mut() {
        *last -= 1;
    }
}

/// The largest number of digits in base 100: 31 decimal digits and a zero that may follow them.
const MAX_DIGITS: usize = 16;

/// Returns 16 digits in base 100, with leading zeros. Dividing 128-bit numbers is slow, so it is done only twice.
fn base_100(magnitude: u128) -> [u8; MAX_DIGITS] {
    const HALF: u128 = 100_u128.pow(8);
    let mut digits = [0; MAX_DIGITS];
    let halves = [magnitude / HALF, magnitude % HALF];
    for (half, digits) in halves.into_iter().zip(digits.chunks_exact_mut(8)) {
        let mut rest = u64::try_from(half).expect("both halves have 16 decimal digits");
        for digit in digits.iter_mut().rev() {
            *digit = (rest % 100) as u8;
            rest /= 100;
        }
    }
    digits
}

/// Reads bytes through a mask that undoes the sort order and the sign.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    mask: u8,
}

impl Reader<'_> {
    fn finite(&mut self, sign: Sign, size: Size) -> Result<Decimal, DecodeError> {
        let power = match size {
            Size::Small => -self.varint(0xff)?,
            Size::Medium(power) => power.into(),
            Size::Large => self.large_power()?,
        };
        let (magnitude, digit_count) = self.digits()?;
        let coefficient = match sign {
            Sign::Negative => -magnitude,
            Sign::Positive => magnitude,
        };
        let out_of_range = |_| DecodeError::new(1, DecodeFault::OutOfRange);
        let exponent = power.checked_sub(digit_count).and_then(|power| power.checked_mul(2));
        let exponent = exponent.ok_or(DecodeError::new(1, DecodeFault::OutOfRange))?;
        Decimal::new(coefficient, exponent).map_err(out_of_range)
    }

    fn large_power(&mut self) -> Result<i32, DecodeError> {
        match self.varint(0x00)? {
            power @ 11.. => Ok(power),
            _ => Err(DecodeError::new(1, DecodeFault::NotCanonical)),
        }
    }

    fn varint(&mut self, flip: u8) -> Result<i32, DecodeError> {
        let value = varint::read(|| Ok(self.next()? ^ flip))?;
        let value = value.map_err(|fault| DecodeError::new(1, fault))?;
        // Larger numbers can't be the exponent of a decimal.
        i32::try_from(value).map_err(|_| DecodeError::new(1, DecodeFault::OutOfRange))
    }

    /// Returns the digits as one whole number, and how many there are in base 100.
    fn digits(&mut self) -> Result<(i128, i32), DecodeError> {
        let mut magnitude = 0_i128;
        let mut count = 0;
        loop {
            let at = self.at;
            let byte = self.next()?;
            magnitude = magnitude * 100 + i128::from(byte / 2);
            count += 1;
            let last = byte.is_multiple_of(2);
            // There are no leading or trailing zeros, each digit is below 100, and there are at most 31 decimal digits.
            let too_long =
                magnitude >= 10_i128.pow(32) || magnitude >= 10_i128.pow(31) && magnitude % 10 != 0;
            if magnitude == 0 || byte == 0 || byte / 2 > 99 || too_long {
                return Err(DecodeError::new(at, DecodeFault::NotCanonical));
            }
            if last {
                return Ok((magnitude, count));
            }
        }
    }

    fn next(&mut self) -> Result<u8, DecodeError> {
        let byte = self.bytes.get(self.at).ok_or(DecodeError::too_short(self.at, self.at + 1))?;
        self.at += 1;
        Ok(byte ^ self.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SortOrder::{Ascending, Descending};

    fn encoded(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        encode_numeric(&mut out, Decimal::parse(text.as_bytes()).unwrap(), Ascending);
        out
    }

    fn fault(bytes: &[u8]) -> (usize, DecodeFault) {
        let error = decode_numeric(bytes, Ascending).unwrap_err();
        (error.at, error.fault)
    }

    #[test]
    fn numbers_of_every_size_rise_with_their_bytes() {
        let rising = [
            "-9E1999999999",
            "-1E33554432",
            "-1E33554431",
            "-1E135648",
            "-1E135647",
            "-1E4576",
            "-1E4575",
            "-9E699",
            "-1E480",
            "-1E479",
            "-1E19",
            "-1E18",
            "-100",
            "-99.5",
            "-1.1",
            "-1",
            "-0.99",
            "-0.01",
            "-1E-480",
            "-1E-483",
            "-1E-702",
            "-1E-5000",
            "-1E-2000000001",
            "0",
            "1E-2000000001",
            "1E-5000",
            "1E-702",
            "1E-483",
            "1E-480",
            "0.0099",
            "0.01",
            "0.99",
            "1",
            "1.01",
            "10",
            "99.5",
            "100",
            "1E18",
            "1E19",
            "1E479",
            "1E480",
            "1E481",
            "9E699",
            "1E4575",
            "1E4576",
            "1E135647",
            "1E135648",
            "1E33554431",
            "1E33554432",
            "9E1999999999",
        ];
        assert!(rising.map(encoded).is_sorted_by(|a, b| a < b));
        for text in rising {
            let value = Decimal::parse(text.as_bytes()).unwrap().into();
            let mut bytes = encoded(text);
            assert_eq!(decode_numeric(&bytes, Ascending), Ok((value, bytes.len())), "{text}");
            Descending.apply(&mut bytes);
            assert_eq!(decode_numeric(&bytes, Descending), Ok((value, bytes.len())), "{text}");
        }
    }

    #[test]
    fn an_exponent_above_240_takes_two_bytes() {
        assert_eq!(encoded("1E479"), [0x22, 240, 20]);
        assert_eq!(encoded("1E480"), [0x22, 241, 1, 2]);
        assert_eq!(encoded("-1E-483"), [0x14, 241, 1, !20]);
    }

    #[test]
    fn exponents_of_every_size_are_those_of_hbase() {
        assert_eq!(encoded("1E700"), [0x22, 0xf1, 0x6f, 0x02]);
        assert_eq!(encoded("1E-704"), [0x16, 0x0e, 0x90, 0x02]);
        assert_eq!(encoded("1E1000"), [0x22, 0xf2, 0x05, 0x02]);
        assert_eq!(encoded("1E5000"), [0x22, 0xf9, 0x00, 0xd5, 0x02]);
    }

    #[test]
    fn a_number_that_rounds_up_to_one_is_written_as_one() {
        assert_eq!(encoded(&format!("0.{}", "9".repeat(40))), encoded("1"));
    }

    #[test]
    fn forms_that_the_encoder_does_not_write_are_refused() {
        assert_eq!(fault(&[0x18, 0x01, 0x02]), (1, DecodeFault::NotCanonical), "leading zero");
        assert_eq!(fault(&[0x18, 0x03, 0x00]), (2, DecodeFault::NotCanonical), "trailing zero");
        assert_eq!(fault(&[0x18, 0xc8]), (1, DecodeFault::NotCanonical), "digit of 100");
        assert_eq!(fault(&[0x22, 0x0a, 0x02]), (1, DecodeFault::NotCanonical), "large that is medium");
        assert_eq!(
            fault(&[0x22, 241, 0, 0x02]),
            (1, DecodeFault::NotCanonical),
            "exponent in two bytes for one"
        );
        assert_eq!(
            fault(&[0x22, 250, 1, 0, 0, 0x02]),
            (1, DecodeFault::NotCanonical),
            "in three bytes for two"
        );
        assert_eq!(
            fault(&[0x22, 252, 0, 0, 0, 0, 0, 0x02]),
            (1, DecodeFault::OutOfRange),
            "exponent too great"
        );
        assert_eq!(
            fault(&[0x22, 251, 0x7f, 0xff, 0xff, 0xff, 0x02]),
            (1, DecodeFault::OutOfRange),
            "too great"
        );
        assert_eq!(
            fault(&[0x22, 251, 0xff, 0xff, 0xff, 0xff, 0x02]),
            (1, DecodeFault::OutOfRange),
            "too great"
        );
        let longest = [vec![0x18], vec![0xc7; 15], vec![0xc6]].concat();
        assert_eq!(fault(&longest), (16, DecodeFault::NotCanonical), "32 digits");
        assert_eq!(
            fault(&[[0x18].as_slice(), &[0x03; 40]].concat()),
            (17, DecodeFault::NotCanonical),
            "33 digits"
        );
    }

    #[test]
    fn headers_of_other_types_and_cut_numbers_are_refused() {
        assert_eq!(fault(&[0x17, 0x02]), (0, DecodeFault::Header { found: 0x17 }));
        assert_eq!(fault(&[0x05]), (0, DecodeFault::Header { found: 0x05 }));
        assert_eq!(fault(&[0x18, 0x03]), (2, DecodeFault::TooShort { missing: 1 }));
        assert_eq!(fault(&[0x22]), (1, DecodeFault::TooShort { missing: 1 }));
        assert_eq!(fault(&[]), (0, DecodeFault::TooShort { missing: 1 }));
    }
}
