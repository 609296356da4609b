//! Counts of rows per region.

use crate::{Distribution, HeatError};

/// Rows per region, or per bucket, in one window. It takes eight bytes per region and one addition per row.
///
/// Each thread of a load can have its own counts; [`merge`](Self::merge) adds them up. Sums saturate at
/// `u64::MAX`.
///
/// ```
/// # use keystride_heat::WindowCounts;
/// let mut counts = WindowCounts::new(3);
/// counts.add(2, 1);
/// counts.add(0, 10);
/// assert_eq!(counts.take().rows(), [10, 0, 1]);
/// assert_eq!(counts.rows(), [0, 0, 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowCounts {
    rows: Box<[u64]>,
}

impl WindowCounts {
    /// Creates counts of this many regions, all 0.
    pub fn new(region_count: usize) -> Self {
        Self { rows: vec![0; region_count].into() }
    }

    /// Counts rows of a region, numbered from 0 in key order.
    ///
    /// # Panics
    ///
    /// If the region is not below [`region_count`](Self::region_count).
    #[inline]
    pub fn add(&mut self, region: usize, rows: u64) {
        let count = &mut self.rows[region];
        *count = count.saturating_add(rows);
    }

    /// Adds the counts of another window or thread, for the same regions.
    ///
    /// # Errors
    ///
    /// [`HeatError::RegionCount`] if the number of regions differs; nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), HeatError> {
        if self.region_count() != other.region_count() {
            let (expected, found) = (self.region_count(), other.region_count());
            return Err(HeatError::RegionCount { expected, found });
        }
        self.add_all(other);
        Ok(())
    }

    /// Returns the counts so far, and sets all counts to 0: the end of a window.
    #[must_use = "the counts are gone from here"]
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(self.region_count()))
    }

    /// Sets all counts to 0.
    pub fn reset(&mut self) {
        self.rows.fill(0);
    }

    /// Returns the rows per region, in key order.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Returns the number of regions.
    pub fn region_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the rows of all regions together.
    pub fn total(&self) -> u64 {
        self.rows.iter().fold(0, |total, &rows| total.saturating_add(rows))
    }

    /// Returns the measures of the counts; `None` if all are 0.
    pub fn distribution(&self) -> Option<Distribution> {
        Distribution::of(&self.rows)
    }

    /// Adds counts that are known to have the same number of regions.
    pub(crate) fn add_all(&mut self, other: &Self) {
        for (count, &rows) in self.rows.iter_mut().zip(&other.rows) {
            *count = count.saturating_add(rows);
        }
    }
}

/// Converts counts made elsewhere, one per region in key order, such as a store's own counters or their
/// increase.
impl From<Vec<u64>> for WindowCounts {
    fn from(rows: Vec<u64>) -> Self {
        Self { rows: rows.into() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_of_other_regions_are_refused_and_change_nothing() {
        let mut counts = WindowCounts::from(vec![1, 2]);
        let error = counts.merge(&WindowCounts::new(3)).unwrap_err();
        assert_eq!(error, HeatError::RegionCount { expected: 2, found: 3 });
        assert_eq!(
            error.to_string(),
            "counts of 3 regions can't be added to counts of 2: count anew after a split"
        );
        assert_eq!(counts.rows(), [1, 2]);
    }

    #[test]
    fn sums_stop_at_the_largest_number() {
        let mut counts = WindowCounts::from(vec![u64::MAX, 1]);
        counts.add(0, 1);
        assert_eq!(counts.rows(), [u64::MAX, 1]);
        assert_eq!(counts.total(), u64::MAX);
        counts.merge(&WindowCounts::from(vec![1, 1])).unwrap();
        assert_eq!(counts.rows(), [u64::MAX, 2]);
        assert_eq!(counts.distribution().unwrap().row_count(), u64::MAX);
    }

    #[test]
    fn reset_keeps_the_regions() {
        let mut counts = WindowCounts::from(vec![5, 6]);
        counts.reset();
        assert_eq!(counts, WindowCounts::new(2));
    }

    proptest! {
        #[test]
        fn merging_threads_is_counting_in_one(
            rows in prop::collection::vec((0..7_usize, 0..1000_u64, any::<bool>()), 0..200),
        ) {
            let [mut left, mut right, mut whole] = [0; 3].map(|_| WindowCounts::new(7));
            for (region, count, is_left) in rows {
                if is_left { left.add(region, count) } else { right.add(region, count) }
                whole.add(region, count);
            }
            left.merge(&right).unwrap();
            prop_assert_eq!(left, whole);
        }
    }
}
