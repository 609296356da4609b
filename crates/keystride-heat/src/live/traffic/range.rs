//! One range of keys.

use super::super::Metric;

/// A range of keys, up to the next one's start.
#[derive(Debug, Clone, Default)]
pub(super) struct Range {
    pub(super) start: Box<[u8]>,
    /// Whether its start is to be kept.
    pub(super) is_kept: bool,
    /// Rows read and written so far. Early ones count less and less.
    pub(super) so_far: f64,
    /// Since the last column, by [`Metric::index`].
    pub(super) counts: [u64; Metric::COUNT],
}

impl Range {
    pub(super) fn new(start: &[u8], is_kept: bool, so_far: f64) -> Self {
        Self { start: start.into(), is_kept, so_far, counts: [0; Metric::COUNT] }
    }

    /// Returns the rows since the last column.
    pub(super) fn rows(&self) -> u64 {
        self.counts[Metric::RowsRead.index()] + self.counts[Metric::RowsWritten.index()]
    }
}
