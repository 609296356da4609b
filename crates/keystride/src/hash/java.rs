//! Java's hashes and the ways Java code reduces them to a bucket, with their 32-bit wrap-around and the one hash whose
//! `abs` is negative.

use super::{BucketCount, Placement};

/// Returns `String.hashCode` of UTF-16 units.
///
/// ```
/// # use keystride::hash::java;
/// assert_eq!(java::string_hash_code("abc".encode_utf16()), 96_354);
/// ```
pub fn string_hash_code(units: impl IntoIterator<Item = u16>) -> i32 {
    units.into_iter().fold(0, |hash, unit| step(hash, i32::from(unit)))
}

/// Returns the `String.hashCode` of preceding texts, whose hash is `hash`, and this one.
pub(super) fn continued_hash_code(hash: i32, text: &str) -> i32 {
    let utf16 = || text.encode_utf16().fold(hash, |hash, unit| step(hash, unit.into()));
    ascii_hash_code(hash, text.as_bytes()).unwrap_or_else(utf16)
}

/// Like [`continued_hash_code`] for a text that is all ASCII; `None` for any other.
#[inline]
pub(crate) fn ascii_hash_code(hash: i32, text: &[u8]) -> Option<i32> {
    if text.len() > 8 {
        return long_ascii_hash_code(hash, text);
    }
    let before = hash.cast_unsigned().wrapping_mul(POWERS[text.len()]).cast_signed();
    Some(before.wrapping_add(word_hash_code(word_of(text))?))
}

#[inline(never)]
fn long_ascii_hash_code(hash: i32, text: &[u8]) -> Option<i32> {
    let (words, rest) = text.as_chunks::<8>();
    let hash = words.iter().try_fold(hash, |hash, word| ascii_hash_code(hash, word))?;
    ascii_hash_code(hash, rest)
}

/// The high bit of every byte.
const NOT_ASCII: u64 = 0x8080_8080_8080_8080;

/// 31 to the power of 0 to 8, in 32 bits.
const POWERS: [u32; 9] = powers();

/// Returns up to eight bytes as a word, right-aligned with the last byte lowest; the zeros before them add nothing to a
/// hash.
#[inline]
fn word_of(text: &[u8]) -> u64 {
    match (text.first_chunk(), text.last_chunk()) {
        // Where both chunks cover a byte, they have it in the same place.
        (Some(first), Some(last)) => {
            let first = u64::from(u32::from_be_bytes(*first)) << (8 * (text.len() - 4));
            first | u64::from(u32::from_be_bytes(*last))
        }
        _ => text.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte)),
    }
}

/// Returns the hash of the eight bytes of a word, the highest first; `None` if any of them is not ASCII. Leading zeros
/// do not change it.
///
/// The hash is combined from pairs of bytes, then from pairs of those, then from both halves. A pair read as a number
/// is 256 times its first byte plus its second, so 225 times the first is subtracted. No intermediate sum overflows its
/// lane before the last, which wraps at 32 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a word are 32 bits")]
pub(crate) fn word_hash_code(word: u64) -> Option<i32> {
    if word & NOT_ASCII != 0 {
        return None;
    }
    let pairs = word - ((word >> 8) & 0x00ff_00ff_00ff_00ff) * ((1 << 8) - 31);
    let fours = pairs - ((pairs >> 16) & 0x0000_ffff_0000_ffff) * ((1 << 16) - 31 * 31);
    Some(((fours >> 32) as u32).wrapping_mul(POWERS[4]).wrapping_add(fours as u32).cast_signed())
}

const fn powers() -> [u32; 9] {
    let mut powers = [1_u32; 9];
    let mut power = 1;
    while power < powers.len() {
        powers[power] = powers[power - 1].wrapping_mul(31);
        power += 1;
    }
    powers
}

/// Returns `Arrays.hashCode` of signed bytes, which starts at 1: the 31-hash that the salts of Phoenix, `HBaseWD` and
/// `OpenTSDB` are based on.
///
/// ```
/// # use keystride::hash::java;
/// assert_eq!(java::bytes_hash_code(&[]), 1);
/// assert_eq!(java::bytes_hash_code(&[0xff]), 30);
/// ```
pub fn bytes_hash_code(bytes: &[u8]) -> i32 {
    bytes.iter().fold(1, |hash, byte| step(hash, i32::from(byte.cast_signed())))
}

/// Returns `Math.abs(hash)`, which leaves −2³¹ unchanged.
pub fn abs(hash: i32) -> i32 {
    hash.wrapping_abs()
}

/// Returns `Math.abs(hash) % count`.
///
/// ```
/// # use keystride::hash::{BucketCount, Placement, java};
/// let count = BucketCount::new(6)?;
/// assert_eq!(java::abs_mod(-8, count), Placement::Bucket(2));
/// assert_eq!(java::abs_mod(i32::MIN, count), Placement::Outside(-2));
/// # Ok::<(), keystride::hash::InvalidBucketCount>(())
/// ```
pub fn abs_mod(hash: i32, count: BucketCount) -> Placement {
    Placement::of_remainder(abs(hash) % count.as_int())
}

/// Returns `Math.abs(hash % count)`, which is always a bucket.
pub fn abs_rem(hash: i32, count: BucketCount) -> Placement {
    Placement::of_remainder((hash % count.as_int()).abs())
}

/// Returns `Math.floorMod(number, count)`, which is always a bucket, for a number of any integer type of a design.
pub fn floor_mod(number: i128, count: BucketCount) -> Placement {
    count.floor_mod(number)
}

fn step(hash: i32, next: i32) -> i32 {
    hash.wrapping_mul(31).wrapping_add(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_hash_as_single_characters_do() {
        let text: Vec<u8> = (0..40).map(|place| 127 - place * 3).collect();
        for hash in [0, 1, -7, i32::MIN, i32::MAX] {
            for len in 0..=text.len() {
                let text = &text[..len];
                let expected = text.iter().fold(hash, |hash, &byte| step(hash, byte.into()));
                assert_eq!(ascii_hash_code(hash, text), Some(expected), "{len} after {hash}");
            }
        }
    }

    #[test]
    fn one_byte_beyond_ascii_is_seen_wherever_it_is() {
        for len in 1..20 {
            for place in 0..len {
                let mut text = vec![b'a'; len];
                text[place] = 0x80;
                assert_eq!(ascii_hash_code(0, &text), None, "{place} of {len}");
            }
        }
    }
}
