/// Counts that can't be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeatError {
    /// The counts are of another number of regions: the table was split, or they are of another table.
    #[error("counts of {found} regions can't be added to counts of {expected}: count anew after a split")]
    RegionCount {
        /// Regions of the counts added to.
        expected: usize,
        /// Regions of the counts to add.
        found: usize,
    },
}
