//! Eight decimal digits held in the bytes of one word.

/// `0` in every byte.
pub(crate) const ZEROS: u64 = u64::from_be_bytes([b'0'; 8]);

/// Converts eight ASCII digits to their values, each in its own byte; `None` if any byte is not a digit.
#[inline]
pub(crate) fn values(digits: u64) -> Option<u64> {
    // Adding six carries every value above 9 into the upper half of its byte.
    const SIXES: u64 = u64::from_be_bytes([6; 8]);
    const UPPER_HALVES: u64 = u64::from_be_bytes([0xf0; 8]);
    let values = digits ^ ZEROS;
    ((values | values.wrapping_add(SIXES)) & UPPER_HALVES == 0).then_some(values)
}

/// Splits four numbers below 100, 16 bits each, into their digits: the tens in the upper byte and the ones in the
/// lower.
///
/// A division by 10 is a multiplication and a shift, which is exact for numbers this small. The tens move up to a byte
/// of their own and are subtracted below: one multiplication does both.
#[inline]
pub(crate) fn of_pairs(pairs: u64) -> u64 {
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    pairs + tens * ((1 << 8) - 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_have_values() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                let mut text = *b"19283746";
                text[place] = byte;
                let expected = byte.is_ascii_digit().then(|| text.map(|byte| byte.wrapping_sub(b'0')));
                assert_eq!(values(u64::from_be_bytes(text)).map(u64::to_be_bytes), expected, "{text:?}");
            }
        }
    }

    #[test]
    fn every_pair_has_its_tens_and_ones() {
        for pair in 0..100_u8 {
            let [a, b] = [pair, 99 - pair];
            let pairs = u64::from_be_bytes([0, a, 0, b, 0, 0, 0, a]);
            assert_eq!(of_pairs(pairs).to_be_bytes(), [a / 10, a % 10, b / 10, b % 10, 0, 0, a / 10, a % 10]);
        }
    }
}
