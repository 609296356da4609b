//! The number of buckets of a salt, and the placement of a row in them.

/// How many buckets a salt has: 1 to 65,536.
///
/// ```
/// # use keystride::hash::BucketCount;
/// assert_eq!(BucketCount::new(16)?.get(), 16);
/// assert!(BucketCount::new(0).is_err());
/// # Ok::<(), keystride::hash::InvalidBucketCount>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BucketCount(u32);

/// A number that can't count buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a salt has 1 to {} buckets, not {count}", BucketCount::MOST)]
pub struct InvalidBucketCount {
    /// The number found.
    pub count: u32,
}

/// Where a hash puts a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Placement {
    /// In a bucket, from 0 to count − 1.
    Bucket(u16),
    /// In none: Java's `Math.abs` leaves −2³¹ unchanged, and its remainder is −65,535 to −1. A scan of all buckets
    /// misses the row.
    Outside(i32),
}

impl BucketCount {
    /// The largest count.
    pub const MOST: u32 = 65_536;

    /// Creates a count of buckets.
    ///
    /// # Errors
    ///
    /// [`InvalidBucketCount`] for 0 and for more than [`BucketCount::MOST`].
    pub fn new(count: u32) -> Result<Self, InvalidBucketCount> {
        if (1..=Self::MOST).contains(&count) { Ok(Self(count)) } else { Err(InvalidBucketCount { count }) }
    }

    /// Returns the count.
    pub fn get(self) -> u32 {
        self.0
    }

    /// Returns the unsigned remainder.
    pub(super) fn reduce(self, hash: u64) -> Placement {
        let remainder = hash % u64::from(self.0);
        Placement::Bucket(u16::try_from(remainder).expect("a remainder is below the count, 65,536 at most"))
    }

    /// Returns the remainder that is never negative.
    pub(super) fn floor_mod(self, number: i128) -> Placement {
        let remainder = number.rem_euclid(i128::from(self.0));
        Placement::Bucket(u16::try_from(remainder).expect("a remainder is below the count, 65,536 at most"))
    }

    /// Returns the count as Java's `int`.
    pub(super) fn as_int(self) -> i32 {
        self.0.cast_signed()
    }
}

impl Placement {
    /// Returns the bucket, or the negative remainder that Java code prints as the prefix.
    pub fn value(self) -> i32 {
        match self {
            Self::Bucket(bucket) => i32::from(bucket),
            Self::Outside(remainder) => remainder,
        }
    }

    /// Returns the bucket, if the row is in one.
    pub fn bucket(self) -> Option<u16> {
        match self {
            Self::Bucket(bucket) => Some(bucket),
            Self::Outside(_) => None,
        }
    }

    /// Creates a placement from a remainder modulo a count of at most 65,536.
    pub(super) fn of_remainder(remainder: i32) -> Self {
        u16::try_from(remainder).map_or(Self::Outside(remainder), Self::Bucket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_end_at_65536() {
        assert!(BucketCount::new(65_536).is_ok());
        assert_eq!(
            BucketCount::new(65_537).unwrap_err().to_string(),
            "a salt has 1 to 65536 buckets, not 65537"
        );
    }

    #[test]
    fn the_last_of_65536_buckets_fits() {
        let count = BucketCount::new(65_536).unwrap();
        assert_eq!(count.reduce(u64::MAX), Placement::Bucket(65_535));
        assert_eq!(count.floor_mod(-1), Placement::Bucket(65_535));
    }
}
