//! Reads short whole numbers, which most are, without a loop.

use crate::digit_word::{self, ZEROS};

/// The number of digits that fit a word.
const MOST_DIGITS: usize = 8;

/// Reads the first `len` bytes of `bytes` as a number of up to eight decimal digits with an optional minus sign. `None`
/// for anything else, and when fewer than eight bytes follow the sign.
#[inline]
#[expect(clippy::little_endian_bytes, reason = "the first digit, which counts most, is the lowest byte")]
pub(super) fn read(bytes: &[u8], len: usize) -> Option<i64> {
    let is_negative = bytes.first() == Some(&b'-');
    let signs = usize::from(is_negative);
    let digits = len.checked_sub(signs).filter(|digits| (1..=MOST_DIGITS).contains(digits))?;
    let word = u64::from_le_bytes(*bytes.get(signs..)?.first_chunk()?);
    // Shifts out the bytes after the digits, and fills up with zeros before them.
    let behind = 8 * (MOST_DIGITS - digits);
    let number = number_of(word << behind | !(u64::MAX << behind) & ZEROS)?;
    Some(if is_negative { -number } else { number })
}

/// Returns the number of eight digits: combines digits into pairs, pairs into fours, and the fours, all in parallel.
#[inline]
fn number_of(digits: u64) -> Option<i64> {
    let values = digit_word::values(digits)?;
    let pairs = (values.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
    i64::try_from(fours.wrapping_mul(10_000 << 32 | 1) >> 32).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_of_every_length_are_read() {
        for (text, expected) in
            [("0", 0), ("7", 7), ("-7", -7), ("007", 7), ("-0", 0), ("12345678", 12_345_678)]
        {
            assert_eq!(read(format!("{text},-9999999").as_bytes(), text.len()), Some(expected), "{text}");
        }
        assert_eq!(read(b"-99999999........", 9), Some(-99_999_999));
        assert_eq!(read(b"1", 1), None, "fewer than eight bytes");
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_the_standard_library_reads(
            text in prop_oneof!["-?[0-9]{0,8}", "[-+0-9a:/ ]{0,9}", "[ -~]{0,9}"],
            behind in "[ -~]{8}",
        ) {
            let record = format!("{text}{behind}");
            let read = read(record.as_bytes(), text.len());
            let is_short = text.strip_prefix('-').unwrap_or(&text).len() <= MOST_DIGITS;
            let expected = text.parse().ok().filter(|_| is_short && !text.starts_with('+'));
            prop_assert_eq!(read, expected, "{}", record);
        }
    }
}
