//! The result of a load.

use keystride_heat::{Balance, HeatMap};
use keystride_store::RegionId;

use super::LoadId;
use super::counts::Counts;
use super::latency::BatchLatency;
use super::same_key_rule::SameKeyRule;

/// The result of a load as plain data, for a summary or a file.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadReport {
    /// The load.
    pub id: LoadId,
    /// The timestamp, in milliseconds, of cells that are not stamped by a field.
    pub stamp_ms: i64,
    /// How it ended.
    pub ending: Ending,
    /// How its rows were written to the store.
    pub way: WriteMethod,
    /// The rule for rows with the same key; `None` if they were not detected.
    pub same_key: Option<SameKeyRule>,
    /// If the source has no end: among how many of the latest rows those with the same key were looked for, as memory is
    /// bounded. A row is stored over one that came earlier, whatever the rule, and so it is over one from before a load
    /// was resumed. `None` if it was compared with all rows before it.
    pub same_key_rows: Option<u64>,
    /// The records by outcome, including those of earlier runs of a resumed load.
    pub counts: Counts,
    /// Number of records that earlier runs had processed; `None` for a load from the beginning.
    pub resumed_from: Option<u64>,
    /// Number of rows written to each region, in key order. The regions are those at the start of the run.
    pub regions: Vec<RegionRows>,
    /// How evenly the rows were distributed, window by window; `None` if no row falls into a window.
    pub balance: Option<Balance>,
    /// The rows of each window and region: those of this run, and of earlier runs if the source was read again.
    pub heat: HeatMap,
    /// How long the store took to acknowledge batches; `None` if rows were not written in batches.
    pub batch_latency: Option<BatchLatency>,
    /// Number of calls to servers that had to be repeated; 0 for a store without servers.
    pub retries: u64,
    /// Bytes of the input read, as stored on disk.
    pub bytes_read: u64,
    /// Milliseconds that this run took.
    pub elapsed_ms: u64,
}

/// How a load ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All records were read.
    Complete,
    /// A row was rejected, and the load was to stop at the first reject.
    Rejected,
    /// The observer requested it.
    Stopped,
}

/// How the rows of a load were written to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMethod {
    /// In batches.
    Batches,
    /// Sorted.
    Sorted {
        /// Number of sorted runs that were written to files because they did not fit into memory.
        runs_in_files: u64,
    },
    /// Not at all: a replay.
    Nowhere,
}

/// Number of rows written to one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionRows {
    /// The region; `None` in a replay, which has split points only.
    pub region: Option<RegionId>,
    /// Rows.
    pub rows: u64,
}
