//! Numbers and booleans in big-endian bytes of their type's width, as `Bytes.toBytes` writes them, and a variant with
//! the sign flipped so that the bytes sort as the values do.

use super::number::{Integer, Number};
use super::{DecodeError, DecodeFault, EncodeError, SortOrder};

/// Appends `Bytes.toBytes(value)`. Negative integers sort after non-negative ones; negative floats sort after all
/// others, in reverse order.
///
/// ```
/// # use keystride::key::{SortOrder, binary};
/// let mut key = Vec::new();
/// binary::encode_be(&mut key, 10_i32, SortOrder::Ascending);
/// assert_eq!(key, [0, 0, 0, 0x0a]);
/// assert_eq!(binary::decode_be(&key, SortOrder::Ascending)?, (10_i32, 4));
/// # Ok::<(), keystride::key::DecodeError>(())
/// ```
pub fn encode_be<T: Number>(out: &mut Vec<u8>, value: T, order: SortOrder) {
    order.append(out, value.to_plain().as_ref());
}

/// Reads what [`encode_be`] wrote: the value and its width in bytes.
///
/// # Errors
///
/// There are too few bytes.
pub fn decode_be<T: Number>(bytes: &[u8], order: SortOrder) -> Result<(T, usize), DecodeError> {
    Ok((T::from_plain(take::<T>(bytes, order)?), size_of::<T>()))
}

/// Appends bytes that sort as the values do: big-endian with the sign bit flipped and, in negative floats, all other
/// bits too. −0.0 sorts before 0.0; every NaN is written as the canonical one and sorts last. Unsigned numbers have no
/// sign to flip and are written as [`encode_be`] does.
///
/// ```
/// # use keystride::key::{SortOrder, binary};
/// let mut key = Vec::new();
/// binary::encode_ordered(&mut key, -1_i32, SortOrder::Ascending);
/// binary::encode_ordered(&mut key, -2.0_f32, SortOrder::Ascending);
/// assert_eq!(key, [0x7f, 0xff, 0xff, 0xff, 0x3f, 0xff, 0xff, 0xff]);
/// ```
pub fn encode_ordered<T: Number>(out: &mut Vec<u8>, value: T, order: SortOrder) {
    order.append(out, value.to_ordered().as_ref());
}

/// Reads what [`encode_ordered`] wrote: the value and its width in bytes. Accepts any NaN.
///
/// # Errors
///
/// There are too few bytes.
pub fn decode_ordered<T: Number>(bytes: &[u8], order: SortOrder) -> Result<(T, usize), DecodeError> {
    Ok((T::from_ordered(take::<T>(bytes, order)?), size_of::<T>()))
}

/// Appends `Bytes.toBytes(boolean)`: FF for true, 00 for false.
pub fn encode_bool(out: &mut Vec<u8>, value: bool, order: SortOrder) {
    order.append(out, &[if value { 0xff } else { 0x00 }]);
}

/// Reads what [`encode_bool`] wrote: the value, and 1.
///
/// # Errors
///
/// There is no byte, or it is neither FF nor 00 (Java would read any byte but 00 as true).
pub fn decode_bool(bytes: &[u8], order: SortOrder) -> Result<(bool, usize), DecodeError> {
    let &found = bytes.first().ok_or(DecodeError::too_short(0, 1))?;
    match found ^ order.mask() {
        0xff => Ok((true, 1)),
        0x00 => Ok((false, 1)),
        _ => Err(DecodeError::new(0, DecodeFault::NotABoolean { found })),
    }
}

/// Converts the number to a type that may be narrower: `width = 4` of a design is `narrow::<u32>` or `narrow::<i32>`.
///
/// ```
/// # use keystride::key::binary;
/// assert_eq!(binary::narrow::<u32>(1_586_131_200), Ok(0x5e8a_7100));
/// assert!(binary::narrow::<i32>(2_147_483_648).is_err());
/// ```
///
/// # Errors
///
/// [`EncodeError::OutOfRange`] when the type can't hold it.
pub fn narrow<T: Integer>(value: i128) -> Result<T, EncodeError> {
    let (min, max) = (T::LEAST.into(), T::GREATEST.into());
    T::try_from(value).map_err(|_| EncodeError::OutOfRange { value, min, max })
}

/// Returns the first bytes of a slice, as many as `T` has, in ascending form.
pub(super) fn take<T: Number>(bytes: &[u8], order: SortOrder) -> Result<T::Bytes, DecodeError> {
    let first = bytes.get(..size_of::<T>()).and_then(|first| T::Bytes::try_from(first).ok());
    let mut array = first.ok_or(DecodeError::too_short(bytes.len(), size_of::<T>()))?;
    order.apply(array.as_mut());
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;
    use SortOrder::{Ascending, Descending};

    fn ordered<T: Number>(value: T) -> Vec<u8> {
        let mut out = Vec::new();
        encode_ordered(&mut out, value, Ascending);
        out
    }

    #[test]
    fn ordered_floats_rise_from_minus_infinity_to_nan() {
        let rising = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.0,
            -5e-324,
            -0.0,
            0.0,
            5e-324,
            1.0,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(rising.map(ordered).is_sorted_by(|a, b| a < b));
        let rising =
            [f32::NEG_INFINITY, f32::MIN, -1e-45, -0.0, 0.0, 1e-45, f32::MAX, f32::INFINITY, f32::NAN];
        assert!(rising.map(ordered).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn every_nan_is_written_as_the_canonical_one() {
        let negative_nan = f64::from_bits(0xffff_0000_0000_0001);
        assert_eq!(ordered(negative_nan), 0xfff8_0000_0000_0000_u64.to_be_bytes());
        assert_eq!(ordered(f32::from_bits(0xffff_0001)), 0xffc0_0000_u32.to_be_bytes());
    }

    #[test]
    fn unsigned_numbers_have_no_sign_to_flip() {
        assert_eq!(ordered(1_u32), [0, 0, 0, 1]);
        assert!(ordered(u64::MAX) > ordered(1_u64));
    }

    #[test]
    fn a_number_cut_short_says_how_much_is_missing() {
        let error = decode_be::<i64>(&[0; 5], Ascending).unwrap_err();
        assert_eq!(error, DecodeError { at: 5, fault: DecodeFault::TooShort { missing: 3 } });
        assert_eq!(error.to_string(), "at byte 5: the value ends 3 bytes too early");
        assert!(decode_ordered::<f32>(&[], Descending).is_err());
    }

    #[test]
    fn a_boolean_is_ff_or_00_and_nothing_else() {
        let mut out = Vec::new();
        encode_bool(&mut out, true, Ascending);
        encode_bool(&mut out, true, Descending);
        assert_eq!(out, [0xff, 0x00]);
        assert_eq!(decode_bool(&[0x00], Descending), Ok((true, 1)));
        assert_eq!(decode_bool(&[0x01], Ascending).unwrap_err().fault, DecodeFault::NotABoolean { found: 1 });
        assert!(decode_bool(&[], Ascending).is_err());
    }

    #[test]
    fn four_bytes_hold_what_their_type_holds() {
        assert_eq!(narrow::<u32>(4_294_967_295), Ok(u32::MAX));
        assert_eq!(narrow::<i32>(-2_147_483_648), Ok(i32::MIN));
        let refused = EncodeError::OutOfRange { value: -1, min: 0, max: 4_294_967_295 };
        assert_eq!(narrow::<u32>(-1), Err(refused));
        assert_eq!(refused.to_string(), "-1 is outside 0 to 4294967295");
    }
}
