//! One table that is watched.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use keystride_heat::live::findings::{Finding, findings};
use keystride_heat::live::view::{BucketRange, Sizes, View, ViewRequest};
use keystride_heat::live::{Closed, Column, Metric};
use keystride_store::{Clock, Region, TableName, TableReader};
use tokio::sync::broadcast::{Sender, WeakSender};
use tokio::task::AbortHandle;
use tokio::time::{Instant, interval, timeout};

use super::archive::{ArchiveError, ArchiveSender};
use super::counting::OfTable;
use super::feed::WAITING;
use super::options::is_alone;
use super::state::{State, millis};
use super::{HeatError, HeatFeed, HeatOptions};

/// A table that is watched. Clones are the same watch; it ends when the last one is dropped, with [`stop`](Self::stop),
/// or when the table is gone or the store closed.
#[derive(Debug, Clone)]
pub struct HeatWatch(Arc<Running>);

/// A watch that somebody has. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Running {
    shared: Arc<Shared>,
    task: AbortHandle,
}

/// What the task of a watch and its users share.
#[derive(Debug)]
struct Shared {
    table: TableName,
    state: Mutex<State>,
    /// The task has the other end: feeds end with it.
    columns: WeakSender<Arc<Column>>,
}

/// What the task of a watch has.
struct Task {
    shared: Arc<Shared>,
    source: Source,
    clock: Arc<dyn Clock>,
    period: Duration,
    archive: Option<ArchiveSender>,
    columns: Sender<Arc<Column>>,
}

/// Where columns come from.
pub(super) enum Source {
    /// The counters of a table's regions.
    Regions(Arc<dyn TableReader>),
    /// What passes through this program, until the table is dropped.
    Traffic(Weak<OfTable>),
}

impl HeatWatch {
    /// Begins to watch. Must be called within a Tokio runtime.
    pub(super) fn begin(
        source: Source,
        table: TableName,
        options: &HeatOptions,
        archive: Option<ArchiveSender>,
    ) -> Self {
        let period = source.period(options);
        let state = Mutex::new(State::new(period));
        let columns = Sender::new(WAITING);
        let shared = Arc::new(Shared { table, state, columns: columns.downgrade() });
        let clock = Arc::clone(&options.clock);
        let task = Task { shared: Arc::clone(&shared), source, clock, period, archive, columns };
        Self(Arc::new(Running { shared, task: tokio::spawn(task.run()).abort_handle() }))
    }

    /// Returns the table.
    pub fn table(&self) -> &TableName {
        &self.0.shared.table
    }

    /// Returns the columns that come from now on.
    pub fn subscribe(&self) -> HeatFeed {
        match self.0.shared.columns.upgrade() {
            Some(columns) => HeatFeed::new(columns.subscribe()),
            None => HeatFeed::ended(),
        }
    }

    /// Returns the columns that meet a time in ms since 1970-01-01 UTC, in its order, as fine as they are kept.
    pub fn columns(&self, times_ms: Range<i64>) -> Vec<Arc<Column>> {
        self.state().layers.columns(times_ms.start, times_ms.end)
    }

    /// Returns the map of a time. With thousands of regions, it takes some tens of milliseconds: call it where that does no
    /// harm, such as in `tokio::task::spawn_blocking`.
    pub fn view(&self, times_ms: Range<i64>, request: &ViewRequest<'_>) -> View {
        View::of(&self.columns(times_ms), request)
    }

    /// Returns what the map of a time means. `buckets` are those of a design whose keys begin with one, else none. It takes
    /// as long as a view.
    pub fn findings(&self, times_ms: Range<i64>, metric: Metric, buckets: &[BucketRange]) -> Vec<Finding> {
        findings(&self.columns(times_ms), metric, buckets)
    }

    /// Returns the names of the servers, to which columns refer by index.
    pub fn servers(&self) -> Vec<Box<str>> {
        self.state().servers().to_vec()
    }

    /// Returns the sizes of the regions when they were last read, for maps of density: as servers say, or the bytes written
    /// since the region was created. `None` before the first reading.
    pub fn sizes(&self) -> Option<Arc<Sizes>> {
        self.state().sizes.clone()
    }

    /// Returns why the last reading failed, if it did. Such a time is a gap.
    pub fn failure(&self) -> Option<Arc<HeatError>> {
        self.state().failure.clone()
    }

    /// Returns why the past is not kept in a file, although a folder was given.
    pub fn not_kept(&self) -> Option<Arc<ArchiveError>> {
        self.state().not_kept.clone()
    }

    /// Ends the watch. What was seen stays readable.
    pub fn stop(&self) {
        self.0.task.abort();
    }

    /// Ends the watch, and keeps the minute that has not ended.
    pub(super) fn finish(&self, archive: &ArchiveSender) {
        self.stop();
        let mut state = self.state();
        if state.not_kept.is_none() {
            let closed = state.layers.finish();
            archive.keep(self.table(), &closed, state.servers());
        }
    }

    /// Whether nothing is read any more.
    pub fn has_ended(&self) -> bool {
        self.0.task.is_finished()
    }

    pub(super) fn running(&self) -> &Arc<Running> {
        &self.0
    }

    pub(super) fn of(running: Arc<Running>) -> Self {
        Self(running)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.shared.state()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Task {
    async fn run(self) {
        if let Some(archive) = &self.archive {
            let kept = archive.open(&self.shared.table, millis(self.period)).await;
            self.shared.state().resume(self.period, kept);
        }
        let mut ticks = interval(self.period);
        loop {
            ticks.tick().await;
            let begun = Instant::now();
            match &self.source {
                Source::Regions(store) => {
                    let read = self.read(store).await;
                    if begun.elapsed() > self.period / 2 {
                        // The next reading would follow too soon for a rate.
                        ticks.reset();
                    }
                    let is_over = read.as_ref().is_err_and(HeatError::is_final);
                    self.tell(|state, at_ms| state.take(at_ms, read));
                    if is_over {
                        return;
                    }
                }
                Source::Traffic(table) => {
                    let Some(table) = table.upgrade() else { return };
                    self.tell(|state, at_ms| state.take_traffic(at_ms, &mut table.lock()));
                }
            }
        }
    }

    /// Reads the regions. What takes longer than two periods has failed: the next reading may succeed.
    async fn read(&self, store: &Arc<dyn TableReader>) -> Result<Vec<Region>, HeatError> {
        let after = 2 * self.period;
        match timeout(after, store.regions(&self.shared.table)).await {
            Ok(read) => Ok(read?),
            Err(_) => Err(HeatError::Slow { after }),
        }
    }

    /// Keeps and sends what is taken now.
    fn tell(&self, take: impl FnOnce(&mut State, i64) -> Vec<Closed>) {
        let mut state = self.shared.state();
        let closed = take(&mut state, self.clock.now_ms());
        if let Some(archive) = self.archive.as_ref().filter(|_| state.not_kept.is_none()) {
            archive.keep(&self.shared.table, &closed, state.servers());
        }
        drop(state);
        for closed in closed {
            if closed.layer == 0 {
                // Nobody may be there to take it.
                let _ = self.columns.send(closed.column);
            }
        }
    }
}

impl Source {
    fn period(&self, options: &HeatOptions) -> Duration {
        match self {
            Self::Regions(store) => options.period_for(is_alone(&**store)),
            Self::Traffic(_) => options.period_of_traffic(),
        }
    }
}
