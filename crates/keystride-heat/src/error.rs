//! Errors of counts.

/// Counts that can't be combined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeatError {
    /// The numbers of regions differ: the table was split, or the counts are of another table.
    #[error("counts of {found} regions can't be added to counts of {expected}: count anew after a split")]
    RegionCount {
        /// The number of regions of the counts that are added to.
        expected: usize,
        /// The number of regions of the counts to add.
        found: usize,
    },
}
