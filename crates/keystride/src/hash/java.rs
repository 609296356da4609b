//! Java's hashes and its ways to reduce them, with their 32-bit wrap-around and their one negative `abs`.

use super::{BucketCount, Placement};

/// `String.hashCode` of UTF-16 units.
///
/// ```
/// # use keystride::hash::java;
/// assert_eq!(java::string_hash_code("abc".encode_utf16()), 96_354);
/// ```
pub fn string_hash_code(units: impl IntoIterator<Item = u16>) -> i32 {
    units.into_iter().fold(0, |hash, unit| step(hash, i32::from(unit)))
}

/// `String.hashCode` of a text after others whose hash is `hash`.
pub(super) fn continued_hash_code(hash: i32, text: &str) -> i32 {
    let utf16 = || text.encode_utf16().fold(hash, |hash, unit| step(hash, unit.into()));
    ascii_hash_code(hash, text.as_bytes()).unwrap_or_else(utf16)
}

/// The same for a text of ASCII alone; `None` for any other.
#[inline]
pub(crate) fn ascii_hash_code(hash: i32, text: &[u8]) -> Option<i32> {
    let add = |(hash, seen), &byte| (step(hash, i32::from(byte)), seen | byte);
    let (hash, seen) = text.iter().fold((hash, 0), add);
    seen.is_ascii().then_some(hash)
}

/// `Arrays.hashCode` of signed bytes, which starts at 1: the 31-hash under Phoenix's, `HBaseWD`'s and `OpenTSDB`'s salts.
///
/// ```
/// # use keystride::hash::java;
/// assert_eq!(java::bytes_hash_code(&[]), 1);
/// assert_eq!(java::bytes_hash_code(&[0xff]), 30);
/// ```
pub fn bytes_hash_code(bytes: &[u8]) -> i32 {
    bytes.iter().fold(1, |hash, byte| step(hash, i32::from(byte.cast_signed())))
}

/// `Math.abs`: −2³¹ stays as it is.
pub fn abs(hash: i32) -> i32 {
    hash.wrapping_abs()
}

/// `Math.abs(hash) % count`.
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

/// `Math.abs(hash % count)`, always a bucket.
pub fn abs_rem(hash: i32, count: BucketCount) -> Placement {
    Placement::of_remainder((hash % count.as_int()).abs())
}

/// `Math.floorMod(number, count)`, always a bucket, for numbers of any integer type of a design.
pub fn floor_mod(number: i128, count: BucketCount) -> Placement {
    count.floor_mod(number)
}

fn step(hash: i32, next: i32) -> i32 {
    hash.wrapping_mul(31).wrapping_add(next)
}
