//! Phoenix's numbers and booleans.

use crate::key::binary::{self, take};
use crate::key::{DecodeError, DecodeFault, EncodeError, Float, SignedInteger, SortOrder};

/// Appends a TINYINT (`i8`), SMALLINT (`i16`), INTEGER (`i32`) or BIGINT (`i64`): big-endian, sign bit flipped.
/// A DATE or TIME is the BIGINT of its epoch milliseconds.
///
/// ```
/// # use keystride::key::{SortOrder, phoenix};
/// let mut key = Vec::new();
/// phoenix::encode_int(&mut key, 1_586_131_200_000_i64, SortOrder::Descending);
/// assert_eq!(key, 0x7fff_fe8e_b336_97ff_u64.to_be_bytes());
/// ```
pub fn encode_int<T: SignedInteger>(out: &mut Vec<u8>, value: T, order: SortOrder) {
    binary::encode_ordered(out, value, order);
}

/// Reads what [`encode_int`] wrote: the value and its width in bytes.
///
/// # Errors
///
/// There are too few bytes.
pub fn decode_int<T: SignedInteger>(bytes: &[u8], order: SortOrder) -> Result<(T, usize), DecodeError> {
    binary::decode_ordered(bytes, order)
}

/// Appends an `UNSIGNED_INT` (`i32`), an `UNSIGNED_LONG` (`i64`) or a smaller one in plain big-endian. Phoenix's
/// unsigned types hold the non-negative half of the signed ones.
///
/// # Errors
///
/// [`EncodeError::Negative`].
pub fn encode_unsigned<T: SignedInteger>(
    out: &mut Vec<u8>,
    value: T,
    order: SortOrder,
) -> Result<(), EncodeError> {
    if value.into() < 0 {
        return Err(EncodeError::Negative);
    }
    binary::encode_be(out, value, order);
    Ok(())
}

/// Reads what [`encode_unsigned`] wrote: the value and its width in bytes.
///
/// # Errors
///
/// There are too few bytes, or the number is negative.
pub fn decode_unsigned<T: SignedInteger>(bytes: &[u8], order: SortOrder) -> Result<(T, usize), DecodeError> {
    let (value, len) = binary::decode_be::<T>(bytes, order)?;
    match value.into() {
        0.. => Ok((value, len)),
        _ => Err(DecodeError::new(0, DecodeFault::OutOfRange)),
    }
}

/// Appends a FLOAT (`f32`) or DOUBLE (`f64`): the bits in total order, plus one. A NaN becomes the canonical one.
///
/// ```
/// # use keystride::key::{SortOrder, phoenix};
/// let mut key = Vec::new();
/// phoenix::encode_float(&mut key, 0.0_f64, SortOrder::Ascending);
/// assert_eq!(key, 0x8000_0000_0000_0001_u64.to_be_bytes());
/// ```
pub fn encode_float<T: Float>(out: &mut Vec<u8>, value: T, order: SortOrder) {
    let mut array = value.to_ordered();
    add_one(array.as_mut());
    order.append(out, array.as_ref());
}

/// Reads what [`encode_float`] wrote: the value and its width in bytes.
///
/// # Errors
///
/// There are too few bytes.
pub fn decode_float<T: Float>(bytes: &[u8], order: SortOrder) -> Result<(T, usize), DecodeError> {
    let mut array = take::<T>(bytes, order)?;
    subtract_one(array.as_mut());
    Ok((T::from_ordered(array), size_of::<T>()))
}

/// Appends an `UNSIGNED_FLOAT` (`f32`) or `UNSIGNED_DOUBLE` (`f64`): its IEEE bits. A NaN of eight bytes becomes the
/// canonical one.
///
/// # Errors
///
/// [`EncodeError::Negative`] when the sign bit is set, even for −0.0, whose bytes would sort after all others.
pub fn encode_unsigned_float<T: Float>(
    out: &mut Vec<u8>,
    value: T,
    order: SortOrder,
) -> Result<(), EncodeError> {
    // `Bytes.putFloat` keeps the bits of a NaN, `Bytes.putDouble` does not.
    let value = if size_of::<T>() == size_of::<f64>() { value.with_canonical_nan() } else { value };
    if value.has_sign() {
        return Err(EncodeError::Negative);
    }
    binary::encode_be(out, value, order);
    Ok(())
}

/// Reads what [`encode_unsigned_float`] wrote: the value and its width in bytes.
///
/// # Errors
///
/// There are too few bytes, or the sign bit of the number is set.
pub fn decode_unsigned_float<T: Float>(bytes: &[u8], order: SortOrder) -> Result<(T, usize), DecodeError> {
    let (value, len) = binary::decode_be::<T>(bytes, order)?;
    if value.has_sign() {
        return Err(DecodeError::new(0, DecodeFault::OutOfRange));
    }
    Ok((value, len))
}

/// Appends a BOOLEAN as in row keys: 00 for false and 01 for true, or FF and FE in descending order.
///
/// `PDataType.toBytes(…, DESC)` alone gives 01 and 00 instead. Phoenix's own statements write and find the form that is
/// written here, but read both of its values back as false.
pub fn encode_boolean(out: &mut Vec<u8>, value: bool, order: SortOrder) {
    order.append(out, &[u8::from(value)]);
}

/// Reads what [`encode_boolean`] wrote: the value, and 1.
///
/// # Errors
///
/// There is no byte, or it is neither of the two.
pub fn decode_boolean(bytes: &[u8], order: SortOrder) -> Result<(bool, usize), DecodeError> {
    let &found = bytes.first().ok_or(DecodeError::too_short(0, 1))?;
    match found ^ order.mask() {
        0x00 => Ok((false, 1)),
        0x01 => Ok((true, 1)),
        _ => Err(DecodeError::new(0, DecodeFault::NotABoolean { found })),
    }
}

/// Adds one to a big-endian number, wrapping.
fn add_one(number: &mut [u8]) {
    for byte in number.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0x00 {
            return;
        }
    }
}

/// Subtracts one from a big-endian number, wrapping.
fn subtract_one(number: &mut [u8]) {
    for byte in number.iter_mut().rev() {
        *byte = byte.wrapping_sub(1);
        if *byte != 0xff {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SortOrder::{Ascending, Descending};

    #[test]
    fn descending_booleans_are_ff_and_fe_in_a_key() {
        let mut out = Vec::new();
        for value in [false, true] {
            encode_boolean(&mut out, value, Ascending);
            encode_boolean(&mut out, value, Descending);
        }
        assert_eq!(out, [0x00, 0xff, 0x01, 0xfe]);
        assert_eq!(decode_boolean(&[0xfe], Descending), Ok((true, 1)));
        assert!(decode_boolean(&[0x01], Descending).is_err());
    }

    #[test]
    fn the_one_added_to_a_float_carries() {
        let mut out = Vec::new();
        encode_float(&mut out, f32::MAX, Ascending);
        assert_eq!(out, [0xff, 0x80, 0x00, 0x00]);
        assert_eq!(decode_float(&out, Ascending), Ok((f32::MAX, 4)));
    }

    #[test]
    fn unsigned_types_hold_no_sign() {
        let mut out = Vec::new();
        assert_eq!(encode_unsigned(&mut out, -1_i64, Ascending), Err(EncodeError::Negative));
        assert_eq!(encode_unsigned_float(&mut out, -0.0_f32, Ascending), Err(EncodeError::Negative));
        assert!(out.is_empty());
        let negative = DecodeError::new(0, DecodeFault::OutOfRange);
        assert_eq!(decode_unsigned::<i32>(&[0x80, 0, 0, 0], Ascending), Err(negative));
        assert_eq!(decode_unsigned_float::<f32>(&[0x80, 0, 0, 0], Ascending), Err(negative));
    }

    #[test]
    fn only_a_double_loses_the_bits_of_its_nan() {
        let mut out = Vec::new();
        encode_unsigned_float(&mut out, f64::from_bits(0xfff0_0000_0000_0001), Ascending).unwrap();
        encode_unsigned_float(&mut out, f32::from_bits(0x7fc0_0001), Ascending).unwrap();
        assert_eq!(out, [0x7f, 0xf8, 0, 0, 0, 0, 0, 0, 0x7f, 0xc0, 0, 0x01]);
    }
}
