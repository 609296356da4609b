//! How a load is to go.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;

use keystride_heat::Windowing;
use keystride_heat::chance::rows_for_excess;
use keystride_store::{Clock, SystemClock};

use super::LoadId;

/// Settings of a load. How durable an acknowledged batch is, is the store's setting.
///
/// ```
/// # use keystride_table::load::{Check, LoadId, LoadOptions};
/// let options = LoadOptions { check: Check::None, ..LoadOptions::of(LoadId::new("march")) };
/// assert_eq!(options.batch_bytes.get(), 4 << 20);
/// ```
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// The load's name: its progress and its timestamp are kept under it.
    pub id: LoadId,
    /// Whether to go on where an earlier run of the same load ended.
    pub start: Start,
    /// Which rows of the same key to look for.
    pub check: Check,
    /// What a rejected row does.
    pub on_error: OnError,
    /// How rows get into the store.
    pub way: Way,
    /// Memory for checking and sorting, in bytes, 256 MiB unless said otherwise; less than
    /// [`LEAST_MEMORY_BYTES`](Self::LEAST_MEMORY_BYTES) counts as so much.
    pub memory_bytes: usize,
    /// The part of that memory which is the store's, for rows that it was given lately, where rows go in batches; 0
    /// unless said otherwise.
    pub write_buffer_bytes: usize,
    /// Size of a batch in bytes, 4 MiB unless said otherwise, counted as
    /// [`RegionCounts::bytes_written`](keystride_store::RegionCounts::bytes_written): the row key once for each cell.
    pub batch_bytes: NonZeroUsize,
    /// How many full batches wait for the store or are being written, while the next is filled.
    pub in_flight: NonZeroU32,
    /// How many rows may go to the store in a second; `None` for as many as it takes. A batch goes as a whole.
    /// A limit needs a runtime with a timer.
    pub rows_per_s: Option<NonZeroU64>,
    /// What the heat is counted by; `None` for windows of so many rows, as they come, that chance shows a tenth.
    pub windowing: Option<Windowing>,
    /// Where files go that memory has no room for; `None` for the system's folder of temporary files. They have no
    /// name, and are gone when the load ends however it does.
    pub spill_folder: Option<PathBuf>,
    /// What time it is: for the load's timestamp and how long it took.
    pub clock: Arc<dyn Clock>,
}

/// Where a load begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With the first record, whatever an earlier run of the same load did.
    Anew,
    /// After the last batch that an earlier run wrote. The records before it are read and checked once more, so that
    /// rows of the same key are found as if the load had not been broken, but not written.
    Resume,
}

/// Which rows of the same key a load looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Those of the load itself.
    Exact,
    /// Those of the load, and those stored before it: a read for each row, see
    /// [`stored_check_cost`](super::stored_check_cost).
    Stored,
    /// None: of rows that make one key the later lies over the earlier.
    None,
}

/// What a rejected row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// It is told and counted, and the load goes on.
    Reject,
    /// It ends the load; the rows before it are stored.
    Stop,
}

/// How rows get into the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Sorted where the table is empty, the store can and the input is known to be large; else in batches.
    Faster,
    /// In batches as they come: each is durable when it is acknowledged, and a broken load can be resumed after it.
    Batches,
    /// Sorted, in files that memory has no room for, then all at once; in batches where the table is not empty or the
    /// store can't. A load that is broken before the end begins anew.
    Sorted,
}

impl LoadOptions {
    /// With less memory files would have a few thousand rows: 8 MiB.
    pub const LEAST_MEMORY_BYTES: usize = 8 << 20;

    /// The usual settings.
    #[expect(clippy::missing_panics_doc, reason = "the numbers below are not 0")]
    pub fn of(id: LoadId) -> Self {
        Self {
            id,
            start: Start::Anew,
            check: Check::Exact,
            on_error: OnError::Reject,
            way: Way::Faster,
            memory_bytes: 256 << 20,
            write_buffer_bytes: 0,
            batch_bytes: NonZeroUsize::new(4 << 20).expect("4 MiB are not 0"),
            in_flight: NonZeroU32::new(2).expect("2 is not 0"),
            rows_per_s: None,
            windowing: None,
            spill_folder: None,
            clock: Arc::new(SystemClock),
        }
    }

    /// The windows to count by: see [`Self::windowing`].
    pub(super) fn windowing_of(&self, region_count: usize) -> Windowing {
        let rows = || NonZeroU64::new(rows_for_excess(region_count, 0.1)).unwrap_or(NonZeroU64::MIN);
        self.windowing.unwrap_or_else(|| Windowing::Rows(rows()))
    }
}
