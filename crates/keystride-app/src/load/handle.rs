//! What is known of a load from outside, while it runs and afterwards.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use keystride_heat::HeatMap;
use keystride_table::load::{Counts, Phase};
use tokio::sync::watch;

/// Watches and cancels a load. Cheap to clone; it stays valid after the load.
#[derive(Debug, Clone)]
pub struct LoadHandle(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    progress: watch::Sender<LoadProgress>,
    is_cancelled: AtomicBool,
    wants_heat: AtomicBool,
    stored_rows: AtomicU64,
    heat: Mutex<Option<Arc<HeatMap>>>,
}

/// How far a load is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoadProgress {
    /// What it is doing; `None` before it has begun.
    pub phase: Option<Phase>,
    /// The records so far by outcome, including those of earlier runs.
    pub counts: Counts,
    /// Bytes of the input read so far.
    pub bytes_read: u64,
    /// Size of the whole input in bytes; `None` if it is unknown.
    pub byte_count: Option<u64>,
    /// Milliseconds since it began.
    pub elapsed_ms: u64,
    /// Number of calls to servers that had to be repeated.
    pub retries: u64,
    /// The last window with rows; `None` before there is one.
    pub last_window: Option<WindowHeat>,
}

/// How hot a window is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowHeat {
    /// Rows of the hottest region divided by the mean of all regions: 1 is even.
    pub hot: f64,
    /// What chance alone would show, as median.
    pub chance: f64,
}

impl LoadHandle {
    pub(super) fn new() -> Self {
        let progress = watch::Sender::new(LoadProgress::default());
        let [is_cancelled, wants_heat] = [false; 2].map(AtomicBool::new);
        let (stored_rows, heat) = (AtomicU64::new(0), Mutex::default());
        Self(Arc::new(Shared { progress, is_cancelled, wants_heat, stored_rows, heat }))
    }

    /// Returns how far the load is. It is renewed about ten times per second.
    pub fn progress(&self) -> LoadProgress {
        self.0.progress.borrow().clone()
    }

    /// Returns a receiver that notices when the progress is renewed.
    pub fn changes(&self) -> watch::Receiver<LoadProgress> {
        self.0.progress.subscribe()
    }

    /// Returns the rows of each window and region as they were when the load was last asked, and asks it for the
    /// present ones, which come with the next [change](Self::changes). `None` until then; after the load, the last.
    pub fn heat(&self) -> Option<Arc<HeatMap>> {
        self.0.wants_heat.store(true, Ordering::Relaxed);
        self.0.heat.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops the load after the batch under way. What was read is stored, and the load can be resumed. A resumed load
    /// that still reads what an earlier run has stored goes on until it has caught up.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns how many rows are acknowledged, those of earlier runs included.
    pub fn stored_rows(&self) -> u64 {
        self.0.stored_rows.load(Ordering::Relaxed)
    }

    pub(super) fn set_stored_rows(&self, rows: u64) {
        self.0.stored_rows.store(rows, Ordering::Relaxed);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Whether somebody asked for the heat since it was last set.
    pub(super) fn takes_heat(&self) -> bool {
        self.0.wants_heat.swap(false, Ordering::Relaxed)
    }

    pub(super) fn set_heat(&self, heat: HeatMap) {
        *self.0.heat.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(heat));
    }

    pub(super) fn set_progress(&self, progress: LoadProgress) {
        self.0.progress.send_replace(progress);
    }
}
