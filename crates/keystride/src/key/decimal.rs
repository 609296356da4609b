//! Whole numbers as decimal text: in their shortest form, or padded with zeros on the left to a fixed width.
//!
//! The shortest form does not sort as the numbers do (`10` before `9`); a fixed width does for numbers that are not
//! negative.

use super::{DecodeError, DecodeFault, EncodeError};

/// The largest number of digits that always fits a `u64`.
const CHUNK_DIGITS: usize = 19;

/// Appends the shortest decimal text, with `-` before negative numbers.
///
/// ```
/// # use keystride::key::decimal;
/// let mut key = Vec::new();
/// decimal::encode(&mut key, -42);
/// assert_eq!(key, b"-42");
/// ```
pub fn encode(out: &mut Vec<u8>, value: impl Into<i128>) {
    let value = value.into();
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(digits(value.unsigned_abs(), &mut itoa::Buffer::new()));
}

/// Appends the number in exactly `width` characters, padded with zeros on the left.
///
/// ```
/// # use keystride::key::decimal;
/// let mut key = Vec::new();
/// decimal::encode_padded(&mut key, 7, 3)?;
/// assert_eq!(key, b"007");
/// # Ok::<(), keystride::key::EncodeError>(())
/// ```
///
/// # Errors
///
/// The number is negative, or has more than `width` digits.
pub fn encode_padded(out: &mut Vec<u8>, value: impl Into<i128>, width: usize) -> Result<(), EncodeError> {
    let value = u128::try_from(value.into()).map_err(|_| EncodeError::Negative)?;
    let mut buffer = itoa::Buffer::new();
    let text = digits(value, &mut buffer);
    let len = text.len();
    let zeros = width.checked_sub(len).ok_or(EncodeError::TooLong { len, width })?;
    out.resize(out.len() + zeros, b'0');
    out.extend_from_slice(text);
    Ok(())
}

/// Returns the number of decimal digits of a number; 0 has one.
pub fn digit_count(value: u64) -> usize {
    value.checked_ilog10().map_or(1, |power| power as usize + 1)
}

/// Reads a whole text: decimal digits after at most one `-`. Leading zeros are accepted; `+`, blanks and an empty text
/// are not.
///
/// # Errors
///
/// The first byte that is not a digit, or a number that exceeds `i128`.
pub fn parse_i128(text: &[u8]) -> Result<i128, DecodeError> {
    let (signed, digits) = match text {
        [b'-', digits @ ..] => {
            (0_i128.checked_sub_unsigned(magnitude(digits).map_err(|e| e.shifted(1))?), digits)
        }
        digits => (i128::try_from(magnitude(digits)?).ok(), digits),
    };
    signed.ok_or(DecodeError::new(text.len() - digits.len(), DecodeFault::OutOfRange))
}

/// Reads a whole text as [`encode`] writes it: unlike [`parse_i128`], it accepts neither leading zeros nor `-0`, so
/// that no two texts give the same number.
///
/// # Errors
///
/// Those of [`parse_i128`], and [`DecodeFault::NotCanonical`].
pub fn parse_shortest(text: &[u8]) -> Result<i128, DecodeError> {
    let value = parse_i128(text)?;
    match text {
        [b'0', _, ..] => Err(DecodeError::new(0, DecodeFault::NotCanonical)),
        [b'-', b'0', ..] => Err(DecodeError::new(1, DecodeFault::NotCanonical)),
        _ => Ok(value),
    }
}

/// Reads what [`encode_padded`] wrote, from the front of `bytes`: the number, and `width`.
///
/// # Errors
///
/// Fewer than `width` bytes, a byte that is not a digit, or a number that exceeds `i128`.
pub fn parse_padded(bytes: &[u8], width: usize) -> Result<(i128, usize), DecodeError> {
    let digits = bytes.get(..width).ok_or(DecodeError::too_short(bytes.len(), width))?;
    let value = i128::try_from(magnitude(digits)?);
    value.map(|value| (value, width)).map_err(|_| DecodeError::new(0, DecodeFault::OutOfRange))
}

/// Returns the digits of a number; most numbers fit 64 bits, which are faster to format.
fn digits(value: u128, buffer: &mut itoa::Buffer) -> &[u8] {
    match u64::try_from(value) {
        Ok(value) => buffer.format(value).as_bytes(),
        Err(_) => buffer.format(value).as_bytes(),
    }
}

/// Reads a number that consists of digits alone.
fn magnitude(digits: &[u8]) -> Result<u128, DecodeError> {
    if digits.is_empty() {
        return Err(DecodeError::too_short(0, 1));
    }
    let (first, rest) = digits.split_at(digits.len().min(CHUNK_DIGITS));
    let mut small = 0_u64;
    for (at, &byte) in first.iter().enumerate() {
        small = small * 10 + u64::from(digit(byte, at)?);
    }
    let mut value = u128::from(small);
    for (at, &byte) in (CHUNK_DIGITS..).zip(rest) {
        let more = u128::from(digit(byte, at)?);
        let longer = value.checked_mul(10).and_then(|tens| tens.checked_add(more));
        value = longer.ok_or(DecodeError::new(0, DecodeFault::OutOfRange))?;
    }
    Ok(value)
}

fn digit(byte: u8, at: usize) -> Result<u8, DecodeError> {
    match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        found => Err(DecodeError::new(at, DecodeFault::NotADigit { found })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: impl Into<i128>) -> String {
        let mut out = Vec::new();
        encode(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    fn padded(value: impl Into<i128>, width: usize) -> Result<String, EncodeError> {
        let mut out = b"x".to_vec();
        encode_padded(&mut out, value, width).map(|()| String::from_utf8(out[1..].to_vec()).unwrap())
    }

    fn fault(read: Result<i128, DecodeError>) -> (usize, DecodeFault) {
        let error = read.unwrap_err();
        (error.at, error.fault)
    }

    #[test]
    fn numbers_of_every_length_are_written_as_the_standard_library_does() {
        let powers = (0..39).map(|power| 10_i128.pow(power) - 1);
        let edges = [0, 7, 10, 99, 100, u64::MAX.into(), i128::from(u64::MAX) + 1, i128::MAX, i128::MIN];
        for value in powers.flat_map(|nines| [nines, nines + 1, -nines]).chain(edges) {
            assert_eq!(text(value), value.to_string());
            assert_eq!(parse_shortest(value.to_string().as_bytes()), Ok(value));
        }
    }

    #[test]
    fn padding_fills_the_width_or_refuses() {
        assert_eq!(padded(0, 4).unwrap(), "0000");
        assert_eq!(padded(u64::MAX, 20).unwrap(), u64::MAX.to_string());
        assert_eq!(padded(5, 45).unwrap().len(), 45);
        assert_eq!(padded(100, 2), Err(EncodeError::TooLong { len: 3, width: 2 }));
        assert_eq!(padded(-1, 9), Err(EncodeError::Negative));
    }

    #[test]
    fn padded_text_is_read_to_its_width() {
        assert_eq!(parse_padded(b"0042_", 4), Ok((42, 4)));
        assert_eq!(parse_padded(b"00", 4).unwrap_err(), DecodeError::too_short(2, 4));
        assert_eq!(parse_padded(b"00-1", 4).unwrap_err().at, 2);
        assert_eq!(parse_padded(&[b'0'; 60], 60), Ok((0, 60)));
    }

    #[test]
    fn only_digits_after_one_minus_are_a_number() {
        assert_eq!(fault(parse_i128(b"")), (0, DecodeFault::TooShort { missing: 1 }));
        assert_eq!(fault(parse_i128(b"-")), (1, DecodeFault::TooShort { missing: 1 }));
        assert_eq!(fault(parse_i128(b"+1")), (0, DecodeFault::NotADigit { found: b'+' }));
        assert_eq!(fault(parse_i128(b"1 ")), (1, DecodeFault::NotADigit { found: b' ' }));
        assert_eq!(fault(parse_i128(b"--1")), (1, DecodeFault::NotADigit { found: b'-' }));
        assert_eq!(parse_i128(b"-007"), Ok(-7));
    }

    #[test]
    fn one_beyond_the_widest_number_is_out_of_range() {
        assert_eq!(
            fault(parse_i128(b"170141183460469231731687303715884105728")),
            (0, DecodeFault::OutOfRange)
        );
        assert_eq!(
            fault(parse_i128(b"-170141183460469231731687303715884105729")),
            (1, DecodeFault::OutOfRange)
        );
        assert_eq!(fault(parse_i128(&[b'9'; 40])), (0, DecodeFault::OutOfRange));
    }

    #[test]
    fn the_shortest_text_has_no_leading_zero() {
        assert_eq!(fault(parse_shortest(b"07")), (0, DecodeFault::NotCanonical));
        assert_eq!(fault(parse_shortest(b"-07")), (1, DecodeFault::NotCanonical));
        assert_eq!(fault(parse_shortest(b"-0")), (1, DecodeFault::NotCanonical));
        assert_eq!(parse_shortest(b"0"), Ok(0));
    }

    #[test]
    fn digits_are_counted() {
        assert_eq!([0, 9, 10, 9_999_999_999_999, u64::MAX].map(digit_count), [1, 1, 2, 13, 20]);
    }
}
