//! Rows beside a row, in HBase's order: for ranges that say whether their ends belong to them to servers before
//! HBase 1.4, which do not read the words for it and take each range to begin with its start and to end before its stop.

use bytes::{BufMut, Bytes, BytesMut};

/// The longest row there is.
const MAX_ROW_LEN: usize = i16::MAX as usize;
/// How much of what can stand before a row is filled up, as Java's client does it.
const FILLED: usize = 8;

/// The first row behind this one; none behind the longest.
pub(crate) fn behind(row: &[u8]) -> Option<Bytes> {
    if row.len() >= MAX_ROW_LEN {
        return None;
    }
    let mut behind = BytesMut::with_capacity(row.len() + 1);
    behind.put_slice(row);
    behind.put_u8(0);
    Some(behind.freeze())
}

/// A row before this one with hardly any room between them; empty where there is none before it.
pub(crate) fn shortly_before(row: &[u8]) -> Bytes {
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
    fn no_row_is_between_a_row_and_the_one_behind_it() {
        assert_eq!(behind(b"a").unwrap(), &b"a\0"[..]);
        assert_eq!(behind(&vec![b'a'; MAX_ROW_LEN]), None);
    }

    #[test]
    fn hardly_a_row_is_between_a_row_and_the_one_shortly_before_it() {
        assert_eq!(shortly_before(b"ab"), &b"aa\xff\xff\xff\xff\xff\xff\xff\xff"[..]);
        assert_eq!(shortly_before(b"a\0"), &b"a"[..]);
        assert_eq!(shortly_before(b""), &b""[..]);
        assert_eq!(shortly_before(&vec![b'b'; MAX_ROW_LEN]).len(), MAX_ROW_LEN);
    }
}
