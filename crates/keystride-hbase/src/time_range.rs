//! Ranges of timestamps.

use crate::proto;

/// A range of timestamps in ms since 1970, from `from_ms` (inclusive) to `to_ms` (exclusive).
///
/// ```
/// # use keystride_hbase::TimeRange;
/// let day = TimeRange::new(1_400_630_400_000, 1_400_716_800_000)?;
/// assert!(day.contains(1_400_657_685_457) && !day.contains(day.to_ms()));
/// assert!(TimeRange::new(2, 1).is_err());
/// # Ok::<(), keystride_hbase::BadTimeRange>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeRange {
    from_ms: i64,
    to_ms: i64,
}

/// An invalid range: its end is before its start, or it starts below 0, where HBase has no timestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("time range from {from_ms} to {to_ms}: use 0 <= from <= to")]
pub struct BadTimeRange {
    /// The start, in ms.
    pub from_ms: i64,
    /// The end, in ms.
    pub to_ms: i64,
}

impl TimeRange {
    /// All timestamps below [`LATEST`](crate::LATEST).
    pub const ALL: Self = Self { from_ms: 0, to_ms: i64::MAX };

    /// The range from `from_ms` (inclusive) to `to_ms` (exclusive). It is empty if they are equal.
    ///
    /// # Errors
    ///
    /// [`BadTimeRange`].
    pub fn new(from_ms: i64, to_ms: i64) -> Result<Self, BadTimeRange> {
        if from_ms < 0 || to_ms < from_ms {
            return Err(BadTimeRange { from_ms, to_ms });
        }
        Ok(Self { from_ms, to_ms })
    }

    /// The first timestamp in the range, in ms.
    pub fn from_ms(self) -> i64 {
        self.from_ms
    }

    /// The first timestamp after the range, in ms.
    pub fn to_ms(self) -> i64 {
        self.to_ms
    }

    /// Whether the range contains a timestamp.
    pub fn contains(self, timestamp_ms: i64) -> bool {
        (self.from_ms..self.to_ms).contains(&timestamp_ms)
    }

    pub(crate) fn to_proto(self) -> proto::TimeRange {
        proto::TimeRange { from: Some(self.from_ms.unsigned_abs()), to: Some(self.to_ms.unsigned_abs()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_travels_as_two_numbers() {
        let range = TimeRange::new(51, 53).unwrap();
        assert_eq!(range.to_proto(), proto::TimeRange { from: Some(51), to: Some(53) });
        assert_eq!(TimeRange::ALL.to_proto().to, Some(i64::MAX.unsigned_abs()));
    }

    #[test]
    fn none_runs_backwards() {
        assert_eq!(TimeRange::new(-1, 1), Err(BadTimeRange { from_ms: -1, to_ms: 1 }));
        assert_eq!(TimeRange::new(2, 1), Err(BadTimeRange { from_ms: 2, to_ms: 1 }));
        assert!(!TimeRange::new(1, 1).unwrap().contains(1));
    }
}
