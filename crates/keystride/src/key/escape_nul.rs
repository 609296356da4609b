//! Byte strings that may hold any bytes and keep their order anywhere in a key: each 00 becomes 00 FF, and 00 01 ends
//! the value.
//!
//! No encoded value is a prefix of another, so nothing that follows can change the order. It is `escape = true` of a
//! design; the descending form, with every byte complemented, is Phoenix's `VARBINARY_ENCODED` DESC with its separator.

use super::{DecodeError, DecodeFault, SortOrder};

const ESCAPED: u8 = 0xff;
const END: u8 = 0x01;

/// Appends the escaped value and its terminator.
///
/// ```
/// # use keystride::key::{SortOrder, escape_nul};
/// let mut key = Vec::new();
/// escape_nul::encode(&mut key, b"a\0b", SortOrder::Ascending);
/// assert_eq!(key, b"a\x00\xffb\x00\x01");
/// ```
pub fn encode(out: &mut Vec<u8>, value: &[u8], order: SortOrder) {
    let start = out.len();
    let mut rest = value;
    while let Some(zero) = rest.iter().position(|&byte| byte == 0) {
        out.extend_from_slice(&rest[..=zero]);
        out.push(ESCAPED);
        rest = &rest[zero + 1..];
    }
    out.extend_from_slice(rest);
    out.extend_from_slice(&[0x00, END]);
    order.apply(&mut out[start..]);
}

/// Reads what [`encode`] wrote: appends the value to `out` and returns the number of bytes read, terminator included.
///
/// # Errors
///
/// There is no terminator, or a 00 is followed by neither FF nor 01; `out` is then unchanged.
pub fn decode(bytes: &[u8], order: SortOrder, out: &mut Vec<u8>) -> Result<usize, DecodeError> {
    let start = out.len();
    let taken = unescape(bytes, order, out);
    match taken {
        Ok(_) => order.apply(&mut out[start..]),
        Err(_) => out.truncate(start),
    }
    taken
}

/// Appends the value without undoing the sort order.
fn unescape(bytes: &[u8], order: SortOrder, out: &mut Vec<u8>) -> Result<usize, DecodeError> {
    let mask = order.mask();
    let mut at = 0;
    loop {
        let zero = bytes[at..].iter().position(|byte| byte ^ mask == 0);
        let zero = at + zero.ok_or(DecodeError::new(bytes.len(), DecodeFault::Unterminated))?;
        let next = zero + 1;
        match bytes.get(next).map(|byte| byte ^ mask) {
            Some(ESCAPED) => out.extend_from_slice(&bytes[at..=zero]),
            Some(END) => {
                out.extend_from_slice(&bytes[at..zero]);
                return Ok(next + 1);
            }
            Some(_) => return Err(DecodeError::new(next, DecodeFault::BadEscape { found: bytes[next] })),
            None => return Err(DecodeError::new(next, DecodeFault::Unterminated)),
        }
        at = next + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SortOrder::{Ascending, Descending};

    #[test]
    fn zeros_are_escaped_and_the_value_ends_itself() {
        let mut out = Vec::new();
        encode(&mut out, b"\0\0\x01", Ascending);
        assert_eq!(out, [0, 0xff, 0, 0xff, 1, 0, 1]);
        out.clear();
        encode(&mut out, b"", Ascending);
        assert_eq!(out, [0, 1]);
    }

    #[test]
    fn the_descending_form_is_the_complement() {
        let mut out = Vec::new();
        encode(&mut out, b"a\0", Descending);
        assert_eq!(out, [0x9e, 0xff, 0x00, 0xff, 0xfe]);
    }

    #[test]
    fn decoding_stops_behind_the_terminator() {
        let mut value = b"x".to_vec();
        assert_eq!(decode(b"a\0\xff\0\x01tail", Ascending, &mut value), Ok(5));
        assert_eq!(value, b"xa\0");
    }

    #[test]
    fn broken_escapes_are_refused_where_they_stand() {
        let mut value = b"x".to_vec();
        let cut = decode(b"ab", Ascending, &mut value);
        assert_eq!(cut, Err(DecodeError::new(2, DecodeFault::Unterminated)));
        let half = decode(b"ab\0", Ascending, &mut value);
        assert_eq!(half, Err(DecodeError::new(3, DecodeFault::Unterminated)));
        let odd = decode(b"a\0\xff\0\x02", Ascending, &mut value);
        assert_eq!(odd, Err(DecodeError::new(4, DecodeFault::BadEscape { found: 2 })));
        assert_eq!(value, b"x", "a refused value leaves nothing behind");
    }
}
