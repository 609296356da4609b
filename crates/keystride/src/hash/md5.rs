//! MD5.

use md5::block_api::compress;

/// Returns the MD5 of a message, 16 bytes.
///
/// ```
/// assert_eq!(keystride::hash::md5(b"abc")[..4], [0x90, 0x01, 0x50, 0x98]);
/// ```
pub fn md5(message: &[u8]) -> [u8; 16] {
    let mut state = START;
    let (blocks, tail) = message.as_chunks();
    compress(&mut state, blocks);
    let mut last = [[0; 64]; 2];
    let last = &mut last[..last_blocks(tail.len())];
    pad(tail, message.len(), last);
    compress(&mut state, last);
    digest(state)
}

const START: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// The size of the bit count at the end of the last block, in bytes.
const COUNT_BYTES: usize = 8;

/// Returns how many blocks are filled by the last `tail_len` bytes of a message, the byte after it and the bit count.
fn last_blocks(tail_len: usize) -> usize {
    (tail_len + 1 + COUNT_BYTES).div_ceil(64)
}

/// Writes the end of a message of `len` bytes into its last blocks, which are all zeros: the remaining bytes, a set
/// bit, and the length of the message in bits.
#[expect(clippy::little_endian_bytes, reason = "MD5 counts its bits little-endian")]
fn pad(tail: &[u8], len: usize, blocks: &mut [[u8; 64]]) {
    let bytes = blocks.as_flattened_mut();
    bytes[..tail.len()].copy_from_slice(tail);
    bytes[tail.len()] = 0x80;
    let count_at = bytes.len() - COUNT_BYTES;
    bytes[count_at..].copy_from_slice(&(len as u64).wrapping_mul(8).to_le_bytes());
}

fn digest(state: [u32; 4]) -> [u8; 16] {
    let mut digest = [0; 16];
    for (word, place) in state.iter().zip(digest.as_chunks_mut::<4>().0) {
        *place = word.to_le_bytes();
    }
    digest
}

#[cfg(test)]
mod tests {
    use md5::{Digest, Md5};

    use super::*;

    #[test]
    fn md5_of_every_length_around_its_blocks_is_that_of_its_crate() {
        let bytes: Vec<u8> = (0..=255).collect();
        for len in 0..=bytes.len() {
            assert_eq!(md5(&bytes[..len])[..], Md5::digest(&bytes[..len])[..], "{len} bytes");
        }
    }
}
