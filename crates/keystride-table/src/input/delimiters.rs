//! Where a byte stands in a line of short fields.

/// Writes every place of `byte` in `line`, ascending, to the beginning of `found`; how many these are. What is behind
/// them in `found` may be overwritten.
///
/// Where fields are short, a search that begins anew after each place takes long, be it much wider, and so does a branch
/// for each place, as nobody can foretell it. So places come out of a mask of 64 bytes, [`AT_ONCE`] without a look.
///
/// # Panics
///
/// When `found` has no room for [`AT_ONCE`] more than are found.
#[inline]
pub(super) fn places(byte: u8, line: &[u8], found: &mut [usize]) -> usize {
    let pattern = u64::from_be_bytes([byte; 8]);
    let (blocks, rest) = line.as_chunks::<64>();
    let mut count = 0;
    for (index, block) in blocks.iter().enumerate() {
        count += write_places(mask(block, pattern), index * 64, &mut found[count..]);
    }
    if !rest.is_empty() {
        let mut block = [!byte; 64];
        block[..rest.len()].copy_from_slice(rest);
        count += write_places(mask(&block, pattern), line.len() - rest.len(), &mut found[count..]);
    }
    count
}

/// How many places are written before it is asked whether there are more.
pub(super) const AT_ONCE: usize = 8;

/// A bit for each byte that is the pattern's, the first the lowest.
#[inline]
fn mask(block: &[u8; 64], pattern: u64) -> u64 {
    let words = block.as_chunks::<8>().0.iter();
    words.rev().fold(0, |mask, word| mask << 8 | bits(zero_bytes(u64::from_be_bytes(*word) ^ pattern)))
}

/// The highest bit of each byte that is zero.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    const LOW_BITS: u64 = u64::from_be_bytes([0x7f; 8]);
    !(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS)
}

/// The highest bits of all bytes, the first, which is the highest, the lowest: one multiplication brings them together.
#[inline]
fn bits(highest: u64) -> u64 {
    (highest >> 7).wrapping_mul(0x8040_2010_0804_0201) >> 56
}

/// Writes the place of each bit to the beginning of `found`; how many these are.
#[inline]
fn write_places(mut mask: u64, start: usize, found: &mut [usize]) -> usize {
    let count = mask.count_ones() as usize;
    let mut at = 0;
    while at < count {
        let places: &mut [usize; AT_ONCE] =
            found[at..].first_chunk_mut().expect("the caller leaves room for places behind the last");
        for place in places {
            *place = start + mask.trailing_zeros() as usize;
            mask &= mask.wrapping_sub(1);
        }
        at += AT_ONCE;
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn places_are_those_of_a_plain_search(
            line in prop::collection::vec(prop_oneof![Just(b','), Just(b'-'), Just(0), Just(0x80), any::<u8>()], 0..200),
            byte in prop_oneof![Just(b','), Just(0), any::<u8>()],
        ) {
            let mut found = [0; 200 + AT_ONCE];
            let count = places(byte, &line, &mut found);
            prop_assert_eq!(&found[..count], memchr::memchr_iter(byte, &line).collect::<Vec<_>>());
        }
    }
}
