const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// Returns `MurmurHash3` `x64_128` with seed 0: the words h1 and h2, each little-endian, as in Guava.
///
/// ```
/// assert_eq!(keystride::hash::murmur3_x64_128(b"abc")[..4], [0x67, 0x78, 0xad, 0x3f]);
/// ```
pub fn murmur3_x64_128(bytes: &[u8]) -> [u8; 16] {
    murmur3_x64_128_with_seed(bytes, 0)
}

/// Returns `MurmurHash3` `x64_128` with both words initialised to `seed`.
///
/// The reference code takes an unsigned 32-bit seed; Guava sign-extends its `int`, so its seed −1 is `u64::MAX` here.
#[expect(clippy::little_endian_bytes, reason = "MurmurHash3 reads and gives its words little-endian")]
pub fn murmur3_x64_128_with_seed(bytes: &[u8], seed: u64) -> [u8; 16] {
    let (h1, h2) = words(bytes, seed);
    (u128::from(h2) << 64 | u128::from(h1)).to_le_bytes()
}

/// Returns h1 and h2 of Austin Appleby's public-domain algorithm.
pub(super) fn words(bytes: &[u8], seed: u64) -> (u64, u64) {
    let (blocks, tail) = bytes.as_chunks::<16>();
    let (mut h1, mut h2) = (seed, seed);
    for block in blocks {
        let (k1, k2) = block_words(block);
        h1 = (h1 ^ scramble_first(k1)).rotate_left(27).wrapping_add(h2);
        h1 = h1.wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 = (h2 ^ scramble_second(k2)).rotate_left(31).wrapping_add(h1);
        h2 = h2.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    // A word of zeros mixes to zero, so padding the tail gives the same result as the byte-by-byte tail of the
    // reference.
    let mut last = [0; 16];
    last[..tail.len()].copy_from_slice(tail);
    let (k1, k2) = block_words(&last);
    finish(h1 ^ scramble_first(k1), h2 ^ scramble_second(k2), bytes.len() as u64)
}

fn finish(mut h1: u64, mut h2: u64, len: u64) -> (u64, u64) {
    h1 ^= len;
    h2 ^= len;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = mix(h1);
    h2 = mix(h2);
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    (h1, h2)
}

#[expect(clippy::little_endian_bytes, reason = "MurmurHash3 reads and gives its words little-endian")]
fn block_words(block: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*block);
    #[expect(clippy::cast_possible_truncation, reason = "the low half is the first word")]
    let first = both as u64;
    (first, (both >> 64) as u64)
}

fn scramble_first(k1: u64) -> u64 {
    k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn scramble_second(k2: u64) -> u64 {
    k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

/// The 64-bit finaliser: every input bit reaches every output bit.
fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hashes_to_zero_under_seed_0() {
        assert_eq!(murmur3_x64_128(b""), [0; 16]);
        assert_ne!(murmur3_x64_128_with_seed(b"", 1), [0; 16]);
    }

    #[test]
    fn trailing_zero_bytes_count() {
        assert_ne!(murmur3_x64_128(b"a"), murmur3_x64_128(b"a\0"));
        assert_ne!(murmur3_x64_128(&[0; 15]), murmur3_x64_128(&[0; 16]));
    }
}
