//! Observes a load: keeps rejects, renews the progress that others see, and decides when to stop.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use keystride_table::input::RejectsWriter;
use keystride_table::load::{Counts, Earlier, LoadObserver, Phase, Proceed, Progress, Rejected, StoredReads};

use super::handle::{LoadHandle, LoadProgress, WindowHeat};
use super::outlet::Outlet;

/// The observer of a job, which passes everything on to another one.
pub(super) struct JobObserver<'o> {
    pub(super) rejects: Option<RejectsWriter>,
    pub(super) outlet: Option<Outlet>,
    pub(super) abort_if_hot: Option<f64>,
    pub(super) handle: LoadHandle,
    pub(super) inner: &'o mut dyn LoadObserver,
    /// The balance that was too hot.
    pub(super) hot: Option<f64>,
    /// The numbers of records and of rows that are known to be stored.
    pub(super) stored: (u64, u64),
    looked: Option<Instant>,
    /// The number of windows when the balance was last checked.
    windows_looked_at: u64,
    last_window: Option<WindowHeat>,
    /// When the progress was last renewed, and what the load was doing then.
    renewed: Option<(Instant, Phase)>,
}

/// The interval at which the balance is checked.
const LOOK: Duration = Duration::from_secs(1);

/// The interval at which the progress is renewed.
const RENEW: Duration = Duration::from_millis(100);

/// The number of windows below which their balance says nothing about a design.
const LEAST_WINDOWS: u64 = 10;

impl<'o> JobObserver<'o> {
    pub(super) fn new(
        rejects: Option<RejectsWriter>,
        outlet: Option<Outlet>,
        abort_if_hot: Option<f64>,
        handle: LoadHandle,
        inner: &'o mut dyn LoadObserver,
    ) -> Self {
        Self {
            rejects,
            outlet,
            abort_if_hot,
            handle,
            inner,
            hot: None,
            stored: (0, 0),
            looked: None,
            windows_looked_at: 0,
            last_window: None,
            renewed: None,
        }
    }

    /// Whether the balance is to be checked: now and then for display, and every ten windows if it decides.
    fn is_to_look(&self, progress: &Progress<'_>) -> bool {
        let new_windows = progress.window_count().saturating_sub(self.windows_looked_at);
        let decides = self.abort_if_hot.is_some() && new_windows >= LEAST_WINDOWS;
        decides || self.looked.is_none_or(|looked| looked.elapsed() >= LOOK)
    }

    fn look(&mut self, progress: &Progress<'_>) {
        (self.looked, self.windows_looked_at) = (Some(Instant::now()), progress.window_count());
        self.last_window = progress.last_window().map(|(window, chance)| WindowHeat {
            hot: window.distribution.imbalance(),
            chance: chance.median,
        });
        let Some(limit) = self.abort_if_hot else { return };
        let balance = progress.balance().filter(|balance| balance.window_count >= LEAST_WINDOWS);
        self.hot = balance.map(|balance| balance.imbalance.median).filter(|hot| *hot >= limit);
    }

    fn renew(&mut self, progress: &Progress<'_>) {
        let wants_heat = self.handle.takes_heat();
        if wants_heat {
            self.handle.set_heat(progress.heat());
        }
        let is_fresh =
            |(renewed, phase): (Instant, Phase)| renewed.elapsed() < RENEW && phase == progress.phase;
        if self.renewed.is_some_and(is_fresh) && !wants_heat {
            return;
        }
        self.renewed = Some((Instant::now(), progress.phase));
        self.handle.set_progress(LoadProgress {
            phase: Some(progress.phase),
            counts: progress.counts.clone(),
            bytes_read: progress.bytes_read,
            byte_count: progress.byte_count,
            elapsed_ms: progress.elapsed_ms,
            retries: progress.retries,
            last_window: self.last_window,
        });
    }
}

impl LoadObserver for JobObserver<'_> {
    fn earlier(&mut self, earlier: &Earlier) {
        if let Earlier::Broken(Counts { records, rows, .. })
        | Earlier::Complete(Counts { records, rows, .. }) = earlier
        {
            self.stored = (*records, *rows);
            self.handle.set_stored_rows(*rows);
            // What the earlier run rejected is rejected again, unless the input has changed.
            if let Some(writer) = &mut self.rejects {
                writer.begin_draft();
            }
        }
        self.inner.earlier(earlier);
    }

    fn keeps_progress_in(&mut self, file: &Path) {
        self.inner.keeps_progress_in(file);
    }

    fn compares_stored(&mut self, reads: &StoredReads) {
        self.inner.compares_stored(reads);
    }

    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()> {
        if let Some(writer) = &mut self.rejects {
            writer.write(rejected).map_err(|cause| with_path(writer, &cause))?;
        }
        if let Some(outlet) = &mut self.outlet {
            outlet.reject(rejected);
        }
        self.inner.rejected(rejected)
    }

    fn keep_rejects(&mut self) -> io::Result<()> {
        if let Some(writer) = &mut self.rejects {
            writer.flush().map_err(|cause| with_path(writer, &cause))?;
        }
        if let Some(outlet) = &mut self.outlet {
            outlet.flush()?;
        }
        self.inner.keep_rejects()
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        if progress.phase == Phase::Storing {
            self.stored = (progress.counts.records, progress.counts.rows);
            self.handle.set_stored_rows(progress.counts.rows);
            if let (Some(outlet), Some(checkpoint)) = (&mut self.outlet, progress.checkpoint) {
                outlet.reached(checkpoint);
            }
            if let Some(writer) = &mut self.rejects {
                // Where this fails, the end of the load tries again, and tells.
                let _ = writer.settle().and_then(|()| writer.flush());
            }
        }
        if self.is_to_look(progress) {
            self.look(progress);
        }
        self.renew(progress);
        let proceed = self.inner.progress(progress);
        if self.hot.is_some() || self.handle.is_cancelled() { Proceed::Stop } else { proceed }
    }
}

/// Returns the error with the path of the file.
pub(super) fn with_path(writer: &RejectsWriter, cause: &io::Error) -> io::Error {
    io::Error::new(cause.kind(), format!("{}: {cause}", writer.path().display()))
}
