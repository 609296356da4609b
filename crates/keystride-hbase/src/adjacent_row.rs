//! Rows next to a row. Servers before HBase 1.4 ignore whether a range includes its ends: they always include the start
//! row and exclude the stop row, so ranges for them use neighbouring rows instead.

use bytes::{BufMut, Bytes, BytesMut};

/// The longest possible row.
const MAX_ROW_LEN: usize = i16::MAX as usize;
/// How many 0xff bytes to append at most, as Java's client does.
const FILLED: usize = 8;

/// The first row after this one. `None` after the longest row.
pub(crate) fn next_row(row: &[u8]) -> Option<Bytes> {
    if row.len() >= MAX_ROW_LEN {
        return None;
    }
    let mut next = BytesMut::with_capacity(row.len() + 1);
    next.put_slice(row);
    next.put_u8(0);
    Some(next.freeze())
}

/// A row close before this one; hardly any row fits between them. Empty if there is none.
pub(crate) fn closest_before(row: &[u8]) -> Bytes {
    let Some((&last, rest)) = row.split_last() else { return Bytes::new() };
    let mut before = BytesMut::with_capacity(row.len() + FILLED);
    before.put_slice(rest);
    if last > 0 {
        before.put_u8(last - 1);
        before.put_bytes(0xff, FILLED.min(MAX_ROW_LEN.saturating_sub(row.len())));
    }
    before.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_between_a_row_and_the_next_row() {
        assert_eq!(next_row(b"a").unwrap(), &b"a\0"[..]);
        assert_eq!(next_row(&vec![b'a'; MAX_ROW_LEN]), None);
    }

    #[test]
    fn hardly_a_row_is_between_a_row_and_the_one_closest_before_it() {
        assert_eq!(closest_before(b"ab"), &b"aa\xff\xff\xff\xff\xff\xff\xff\xff"[..]);
        assert_eq!(closest_before(b"a\0"), &b"a"[..]);
        assert_eq!(closest_before(b""), &b""[..]);
        assert_eq!(closest_before(&vec![b'b'; MAX_ROW_LEN]).len(), MAX_ROW_LEN);
    }
}
