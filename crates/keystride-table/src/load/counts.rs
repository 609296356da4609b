//! Counts of a load's records by outcome.

use std::collections::BTreeMap;

use super::reject::RejectKind;

/// The records of a load, counted by outcome. `records` = `rows` + `deletes` + `repeats` + `tombstones` + all that were
/// rejected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records read.
    pub records: u64,
    /// Rows stored, including those that replaced another one.
    pub rows: u64,
    /// Cells of the stored rows.
    pub cells: u64,
    /// Bytes of the stored rows, counted as
    /// [`RegionCounts::bytes_written`](keystride_store::RegionCounts::bytes_written), with the row key once per cell.
    pub bytes: u64,
    /// Rows that equal an earlier one in every cell. They are skipped.
    pub repeats: u64,
    /// Rows that replaced an earlier one with the same key and different cells.
    pub replaced: u64,
    /// Of these, the rows that replaced one that was stored before the load; known with
    /// [`Check::Stored`](super::Check::Stored) alone.
    pub overwritten: u64,
    /// Rows stored under newer cells of the same key, which hide them, as in a load that is repeated after another one;
    /// known with [`Check::Stored`](super::Check::Stored) alone.
    pub hidden: u64,
    /// Records that deleted a row.
    pub deletes: u64,
    /// Records without a body that were passed over.
    pub tombstones: u64,
    /// Rejected records by kind; kinds that did not occur are absent.
    pub rejected: BTreeMap<RejectKind, u64>,
}

impl Counts {
    /// Returns the total number of rejected records.
    pub fn rejected_count(&self) -> u64 {
        self.rejected.values().sum()
    }

    pub(super) fn reject(&mut self, kind: RejectKind) {
        *self.rejected.entry(kind).or_default() += 1;
    }
}
