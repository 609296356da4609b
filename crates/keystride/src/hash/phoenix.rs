//! Phoenix's salt byte (`SaltingUtil.getSaltingByte`).

use super::{BucketCount, Placement, java};

/// The most salt buckets of a Phoenix table: the salt is one byte.
pub const MOST_BUCKETS: u32 = 256;

/// Returns the salt of `key`, the row key with its separators but without the salt byte: |31-hash rem count|.
///
/// ```
/// # use keystride::hash::{BucketCount, Placement, phoenix};
/// let sixteen = BucketCount::new(16)?;
/// assert_eq!(phoenix::bucket(b"key_abc", sixteen), Placement::Bucket(1));
/// # Ok::<(), keystride::hash::InvalidBucketCount>(())
/// ```
pub fn bucket(key: &[u8], count: BucketCount) -> Placement {
    java::abs_rem(java::bytes_hash_code(key), count)
}
