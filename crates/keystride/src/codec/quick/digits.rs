//! Writes eight decimal digits at a time, as the bytes of one word.

use crate::digit_word::{self, ZEROS};

/// 10^8, the first number with more than eight digits.
pub(super) const EIGHT_DIGITS: u64 = 100_000_000;

/// The two digits of each number below 100.
const PAIRS: [[u8; 2]; 100] = pairs();

/// Returns the last `count` digits (1 to 8) of a number below 10^8, followed by unspecified bytes.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the count is 8 at most")]
pub(super) fn last_digits(value: u64, count: usize) -> [u8; 8] {
    (digits(value) | ZEROS).rotate_right(8 * count as u32).to_be_bytes()
}

/// Returns the shortest text of a number below 10^8, followed by unspecified bytes, and its length.
#[inline]
pub(super) fn shortest(value: u64) -> ([u8; 8], usize) {
    match usize::try_from(value).ok().and_then(|value| PAIRS.get(value)) {
        Some([_, ones]) if value < 10 => return ([*ones, 0, 0, 0, 0, 0, 0, 0], 1),
        Some([tens, ones]) => return ([*tens, *ones, 0, 0, 0, 0, 0, 0], 2),
        None => {}
    }
    let digits = digits(value);
    // The last digit is kept even when it is 0.
    let zero_bits = (digits | 1).leading_zeros() & !7;
    (((digits | ZEROS) << zero_bits).to_be_bytes(), 8 - zero_bits as usize / 8)
}

/// Returns the digits of a number below 10^8 as values from 0 to 9, the first in the highest byte.
///
/// The number is split into two halves of four digits, each of these into two of two digits, and those into single
/// digits; each step handles all its parts at once. A division by 100 is a multiplication and a shift, which is exact
/// for numbers of four digits. The quotient goes to the upper half and the remainder stays in the lower: one
/// multiplication adds the former and subtracts the latter.
#[inline]
fn digits(value: u64) -> u64 {
    let fours = value + (value / 10_000) * ((1 << 32) - 10_000);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = fours + hundreds * ((1 << 16) - 100);
    digit_word::of_pairs(twos)
}

const fn pairs() -> [[u8; 2]; 100] {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 1;
    while number < 100 {
        let [tens, ones] = pairs[number - 1];
        pairs[number] = if ones == b'9' { [tens + 1, b'0'] } else { [tens, ones + 1] };
        number += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_of_four_digits_is_split_exactly() {
        for four in 0..10_000_u64 {
            let text = format!("{four:04}{:04}", 9_999 - four);
            assert_eq!(last_digits(four * 10_000 + 9_999 - four, 8), text.as_bytes());
        }
    }

    #[test]
    fn the_shortest_text_starts_with_the_first_digit_that_counts() {
        let powers = (0..8).map(|power| 10_u64.pow(power));
        for value in powers.flat_map(|power| [power - 1, power, power * 7]).filter(|n| *n < EIGHT_DIGITS) {
            let (text, len) = shortest(value);
            assert_eq!(text[..len], *value.to_string().as_bytes());
        }
    }

    #[test]
    fn the_last_digits_are_those_of_a_padded_number() {
        for count in 1..=8 {
            assert_eq!(last_digits(12_345_678, count)[..count], b"12345678"[8 - count..]);
        }
    }
}
