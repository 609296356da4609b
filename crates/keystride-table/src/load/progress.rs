//! Progress reports of a running load.

use std::io;
use std::path::Path;

use keystride_heat::{Balance, Chance, HeatMap, Window, WindowCounter};

use super::counts::Counts;
use super::reject::Rejected;
use super::stored::StoredReads;
use crate::source::Checkpoint;

/// Receives notifications about a running load. `()` ignores them all.
pub trait LoadObserver: Send {
    /// Called before anything is read, if an earlier run of the load is known, or if the load is to be resumed but no
    /// earlier run is known.
    fn earlier(&mut self, _earlier: &Earlier) {}

    /// Called if the progress of the load is kept in this file, as the user may not write where the store keeps notes.
    fn keeps_progress_in(&mut self, _file: &Path) {}

    /// Called when the first few hundred rows have been compared with what is stored under their keys, which costs a read
    /// a row. Not called for a table that was empty.
    fn compares_stored(&mut self, _reads: &StoredReads) {}

    /// Called when a record was rejected. Records are reported in input order, and only after everything to be stored
    /// before them was acknowledged; those of a source that is not read again before that, and once more if it fails. A resumed load reports all rejects of the earlier runs again, so that a file of
    /// them can be rewritten.
    ///
    /// # Errors
    ///
    /// If the reject can't be recorded. The load then fails, because no row may be lost silently.
    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()>;

    /// Called after the rejects of a batch, before it is stored, if its records are not read again by a resumed load: the
    /// rejects must be kept for good now.
    ///
    /// # Errors
    ///
    /// If they can't be.
    fn keep_rejects(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Called when a batch was acknowledged, or a comparable number of records was read; possibly many times per
    /// second.
    fn progress(&mut self, progress: &Progress<'_>) -> Proceed;
}

/// What is known about an earlier run under the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Earlier {
    /// There was one, but this run does not continue it: all cells are written again, with the same timestamps.
    Repeated {
        /// The timestamp of the load, in milliseconds since 1970.
        stamp_ms: i64,
        /// The field that stamps the cells instead, if the design names one.
        cell_time: Option<String>,
    },
    /// The load is to be resumed, but there was no earlier run: it starts with the first record.
    Nothing,
    /// The earlier run was interrupted, with these counts.
    Broken(Counts),
    /// The earlier run reached the end of its input: only records after that are stored.
    Complete(Counts),
}

/// Whether a load is to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proceed {
    /// Continue.
    On,
    /// Stop here. What was read is stored, and the load can be resumed.
    Stop,
}

/// The progress of a load.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// What it is doing.
    pub phase: Phase,
    /// The records so far by outcome, including those of earlier runs.
    pub counts: &'a Counts,
    /// Bytes of the input read so far, as stored on disk.
    pub bytes_read: u64,
    /// Size of the whole input in bytes; `None` if unknown.
    pub byte_count: Option<u64>,
    /// How many records of each part of a log are still to be read, as far as that is known; empty for files.
    pub lags: &'a [(u32, u64)],
    /// Whether a log has not answered for some seconds.
    pub is_silent: bool,
    /// The position of the source up to which everything is acknowledged, if it has positions.
    pub checkpoint: Option<&'a Checkpoint>,
    /// Milliseconds since this run started.
    pub elapsed_ms: u64,
    /// Number of calls to servers that had to be repeated; 0 for a store without servers.
    pub retries: u64,
    pub(super) heat: &'a WindowCounter,
}

/// What a load is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It reads records that an earlier run has processed.
    CatchingUp,
    /// It reads and stores rows; everything counted is acknowledged.
    Storing,
    /// It reads and sorts rows; nothing is stored yet.
    Sorting,
    /// It stores the sorted rows, which become visible when the load is complete.
    Filling {
        /// Number of rows handed to the store.
        rows: u64,
    },
    /// It only counts: see [`replay()`](super::replay()).
    Replaying,
}

impl Progress<'_> {
    /// Returns the last window with rows, and what random variation alone would show in it; `None` before the first
    /// one. Like [`Self::balance`], this is for a status line, not for every batch.
    pub fn last_window(&self) -> Option<(Window, Chance)> {
        let window = *self.heat.series().windows().last()?;
        let chance = Chance::of(window.distribution.region_count(), window.distribution.row_count())?;
        Some((window, chance))
    }

    /// Returns the number of windows with rows so far.
    pub fn window_count(&self) -> u64 {
        self.heat.window_count()
    }

    /// Returns the rows of each window and region so far. They are copied, up to [`HeatMap::MOST_BYTES`], so call it
    /// when somebody looks.
    pub fn heat(&self) -> HeatMap {
        self.heat.map()
    }

    /// Returns how evenly the rows are distributed so far; it prints as `hot 1.03 (chance alone 1.02)`. This costs a
    /// pass over all windows, so call it for a status line, not for every batch.
    pub fn balance(&self) -> Option<Balance> {
        self.heat.series().balance()
    }
}

impl LoadObserver for () {
    fn rejected(&mut self, _: &Rejected) -> io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, _: &Progress<'_>) -> Proceed {
        Proceed::On
    }
}
