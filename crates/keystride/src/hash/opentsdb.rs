//! The salt of `OpenTSDB` 2.x row keys (`RowKey.prefixKeyWithSalt`).

use super::{BucketCount, Placement, java};

/// The default width of a UID in `OpenTSDB`, in bytes.
const UID_LEN: usize = 3;

/// Returns the bucket of a series: |31-hash rem count| of its metric UID and tag UIDs, without the timestamp between
/// them.
///
/// A metric of all zeros marks a global annotation, which stays in bucket 0; UIDs are assumed to be 3 bytes wide.
///
/// ```
/// # use keystride::hash::{BucketCount, Placement, opentsdb};
/// let series = [0, 0, 1, 0, 0, 1, 0, 0, 1];
/// assert_eq!(opentsdb::bucket(&series, BucketCount::new(20)?), Placement::Bucket(8));
/// # Ok::<(), keystride::hash::InvalidBucketCount>(())
/// ```
pub fn bucket(series: &[u8], count: BucketCount) -> Placement {
    if series.starts_with(&[0; UID_LEN]) {
        return Placement::Bucket(0);
    }
    java::abs_rem(java::bytes_hash_code(series), count)
}

/// Returns the salt bytes of a bucket, big-endian, `width` of them.
///
/// Beyond 4 bytes, Java's 32-bit shift wraps and repeats the low ones: bucket 19 in 5 bytes is `1300000013`.
pub fn salt_bytes(bucket: u16, width: u8) -> Vec<u8> {
    (0..u32::from(width)).rev().map(|place| low_byte(u32::from(bucket).wrapping_shr(8 * place))).collect()
}

fn low_byte(word: u32) -> u8 {
    let [.., low] = word.to_be_bytes();
    low
}
