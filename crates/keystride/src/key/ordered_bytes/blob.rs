use super::header;
use crate::key::{DecodeError, DecodeFault, EncodeError, SortOrder};

const END: u8 = 0x00;

/// Appends header 38 and the bytes as they are, `encodeBlobCopy`. In ascending order nothing marks their end, so they
/// must come last in a key; in descending order a terminator follows, and the bytes must not contain 00.
///
/// ```
/// # use keystride::key::{SortOrder, ordered_bytes};
/// let mut key = Vec::new();
/// ordered_bytes::encode_blob_copy(&mut key, b"a", SortOrder::Descending)?;
/// assert_eq!(key, [0xc7, 0x9e, 0xff]);
/// # Ok::<(), keystride::key::EncodeError>(())
/// ```
///
/// # Errors
///
/// [`EncodeError::ZeroByte`] in descending order.
pub fn encode_blob_copy(out: &mut Vec<u8>, value: &[u8], order: SortOrder) -> Result<(), EncodeError> {
    if order == SortOrder::Ascending {
        out.push(header::BLOB_COPY);
        out.extend_from_slice(value);
        return Ok(());
    }
    if let Some(at) = value.iter().position(|&byte| byte == END) {
        return Err(EncodeError::ZeroByte { at });
    }
    order.append(out, &[header::BLOB_COPY]);
    order.append(out, value);
    order.append(out, &[END]);
    Ok(())
}

/// Reads what [`encode_blob_copy`] wrote: appends the value to `out` and returns the number of bytes read, which in
/// ascending order is all of them.
///
/// # Errors
///
/// Another header or, in descending order, no terminator; `out` is then unchanged.
pub fn decode_blob_copy(bytes: &[u8], order: SortOrder, out: &mut Vec<u8>) -> Result<usize, DecodeError> {
    let rest = header::expect(header::BLOB_COPY, bytes, order)?;
    if order == SortOrder::Ascending {
        out.extend_from_slice(rest);
        return Ok(bytes.len());
    }
    let len = rest.iter().position(|byte| byte ^ order.mask() == END);
    let len = len.ok_or(DecodeError::new(bytes.len(), DecodeFault::Unterminated))?;
    order.append(out, &rest[..len]);
    Ok(1 + len + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use SortOrder::{Ascending, Descending};

    #[test]
    fn an_ascending_blob_takes_all_that_follows() {
        let mut value = Vec::new();
        assert_eq!(decode_blob_copy(b"\x38a\0b", Ascending, &mut value), Ok(4));
        assert_eq!(value, b"a\0b");
    }

    #[test]
    fn a_descending_blob_ends_itself() {
        let mut value = Vec::new();
        assert_eq!(decode_blob_copy(&[0xc7, 0x9e, 0xff, 0x01], Descending, &mut value), Ok(3));
        assert_eq!(value, b"a");
        let cut = decode_blob_copy(&[0xc7, 0x9e], Descending, &mut value);
        assert_eq!(cut, Err(DecodeError::new(2, DecodeFault::Unterminated)));
    }
}
