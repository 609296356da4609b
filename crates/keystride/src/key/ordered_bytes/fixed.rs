//! Numbers of fixed width, and the null of any type.

use super::header;
use crate::key::{DecodeError, Number, SortOrder, binary};

/// A number that `OrderedBytes` writes in a fixed width.
pub trait Fixed: Number {
    /// The header byte before the number, in ascending form.
    const HEADER: u8;
}

impl Fixed for i8 {
    const HEADER: u8 = header::INT8;
}

impl Fixed for i16 {
    const HEADER: u8 = header::INT16;
}

impl Fixed for i32 {
    const HEADER: u8 = header::INT32;
}

impl Fixed for i64 {
    const HEADER: u8 = header::INT64;
}

impl Fixed for f32 {
    const HEADER: u8 = header::FLOAT32;
}

impl Fixed for f64 {
    const HEADER: u8 = header::FLOAT64;
}

/// Appends a header and the number in total order, as [`binary::encode_ordered`] writes it.
///
/// ```
/// # use keystride::key::{SortOrder, ordered_bytes};
/// let mut key = Vec::new();
/// ordered_bytes::encode_fixed(&mut key, 1_i32, SortOrder::Ascending);
/// assert_eq!(key, [0x2b, 0x80, 0x00, 0x00, 0x01]);
/// ```
pub fn encode_fixed<T: Fixed>(out: &mut Vec<u8>, value: T, order: SortOrder) {
    order.append(out, &[T::HEADER]);
    binary::encode_ordered(out, value, order);
}

/// Reads what [`encode_fixed`] wrote: the value and the number of bytes read, header included.
///
/// # Errors
///
/// Another header, or too few bytes.
pub fn decode_fixed<T: Fixed>(bytes: &[u8], order: SortOrder) -> Result<(T, usize), DecodeError> {
    let rest = header::expect(T::HEADER, bytes, order)?;
    let (value, len) = binary::decode_ordered(rest, order).map_err(|e| e.shifted(1))?;
    Ok((value, len + 1))
}

/// Appends the null that can stand for a value of any type: 05, which sorts before every value. A `Struct` omits its
/// trailing nulls.
pub fn encode_null(out: &mut Vec<u8>, order: SortOrder) {
    order.append(out, &[header::NULL]);
}

/// Reads what [`encode_null`] wrote and returns 1.
///
/// # Errors
///
/// Another header, or no byte.
pub fn decode_null(bytes: &[u8], order: SortOrder) -> Result<usize, DecodeError> {
    header::expect(header::NULL, bytes, order).map(|_| 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::DecodeFault;
    use SortOrder::{Ascending, Descending};

    #[test]
    fn a_header_of_another_type_is_refused_as_it_stands() {
        let int32 = [0x2b, 0x80, 0x00, 0x00, 0x01];
        let error = decode_fixed::<i64>(&int32, Ascending).unwrap_err();
        assert_eq!(error, DecodeError::new(0, DecodeFault::Header { found: 0x2b }));
        let error = decode_fixed::<i32>(&int32, Descending).unwrap_err();
        assert_eq!(error, DecodeError::new(0, DecodeFault::Header { found: 0x2b }));
        assert!(decode_null(&int32, Ascending).is_err());
    }

    #[test]
    fn a_value_cut_short_is_told_from_its_header() {
        let error = decode_fixed::<i32>(&[0x2b, 0x80], Ascending).unwrap_err();
        assert_eq!(error, DecodeError::new(2, DecodeFault::TooShort { missing: 3 }));
        assert!(decode_fixed::<i32>(&[], Ascending).is_err());
    }
}
