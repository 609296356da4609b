//! The byte before each value: it denotes the type, and sorts null before numbers and numbers before text.

use crate::key::{DecodeError, DecodeFault, SortOrder};

pub(super) const NULL: u8 = 0x05;
pub(super) const NEGATIVE_INFINITY: u8 = 0x07;
pub(super) const NEGATIVE_LARGE: u8 = 0x08;
/// 0x13 minus an exponent of 1 to 10.
pub(super) const NEGATIVE_MEDIUM: u8 = 0x13;
pub(super) const NEGATIVE_SMALL: u8 = 0x14;
pub(super) const ZERO: u8 = 0x15;
pub(super) const POSITIVE_SMALL: u8 = 0x16;
/// 0x17 plus an exponent of 1 to 10.
pub(super) const POSITIVE_MEDIUM: u8 = 0x17;
pub(super) const POSITIVE_LARGE: u8 = 0x22;
pub(super) const POSITIVE_INFINITY: u8 = 0x23;
pub(super) const NAN: u8 = 0x26;
pub(super) const INT8: u8 = 0x29;
pub(super) const INT16: u8 = 0x2a;
pub(super) const INT32: u8 = 0x2b;
pub(super) const INT64: u8 = 0x2c;
pub(super) const FLOAT32: u8 = 0x30;
pub(super) const FLOAT64: u8 = 0x31;
pub(crate) const TEXT: u8 = 0x34;
pub(crate) const BLOB_COPY: u8 = 0x38;

/// Returns the header in ascending form, and the bytes that follow it.
pub(super) fn split(bytes: &[u8], order: SortOrder) -> Result<(u8, &[u8]), DecodeError> {
    let (&header, rest) = bytes.split_first().ok_or(DecodeError::too_short(0, 1))?;
    Ok((header ^ order.mask(), rest))
}

/// Checks the header and returns the bytes that follow it.
pub(super) fn expect(header: u8, bytes: &[u8], order: SortOrder) -> Result<&[u8], DecodeError> {
    match split(bytes, order)? {
        (found, rest) if found == header => Ok(rest),
        (found, _) => Err(unknown(found, order)),
    }
}

/// Returns the error for a header, given in ascending form, that is not one of the type.
pub(super) fn unknown(header: u8, order: SortOrder) -> DecodeError {
    DecodeError::new(0, DecodeFault::Header { found: header ^ order.mask() })
}
