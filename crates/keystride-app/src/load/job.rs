//! A load that can be watched and cancelled.

use std::io;
use std::path::PathBuf;

use keystride::{KeyCodec, SplitPoints};
use keystride_store::Writers;
use keystride_table::Table;
use keystride_table::input::RejectsWriter;
use keystride_table::load::{self, Ending, Load, LoadError, LoadId, LoadObserver, LoadOptions, LoadReport};
use keystride_table::source::RecordSource;
use keystride_table::source::topic::TopicOutlet;

use super::handle::{LoadHandle, LoadProgress};
use super::observer::{JobObserver, with_path};
use super::outlet::Outlet;

/// A load of a source into a table, or a trial of one, which can be watched and cancelled by its [handle](Self::handle).
///
/// It runs in the future that [`Self::run`] returns: spawn it, or drop it to break the load off. What was acknowledged
/// then stays stored, and a job with the same id and [`Start::Resume`](load::Start::Resume) goes on after it.
#[derive(Debug)]
pub struct LoadJob {
    target: Target,
    options: LoadOptions,
    rejects: Option<RejectsWriter>,
    outlet: Option<Outlet>,
    abort_if_hot: Option<f64>,
    handle: LoadHandle,
}

#[derive(Debug)]
enum Target {
    Table(Table),
    /// Nothing is stored.
    Trial {
        codec: KeyCodec,
        points: SplitPoints,
        writers: Writers,
    },
}

/// A load that ended, be it complete or stopped.
#[derive(Debug)]
pub struct Loaded {
    /// Its report.
    pub report: LoadReport,
    /// The median imbalance of its windows, if that was so hot that it stopped the load.
    pub hot: Option<f64>,
    /// The file with the rejected records, if there are any.
    pub rejects: Option<PathBuf>,
    /// The file of rejects that was there before, and where it is now, if it was set aside.
    pub set_aside: Option<[PathBuf; 2]>,
    /// Whether all rejected records are kept.
    pub kept: io::Result<()>,
}

/// A load that failed.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct FailedLoad {
    /// Why.
    #[source]
    pub error: LoadError,
    /// The number of records whose rows are stored, if they are not rejected.
    pub records: u64,
    /// The number of rows that are stored.
    pub rows: u64,
    /// The file of rejects that was there before, and where it is now, if it was set aside.
    pub set_aside: Option<[PathBuf; 2]>,
}

impl LoadJob {
    /// Creates the job of a load into `table`, which keeps no rejected records.
    pub fn new(table: &Table, options: LoadOptions) -> Self {
        Self::of(Target::Table(table.clone()), options)
    }

    /// Creates a job that only tells what a load would do: see [`load::replay()`]. It blocks its thread while it runs.
    pub fn trial(codec: &KeyCodec, points: SplitPoints, writers: Writers, options: LoadOptions) -> Self {
        Self::of(Target::Trial { codec: codec.clone(), points, writers }, options)
    }

    fn of(target: Target, options: LoadOptions) -> Self {
        Self { target, options, rejects: None, outlet: None, abort_if_hot: None, handle: LoadHandle::new() }
    }

    /// Keeps rejected records in a file.
    #[must_use]
    pub fn with_rejects(self, rejects: RejectsWriter) -> Self {
        Self { rejects: Some(rejects), ..self }
    }

    /// Tells a topic's brokers how far the load is, and sends rejected records to them.
    #[must_use]
    pub fn with_outlet(self, outlet: Box<dyn TopicOutlet>) -> Self {
        Self { outlet: Some(Outlet::new(outlet)), ..self }
    }

    /// Stops the load when the median window is at least so many times hotter than even, after ten windows or more.
    #[must_use]
    pub fn abort_if_hot(self, times: Option<f64>) -> Self {
        Self { abort_if_hot: times, ..self }
    }

    /// Returns the load's id.
    pub fn id(&self) -> &LoadId {
        &self.options.id
    }

    /// Returns what watches and cancels it.
    pub fn handle(&self) -> LoadHandle {
        self.handle.clone()
    }

    /// Does the load, and notifies `observer` as well.
    ///
    /// # Errors
    ///
    /// [`FailedLoad`] for what aborts the whole load.
    pub async fn run(
        self,
        source: impl RecordSource + 'static,
        observer: &mut dyn LoadObserver,
    ) -> Result<Loaded, FailedLoad> {
        let Self { target, options, rejects, outlet, abort_if_hot, handle } = self;
        let mut observer = JobObserver::new(rejects, outlet, abort_if_hot, handle, observer);
        let done = match target {
            Target::Table(table) => Load::new(&table, options).run(source, &mut observer).await,
            Target::Trial { codec, points, writers } => {
                load::replay(source, &codec, points, writers, options, &mut observer)
            }
        };
        if let Some(outlet) = &mut observer.outlet {
            outlet.close();
        }
        match done {
            Ok(report) => Ok(observer.finish(report)),
            Err(error) => Err(observer.fail(error)),
        }
    }
}

impl JobObserver<'_> {
    fn finish(mut self, report: LoadReport) -> Loaded {
        let mut kept = Ok(());
        let mut rejects = None;
        if let Some(writer) = &mut self.rejects {
            kept = writer.settle().and_then(|()| writer.flush()).and_then(|()| writer.remove_contained());
            if report.ending == Ending::Complete {
                kept = kept.and_then(|()| writer.remove_stale());
            }
            kept = kept.map_err(|cause| with_path(writer, &cause));
            rejects = (kept.is_ok() && writer.count() > 0).then(|| writer.path().to_owned());
        }
        self.handle.set_heat(report.heat.clone());
        self.handle.set_progress(LoadProgress {
            counts: report.counts.clone(),
            bytes_read: report.bytes_read,
            elapsed_ms: report.elapsed_ms,
            retries: report.retries,
            ..self.handle.progress()
        });
        Loaded { hot: self.hot, rejects, set_aside: self.set_aside(), kept, report }
    }

    fn fail(mut self, error: LoadError) -> FailedLoad {
        if let Some(writer) = &mut self.rejects {
            // The load has failed already, and a copy too many does no harm.
            let _ = writer.flush().and_then(|()| writer.remove_contained());
        }
        let (records, rows) = self.stored;
        FailedLoad { error, records, rows, set_aside: self.set_aside() }
    }

    fn set_aside(&self) -> Option<[PathBuf; 2]> {
        let writer = self.rejects.as_ref()?;
        Some([writer.path().to_owned(), writer.set_aside()?.to_owned()])
    }
}
