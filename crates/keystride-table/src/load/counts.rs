//! What came of the records of a load.

use std::collections::BTreeMap;

use super::reject::RejectKind;

/// Records by what came of them. `records` = `rows` + `repeats` + all that were rejected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records read.
    pub records: u64,
    /// Rows stored, those too that lie over another one.
    pub rows: u64,
    /// Their cells.
    pub cells: u64,
    /// Their bytes, counted as [`RegionCounts::bytes_written`](keystride_store::RegionCounts::bytes_written): the row
    /// key once for each cell.
    pub bytes: u64,
    /// Rows that are the same as an earlier one cell for cell. They are passed over.
    pub repeats: u64,
    /// Rows stored over an earlier one with the same key and other cells.
    pub replaced: u64,
    /// Records that were rejected, by kind; kinds without any are left out.
    pub rejected: BTreeMap<RejectKind, u64>,
}

impl Counts {
    /// How many records were rejected, for whatever reason.
    pub fn rejected_count(&self) -> u64 {
        self.rejected.values().sum()
    }

    pub(super) fn reject(&mut self, kind: RejectKind) {
        *self.rejected.entry(kind).or_default() += 1;
    }
}
