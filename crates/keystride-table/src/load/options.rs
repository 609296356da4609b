//! Options of a load.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use keystride_heat::Windowing;
use keystride_heat::chance::rows_for_excess;
use keystride_store::{Clock, SystemClock};

use super::LoadId;

/// Settings of a load. The durability of acknowledged batches is a setting of the store.
///
/// ```
/// # use keystride_table::load::{Check, LoadId, LoadOptions};
/// let options = LoadOptions { check: Check::None, ..LoadOptions::of(LoadId::new("march")) };
/// assert_eq!(options.batch_bytes.get(), 4 << 20);
/// ```
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// The load's id, under which its progress and timestamp are stored.
    pub id: LoadId,
    /// Whether to continue where an earlier run of the same load ended.
    pub start: Start,
    /// Which rows with the same key to detect.
    pub check: Check,
    /// What happens when a row is rejected.
    pub on_error: OnError,
    /// How rows are written to the store.
    pub way: Way,
    /// Memory for checking and sorting, in bytes. The default is 256 MiB; smaller values than
    /// [`LEAST_MEMORY_BYTES`](Self::LEAST_MEMORY_BYTES) are raised to it.
    pub memory_bytes: usize,
    /// The part of that memory that the store uses for recently written rows when rows are written in batches. The
    /// default is 0. If it leaves less than [`LEAST_MEMORY_BYTES`](Self::LEAST_MEMORY_BYTES), that much is used besides.
    pub write_buffer_bytes: usize,
    /// Size of a batch in bytes, counted as
    /// [`RegionCounts::bytes_written`](keystride_store::RegionCounts::bytes_written), with the row key once per cell.
    /// The default is 4 MiB.
    pub batch_bytes: NonZeroUsize,
    /// Number of full batches that may be waiting for the store or being written while the next one is filled.
    pub in_flight: NonZeroU32,
    /// If the source has no end: how long a record waits at most for others of its batch. The default is one second.
    pub acknowledge_within: Duration,
    /// Maximum number of rows per second; `None` for no limit. Batches are not divided. A limit requires a runtime
    /// with a timer.
    pub rows_per_s: Option<NonZeroU64>,
    /// The windows over which region heat is counted; `None` for windows of consecutive rows, large enough that
    /// random variation alone is about 10%.
    pub windowing: Option<Windowing>,
    /// Folder of temporary files for data that does not fit into memory; `None` for the system's temporary folder.
    /// The files have no name and disappear when the load ends, however it ends.
    pub spill_folder: Option<PathBuf>,
    /// If the source has no end: the folder in which its progress is kept if the user may not write where the store keeps
    /// notes; `None` to fail then.
    pub notes_folder: Option<PathBuf>,
    /// The clock for the load's timestamp and duration.
    pub clock: Arc<dyn Clock>,
}

/// Where a load starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At the first record, whatever an earlier run of the same load did.
    Anew,
    /// At the first record, without keeping any progress: the load can't be resumed, and if it is repeated, its cells
    /// have new timestamps. For users who may not write where the store keeps notes.
    Unrecorded,
    /// After the last batch that an earlier run wrote. The records before it are read and checked again, but not
    /// written, so that rows with the same key are detected as in a load that was never interrupted.
    Resume,
}

/// Which rows with the same key a load detects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Rows of the load itself; if the source has no end, the latest ones: see
    /// [`LoadReport::same_key_rows`](super::LoadReport::same_key_rows).
    Exact,
    /// Rows of the load, and rows stored before it. This costs one read per row:
    /// see [`LoadObserver::compares_stored`](super::LoadObserver::compares_stored).
    Stored,
    /// None: a later row with the same key overwrites an earlier one.
    None,
}

/// What happens when a row is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// It is reported and counted, and the load continues.
    Reject,
    /// The load ends; the rows before it are stored.
    Stop,
}

/// How rows are written to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As [`Self::Sorted`] if the table is empty, the store supports it and the input is known to be large; otherwise
    /// in batches.
    Faster,
    /// In batches in input order: each is durable once it is acknowledged, and an interrupted load can be resumed
    /// after it.
    Batches,
    /// Sorted first, using files if memory does not suffice, and then bulk loaded in one step; in batches if the
    /// table is not empty or the store does not support bulk loads. If it is interrupted before the end, it starts
    /// over.
    Sorted,
}

impl LoadOptions {
    /// Lower limit of [`Self::memory_bytes`], 8 MiB. With less memory, temporary files would contain only a few
    /// thousand rows.
    pub const LEAST_MEMORY_BYTES: usize = 8 << 20;

    /// Returns the default settings.
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
            acknowledge_within: Duration::from_secs(1),
            rows_per_s: None,
            windowing: None,
            spill_folder: None,
            notes_folder: None,
            clock: Arc::new(SystemClock),
        }
    }

    /// Returns the windows to count by, see [`Self::windowing`].
    pub(super) fn windowing_of(&self, region_count: usize) -> Windowing {
        let rows = || NonZeroU64::new(rows_for_excess(region_count, 0.1)).unwrap_or(NonZeroU64::MIN);
        self.windowing.unwrap_or_else(|| Windowing::Rows(rows()))
    }
}
