//! Phoenix's texts and byte strings.

use crate::key::{DecodeError, DecodeFault, EncodeError, SortOrder};

const BLANK: u8 = b' ';

/// Appends a VARCHAR: its UTF-8, without the separator that follows it in a key.
///
/// ```
/// # use keystride::key::{SortOrder, phoenix};
/// let mut key = Vec::new();
/// phoenix::encode_varchar(&mut key, "ab", SortOrder::Descending)?;
/// assert_eq!(key, [0x9e, 0x9d]);
/// # Ok::<(), keystride::key::EncodeError>(())
/// ```
///
/// # Errors
///
/// [`EncodeError::ZeroByte`]: 00 is Phoenix's separator.
pub fn encode_varchar(out: &mut Vec<u8>, value: &str, order: SortOrder) -> Result<(), EncodeError> {
    if let Some(at) = value.bytes().position(|byte| byte == 0) {
        return Err(EncodeError::ZeroByte { at });
    }
    order.append(out, value.as_bytes());
    Ok(())
}

/// Reads all of `bytes` as a VARCHAR and appends its UTF-8 to `out`; returns their number.
///
/// # Errors
///
/// There is a zero byte, or the text is not UTF-8; `out` is then unchanged.
pub fn decode_varchar(bytes: &[u8], order: SortOrder, out: &mut Vec<u8>) -> Result<usize, DecodeError> {
    if let Some(at) = bytes.iter().position(|byte| byte ^ order.mask() == 0) {
        return Err(DecodeError::new(at, DecodeFault::ZeroByte));
    }
    order.append_utf8(out, bytes)?;
    Ok(bytes.len())
}

/// Appends a VARBINARY: the bytes as they are. Nothing marks their end, so only the last column of a key can be one.
pub fn encode_varbinary(out: &mut Vec<u8>, value: &[u8], order: SortOrder) {
    order.append(out, value);
}

/// Reads all of `bytes` as a VARBINARY and appends it to `out`; returns their number.
pub fn decode_varbinary(bytes: &[u8], order: SortOrder, out: &mut Vec<u8>) -> usize {
    order.append(out, bytes);
    bytes.len()
}

/// Appends a CHAR(`width`): ASCII, padded to the width with blanks on the right.
///
/// # Errors
///
/// The value is longer than the width, is not ASCII, or ends with a blank: Phoenix accepts a trailing blank but does
/// not return it.
pub fn encode_char(
    out: &mut Vec<u8>,
    value: &str,
    width: usize,
    order: SortOrder,
) -> Result<(), EncodeError> {
    if let Some(at) = value.bytes().position(|byte| !byte.is_ascii()) {
        return Err(EncodeError::NotAscii { at });
    }
    if value.len() > width {
        return Err(EncodeError::TooLong { len: value.len(), width });
    }
    if value.ends_with(char::from(BLANK)) {
        return Err(EncodeError::TrailingBlank);
    }
    let start = out.len();
    out.extend_from_slice(value.as_bytes());
    out.resize(start + width, BLANK);
    order.apply(&mut out[start..]);
    Ok(())
}

/// Reads a CHAR(`width`) from the front of `bytes`, appends it to `out` without its padding, and returns `width`.
///
/// # Errors
///
/// There are too few bytes, or they are not ASCII; `out` is then unchanged.
pub fn decode_char(
    bytes: &[u8],
    width: usize,
    order: SortOrder,
    out: &mut Vec<u8>,
) -> Result<usize, DecodeError> {
    let mask = order.mask();
    let padded = bytes.get(..width).ok_or(DecodeError::too_short(bytes.len(), width))?;
    let len = padded.iter().rposition(|byte| byte ^ mask != BLANK).map_or(0, |last| last + 1);
    if let Some(at) = padded.iter().position(|byte| !(byte ^ mask).is_ascii()) {
        return Err(DecodeError::new(at, DecodeFault::NotText));
    }
    order.append(out, &padded[..len]);
    Ok(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use SortOrder::{Ascending, Descending};

    #[test]
    fn a_varchar_holds_no_separator() {
        let mut out = Vec::new();
        let refused = encode_varchar(&mut out, "a\0b", Descending);
        assert_eq!(refused, Err(EncodeError::ZeroByte { at: 1 }));
        assert!(out.is_empty());
        let mut text = Vec::new();
        let zero = decode_varchar(&[0x9e, 0xff], Descending, &mut text).unwrap_err();
        assert_eq!(zero, DecodeError::new(1, DecodeFault::ZeroByte));
        let broken = decode_varchar(&[b'a', 0xc3], Ascending, &mut text).unwrap_err();
        assert_eq!(broken, DecodeError::new(1, DecodeFault::NotText));
        assert!(text.is_empty());
    }

    #[test]
    fn a_char_takes_what_its_padding_keeps() {
        let mut out = Vec::new();
        let mut refusal = |value| encode_char(&mut out, value, 4, Ascending).unwrap_err();
        assert_eq!(refusal("abcde"), EncodeError::TooLong { len: 5, width: 4 });
        assert_eq!(refusal("aé"), EncodeError::NotAscii { at: 1 });
        assert_eq!(refusal("ab "), EncodeError::TrailingBlank);
        assert!(out.is_empty());
    }

    #[test]
    fn a_char_is_read_without_its_padding() {
        let mut text = Vec::new();
        assert_eq!(decode_char(b"a b tail", 4, Ascending, &mut text), Ok(4));
        assert_eq!(text, b"a b");
        assert!(decode_char(b"abc", 4, Ascending, &mut text).is_err());
        assert!(decode_char(b"ab\xffc", 4, Ascending, &mut text).is_err());
        assert_eq!(text, b"a b");
    }
}
