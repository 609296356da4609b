//! Order-preserving encoding of row keys as the first part of an engine key, whatever follows.
//!
//! A row key may be a prefix of another one, and an engine key continues after it, so its end must be marked by bytes
//! that sort before any possible continuation. Only zero bytes can be confused with such a terminator. The common
//! solution of escaping every zero byte with a second byte would expand the longest key of zeros to 65,536 bytes,
//! which exceeds the engine's limit. Here **runs** of zeros are encoded instead; all other bytes represent
//! themselves.
//!
//! | After 00 | means | sorts |
//! |---|---|---|
//! | *n*, 00 to 7E | the key ends after *n* zeros | by length |
//! | 7F, then *n* as two bytes | the key ends after *n* zeros, 127 or more | by length |
//! | 80, then FFFF − *n* as two bytes | *n* zeros, 128 or more, and the key goes on | longest run first |
//! | 100 − *n*, 81 to FF | *n* zeros, 1 to 127, and the key goes on | longest run first |
//!
//! A run that ends the key sorts before one that is followed by other bytes, and both sort before a non-zero byte,
//! which is the order of the keys. No code is a prefix of another. The code of a key without zeros is two bytes
//! longer than the key, that of 32,767 zeros has four bytes in all, and in the worst case, every other byte being
//! zero, the longest key takes 49,151 bytes.
//!
//! | Key | Code |
//! |---|---|
//! | `61` | `61 00 00` |
//! | `61 00` | `61 00 01` |
//! | `61 00 62` | `61 00 FF 62 00 00` |
//! | `61 00 00 62` | `61 00 FE 62 00 00` |

use keystride::MAX_KEY_LEN;

use crate::StoreError;

const LONG_END: u8 = 0x7f;
const LONG_RUN: u8 = 0x80;

/// Longest run of zeros at the end of a key that fits the code byte.
const SHORT_END_MAX: usize = 0x7e;
/// Longest run of zeros inside a key that fits the code byte.
const SHORT_RUN_MAX: usize = 0x7f;

/// Appends the code of `row`.
///
/// Bytes after the first 32,768 are ignored: range bounds may be that long, but as no row key is, this does not
/// change which rows a range contains.
pub(super) fn encode(row: &[u8], code: &mut Vec<u8>) {
    let mut rest = &row[..row.len().min(MAX_KEY_LEN + 1)];
    loop {
        let plain = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        code.extend_from_slice(&rest[..plain]);
        rest = &rest[plain..];
        let zeros = rest.iter().position(|&byte| byte != 0).unwrap_or(rest.len());
        rest = &rest[zeros..];
        if rest.is_empty() {
            return encode_end(zeros, code);
        }
        encode_run(zeros, code);
    }
}

/// Decodes `code`, which must be a complete code, into `row`.
pub(super) fn decode(code: &[u8], row: &mut Vec<u8>) -> Result<(), StoreError> {
    const DAMAGED: StoreError = StoreError::Damaged { what: "a row key" };
    row.clear();
    let mut rest = code;
    loop {
        let plain = rest.iter().position(|&byte| byte == 0).ok_or(DAMAGED)?;
        row.extend_from_slice(&rest[..plain]);
        let (zeros, is_end, after) = decode_run(&rest[plain + 1..]).ok_or(DAMAGED)?;
        row.resize(row.len() + zeros, 0);
        rest = after;
        match (is_end, rest.is_empty()) {
            (true, true) => return Ok(()),
            (true, false) | (false, true) => return Err(DAMAGED),
            (false, false) => {}
        }
    }
}

fn encode_end(zeros: usize, code: &mut Vec<u8>) {
    match u8::try_from(zeros) {
        Ok(short) if zeros <= SHORT_END_MAX => code.extend_from_slice(&[0, short]),
        _ => {
            code.extend_from_slice(&[0, LONG_END]);
            code.extend_from_slice(&two_bytes(zeros).to_be_bytes());
        }
    }
}

fn encode_run(zeros: usize, code: &mut Vec<u8>) {
    match u8::try_from(zeros) {
        Ok(short) if zeros <= SHORT_RUN_MAX => code.extend_from_slice(&[0, short.wrapping_neg()]),
        _ => {
            code.extend_from_slice(&[0, LONG_RUN]);
            code.extend_from_slice(&(u16::MAX - two_bytes(zeros)).to_be_bytes());
        }
    }
}

/// Returns the length of a run, whether the key ends with it, and what follows the code of the run.
fn decode_run(code: &[u8]) -> Option<(usize, bool, &[u8])> {
    let (&first, rest) = code.split_first()?;
    match first {
        ..LONG_END => Some((usize::from(first), true, rest)),
        LONG_END | LONG_RUN => {
            let (length, rest) = rest.split_first_chunk()?;
            let length = u16::from_be_bytes(*length);
            let is_end = first == LONG_END;
            Some((usize::from(if is_end { length } else { u16::MAX - length }), is_end, rest))
        }
        _ => Some((usize::from(first.wrapping_neg()), false, rest)),
    }
}

fn two_bytes(zeros: usize) -> u16 {
    u16::try_from(zeros).expect("encode looks at 32,768 bytes at most")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code_of(row: &[u8]) -> Vec<u8> {
        let mut code = Vec::new();
        encode(row, &mut code);
        code
    }

    fn row_of(code: &[u8]) -> Vec<u8> {
        let mut row = Vec::new();
        decode(code, &mut row).unwrap();
        row
    }

    #[test]
    fn the_codes_of_the_table_above_are_made() {
        assert_eq!(code_of(b"a"), b"a\x00\x00");
        assert_eq!(code_of(b"a\0"), b"a\x00\x01");
        assert_eq!(code_of(b"a\0b"), b"a\x00\xffb\x00\x00");
        assert_eq!(code_of(b"a\0\0b"), b"a\x00\xfeb\x00\x00");
        assert_eq!(code_of(&[0; 126]), b"\x00\x7e");
        assert_eq!(code_of(&[0; 127]), b"\x00\x7f\x00\x7f");
        assert_eq!(code_of(&[[0; 127].as_slice(), b"b"].concat()), b"\x00\x81b\x00\x00");
        assert_eq!(code_of(&[[0; 128].as_slice(), b"b"].concat()), b"\x00\x80\xff\x7fb\x00\x00");
    }

    #[test]
    fn the_longest_keys_stay_below_what_the_engine_takes() {
        assert_eq!(code_of(&vec![0; MAX_KEY_LEN]).len(), 4);
        let worst: Vec<u8> = (0..MAX_KEY_LEN).map(|at| u8::from(at % 2 == 1)).collect();
        assert_eq!(code_of(&worst).len(), 49_151);
        assert_eq!(row_of(&code_of(&worst)), worst);
    }

    #[test]
    fn a_bound_right_after_the_longest_key_stays_after_it() {
        let longest = vec![b'k'; MAX_KEY_LEN];
        let bound = [longest.as_slice(), b"\0"].concat();
        assert!(code_of(&bound) > code_of(&longest));
        assert_eq!(code_of(&[bound.as_slice(), b"more"].concat()), code_of(&bound));
    }

    #[test]
    fn damaged_codes_are_refused() {
        for code in [&b""[..], b"a", b"a\x00", b"a\x00\x00b", b"a\x00\xff", b"\x00\x7f\x00", b"\x00\x80\x00"]
        {
            assert!(decode(code, &mut Vec::new()).is_err(), "{code:?}");
        }
    }

    fn rows() -> impl Strategy<Value = Vec<u8>> {
        let pieces = prop_oneof![
            4 => (0_usize..4).prop_map(|zeros| vec![0; zeros]),
            1 => (120_usize..140).prop_map(|zeros| vec![0; zeros]),
            4 => prop::collection::vec(prop_oneof![Just(1), Just(0x7f), Just(0xff)], 0..3),
        ];
        prop::collection::vec(pieces, 0..5).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn codes_sort_as_their_keys_and_decode_to_them(a in rows(), b in rows()) {
            prop_assert_eq!(code_of(&a).cmp(&code_of(&b)), a.cmp(&b));
            prop_assert_eq!(row_of(&code_of(&a)), a);
        }

        #[test]
        fn no_code_begins_another(a in rows(), b in rows()) {
            prop_assert!(a == b || !code_of(&b).starts_with(&code_of(&a)));
        }
    }
}
