//! The prefixes of `HBaseWD` 0.1.0 (`RowKeyDistributorByHashPrefix.OneByteSimpleHash`).

use super::{BucketCount, Placement, java};

/// The most buckets of `OneByteSimpleHash`: the prefix is one byte.
pub const MOST_BUCKETS: u32 = 256;

/// Returns the bucket of a whole original key: |31-hash| rem count; the hash −2³¹ may fall outside all buckets.
///
/// ```
/// # use keystride::hash::{BucketCount, hbasewd};
/// let three = BucketCount::new(3)?;
/// assert_eq!(hbasewd::prefix_byte(hbasewd::bucket(b"a", three)), 0x02);
/// let outside = hbasewd::bucket(&[0x96, 0x00, 0xf6, 0x00, 0x13, 0xfe], three);
/// assert_eq!(hbasewd::prefix_byte(outside), 0xfe);
/// # Ok::<(), keystride::hash::InvalidBucketCount>(())
/// ```
pub fn bucket(key: &[u8], count: BucketCount) -> Placement {
    java::abs_mod(java::bytes_hash_code(key), count)
}

/// Returns the byte that release 0.1.0 writes: the low 8 bits, even of a negative remainder.
pub fn prefix_byte(placement: Placement) -> u8 {
    let [.., low] = placement.value().to_be_bytes();
    low
}
