//! Where a byte stands in a line of short fields.

/// Gives every place of `byte` in `line`, ascending, to `found`.
///
/// Eight bytes are looked at together. A search that begins anew after each place, be it much wider, takes longer where
/// fields have ten bytes or fewer.
#[inline]
pub(super) fn each_place(byte: u8, line: &[u8], mut found: impl FnMut(usize)) {
    let pattern = u64::from_be_bytes([byte; 8]);
    let (words, rest) = line.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let mut marks = zero_bytes(u64::from_be_bytes(*word) ^ pattern);
        while marks != 0 {
            let first = marks.leading_zeros();
            found(index * 8 + first as usize / 8);
            marks ^= HIGHEST_BIT >> first;
        }
    }
    let start = line.len() - rest.len();
    for (at, _) in rest.iter().enumerate().filter(|(_, one)| **one == byte) {
        found(start + at);
    }
}

const HIGHEST_BIT: u64 = 1 << 63;

/// The highest bit of each byte that is zero.
fn zero_bytes(word: u64) -> u64 {
    const LOW_BITS: u64 = u64::from_be_bytes([0x7f; 8]);
    !(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn places_are_those_of_a_plain_search(
            line in prop::collection::vec(prop_oneof![Just(b','), Just(b'-'), Just(0), Just(0x80), any::<u8>()], 0..40),
            byte in prop_oneof![Just(b','), Just(0), any::<u8>()],
        ) {
            let mut places = Vec::new();
            each_place(byte, &line, |at| places.push(at));
            prop_assert_eq!(places, memchr::memchr_iter(byte, &line).collect::<Vec<_>>());
        }
    }
}
