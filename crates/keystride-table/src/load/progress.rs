//! How far a load has come, told while it goes on.

use std::io;

use keystride_heat::{Balance, Chance, Window, WindowCounter};

use super::counts::Counts;
use super::reject::Rejected;

/// Who is told of a load while it goes on. `()` listens to nothing.
pub trait LoadObserver: Send {
    /// The load is known, or is to go on though it is not. Told before anything is read.
    fn earlier(&mut self, _earlier: &Earlier) {}

    /// Every row will be compared with what is stored under its key, which costs a read a row: see
    /// [`stored_check_cost`](super::stored_check_cost). Told before anything is read, and not of an empty table.
    fn compares_stored(&mut self) {}

    /// A record was rejected. Records come in the order of the input, and not before what was stored before them is
    /// acknowledged. A load that is resumed tells all rejects of the earlier runs once more, so that a file of them can
    /// be written anew.
    ///
    /// # Errors
    ///
    /// What keeps the reject from being kept; the load ends with it, as no row is to be lost in silence.
    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()>;

    /// A batch was acknowledged, or as many records read. It may come many times a second.
    fn progress(&mut self, progress: &Progress<'_>) -> Proceed;
}

/// What a load knows of an earlier run under its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Earlier {
    /// There was one, and this one is not to go on after it: it writes its cells once more, with the same timestamp.
    Repeated {
        /// Milliseconds since 1970.
        stamp_ms: i64,
    },
    /// It is to be resumed, and there was none: it begins with the first record.
    Nothing,
    /// It was broken after so much.
    Broken(Counts),
    /// It had come to the end of its input: only what comes after that is stored.
    Complete(Counts),
}

/// Whether a load is to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proceed {
    /// It is.
    On,
    /// It is to end here. What was read is stored, and the load can be resumed.
    Stop,
}

/// How far a load has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// What it is doing.
    pub phase: Phase,
    /// What came of the records up to here, earlier runs included.
    pub counts: &'a Counts,
    /// Bytes read of the input as it lies on the disk.
    pub bytes_read: u64,
    /// Bytes of the whole input; `None` where nobody knows.
    pub byte_count: Option<u64>,
    /// Milliseconds since this run began.
    pub elapsed_ms: u64,
    pub(super) heat: &'a WindowCounter,
}

/// What a load is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It reads past what an earlier run has stored.
    CatchingUp,
    /// It reads and stores; what is counted is acknowledged.
    Storing,
    /// It reads and sorts; nothing is stored yet.
    Sorting,
    /// It stores so many sorted rows of those counted; they show when the load is complete.
    Filling {
        /// Rows handed to the store.
        rows: u64,
    },
    /// It only counts: see [`replay()`](super::replay()).
    Replaying,
}

impl Progress<'_> {
    /// The last window that has rows, with what chance alone would show in it; `None` before the first.
    pub fn last_window(&self) -> Option<(Window, Chance)> {
        let window = *self.heat.series().windows().last()?;
        let chance = Chance::of(window.distribution.region_count(), window.distribution.row_count())?;
        Some((window, chance))
    }

    /// How even the rows are so far: prints as `hot 1.03 (chance alone 1.02)`. It costs a pass over the windows: for a
    /// line on a screen, not for every batch.
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
