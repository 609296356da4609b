use super::header;
use crate::key::{DecodeError, DecodeFault, EncodeError, SortOrder};

const END: u8 = 0x00;

/// Appends header 34, the UTF-8 of the text, and 00.
///
/// ```
/// # use keystride::key::{SortOrder, ordered_bytes};
/// let mut key = Vec::new();
/// ordered_bytes::encode_string(&mut key, "a", SortOrder::Ascending)?;
/// assert_eq!(key, [0x34, b'a', 0x00]);
/// # Ok::<(), keystride::key::EncodeError>(())
/// ```
///
/// # Errors
///
/// [`EncodeError::ZeroByte`] when the text contains U+0000.
pub fn encode_string(out: &mut Vec<u8>, value: &str, order: SortOrder) -> Result<(), EncodeError> {
    if let Some(at) = value.bytes().position(|byte| byte == END) {
        return Err(EncodeError::ZeroByte { at });
    }
    order.append(out, &[header::TEXT]);
    order.append(out, value.as_bytes());
    order.append(out, &[END]);
    Ok(())
}

/// Reads what [`encode_string`] wrote: appends its UTF-8 to `out` and returns the number of bytes read, header and
/// terminator included.
///
/// # Errors
///
/// Another header, no terminator, or text that is not UTF-8; `out` is then unchanged.
pub fn decode_string(bytes: &[u8], order: SortOrder, out: &mut Vec<u8>) -> Result<usize, DecodeError> {
    let rest = header::expect(header::TEXT, bytes, order)?;
    let len = rest.iter().position(|byte| byte ^ order.mask() == END);
    let len = len.ok_or(DecodeError::new(bytes.len(), DecodeFault::Unterminated))?;
    order.append_utf8(out, &rest[..len]).map_err(|e| e.shifted(1))?;
    Ok(1 + len + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use SortOrder::{Ascending, Descending};

    #[test]
    fn decoding_stops_behind_the_terminator() {
        let mut text = b"x".to_vec();
        assert_eq!(decode_string(b"\x34ab\0tail", Ascending, &mut text), Ok(4));
        assert_eq!(text, b"xab");
    }

    #[test]
    fn broken_strings_are_refused_where_they_break() {
        let mut text = Vec::new();
        let cut = decode_string(&[0xcb, 0x9e], Descending, &mut text);
        assert_eq!(cut, Err(DecodeError::new(2, DecodeFault::Unterminated)));
        let broken = decode_string(b"\x34a\xff\0", Ascending, &mut text);
        assert_eq!(broken, Err(DecodeError::new(2, DecodeFault::NotText)));
        assert!(text.is_empty());
    }
}
