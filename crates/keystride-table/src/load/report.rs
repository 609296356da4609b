//! What came of a load.

use keystride_heat::Balance;
use keystride_store::RegionId;

use super::LoadId;
use super::counts::Counts;
use super::same_key_rule::SameKeyRule;

/// What came of a load: plain data, for a summary or a file.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadReport {
    /// The load.
    pub id: LoadId,
    /// The timestamp of cells that no field stamps, in milliseconds.
    pub stamp_ms: i64,
    /// How it ended.
    pub ending: Ending,
    /// How its rows got into the store.
    pub way: WayTaken,
    /// What rows of one key meant; `None` where nobody looked for them.
    pub same_key: Option<SameKeyRule>,
    /// What came of the records, earlier runs of a resumed load included.
    pub counts: Counts,
    /// Records that earlier runs had come to; `None` for a load from the beginning.
    pub resumed_from: Option<u64>,
    /// Rows that went to each region, in key order. The regions are those there were when the run began.
    pub regions: Vec<RegionRows>,
    /// How even the rows were, window by window; `None` without rows that fall into one.
    pub balance: Option<Balance>,
    /// Bytes read of the input as it lies on the disk.
    pub bytes_read: u64,
    /// Milliseconds that this run took.
    pub elapsed_ms: u64,
}

/// How a load ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All records were read.
    Complete,
    /// A row was rejected, and that was to end it.
    Rejected,
    /// The observer asked for it.
    Stopped,
}

/// How the rows of a load got into the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayTaken {
    /// In batches.
    Batches,
    /// Sorted, from so many runs in files beside the one in memory.
    Sorted {
        /// Runs that memory had no room for.
        runs_in_files: u64,
    },
    /// Not at all: a replay.
    Nowhere,
}

/// Rows that went to one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionRows {
    /// The region; `None` in a replay, which has split points only.
    pub region: Option<RegionId>,
    /// Rows.
    pub rows: u64,
}
