use md5::block_api::compress;

/// MD5, 16 bytes.
///
/// ```
/// assert_eq!(keystride::hash::md5(b"abc")[..4], [0x90, 0x01, 0x50, 0x98]);
/// ```
pub fn md5(bytes: &[u8]) -> [u8; 16] {
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let (blocks, tail) = bytes.as_chunks::<64>();
    compress(&mut state, blocks);
    compress_tail(&mut state, tail, bytes.len());
    let mut digest = [0; 16];
    for (word, place) in state.iter().zip(digest.as_chunks_mut::<4>().0) {
        *place = word.to_le_bytes();
    }
    digest
}

/// The last bytes, fewer than a block, a set bit, zeros, and how many bits there are in all: a block, or two.
#[expect(clippy::little_endian_bytes, reason = "MD5 counts its bits little-endian")]
fn compress_tail(state: &mut [u32; 4], tail: &[u8], len: usize) {
    let bit_count = (len as u64).wrapping_mul(8).to_le_bytes();
    let mut last = [[0; 64]; 2];
    last[0][..tail.len()].copy_from_slice(tail);
    last[0][tail.len()] = 0x80;
    let block_count = if tail.len() < 56 { 1 } else { 2 };
    last[block_count - 1][56..].copy_from_slice(&bit_count);
    compress(state, &last[..block_count]);
}

/// CRC-32 as zip and `java.util.zip.CRC32` have it (IEEE polynomial, reflected).
///
/// ```
/// assert_eq!(keystride::hash::crc32(b"abc"), 0x3524_41c2);
/// ```
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// XXH3, 64 bits, seed 0.
///
/// ```
/// assert_eq!(keystride::hash::xxh3_64(b"abc"), 0x78af_5f94_892f_3950);
/// ```
pub fn xxh3_64(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// XXH3, 64 bits, with a seed.
pub fn xxh3_64_with_seed(bytes: &[u8], seed: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(bytes, seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use md5::{Digest, Md5};

    #[test]
    fn md5_of_every_length_around_its_blocks_is_that_of_its_crate() {
        let bytes: Vec<u8> = (0..=255).collect();
        for len in 0..=bytes.len() {
            assert_eq!(md5(&bytes[..len])[..], Md5::digest(&bytes[..len])[..], "{len} bytes");
        }
    }
}
