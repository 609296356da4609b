//! Execution of an extract.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::future::join_all;
use futures_util::{StreamExt, TryFutureExt};
use keystride::KeyRange;
use keystride_store::{Order, Region, RowBatch, RowStream, Scan, Writers};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::durable::make_folder;
use super::job::Job;
use super::leftovers;
use super::manifest::{Manifest, PartFile, Phase};
use super::publish::{check_layout, check_place, check_published, publish};
use super::share::RowSharer;
use super::units::{rows_written, units};
use super::{Existing, ExtractError, Extracted};
use crate::arrow::ColumnRows;
use crate::scan::ReadError;

/// A part to be read, with its number.
type Unit = (usize, Vec<KeyRange>);

/// State shared by the workers.
struct Work {
    left: Mutex<std::vec::IntoIter<Unit>>,
    manifest: Mutex<Manifest>,
}

/// Stops the workers of a job whose future was dropped.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Job {
    /// Starts or resumes the extract, reads all parts, and publishes them.
    pub(super) async fn run(self: Arc<Self>) -> Result<Extracted, ExtractError> {
        let _stop = StopOnDrop(&self.is_stopped);
        let regions = self.table.store().regions(self.table.name()).await?;
        let job = Arc::clone(&self);
        let manifest = blocking("begin", move || job.begin(&regions)).await?;
        let parts_kept = manifest.done.len();
        self.progress.send_replace(manifest.progress());
        let mut manifest = self.read_units(manifest).await?;
        let job = Arc::clone(&self);
        let manifest = blocking("publish its files", move || {
            match manifest.phase {
                Phase::Reading | Phase::Publishing => publish(&job, &mut manifest)?,
                Phase::Done => check_published(&job, &manifest)?,
            }
            Ok(manifest)
        })
        .await?;
        Ok(self.extracted(&manifest, parts_kept))
    }

    fn begin(&self, regions: &[Region]) -> Result<Manifest, ExtractError> {
        make_folder(self.folder())?;
        check_layout(self)?;
        let path = self.manifest_path();
        if self.extract.existing == Existing::Resume
            && let Some(manifest) = Manifest::read(&path)?
        {
            if manifest.phase == Phase::Reading {
                // Another extract may have published its files meanwhile.
                self.check_places(&path, manifest.replaces)?;
            }
            return Ok(manifest);
        }
        let replaces = self.extract.existing == Existing::Overwrite;
        self.check_places(&path, replaces)?;
        leftovers::clear(self)?;
        let planned = &self.prepared.plan.ranges;
        // Region servers reset their counts when they take over a region, so those of a cluster are not used. Other
        // stores reset them when a region is split, so a count of 0 is not used either.
        let is_counted = self.table.store().writers() == Writers::Alone;
        let rows = is_counted.then(|| rows_written(planned, regions)).filter(|&rows| rows > 0);
        let units = units(self.design(), planned, regions, rows, &self.extract);
        let manifest = Manifest::new(units, replaces);
        manifest.write(&path)?;
        Ok(manifest)
    }

    /// Checks the partitions known before rows are read: the expected one, and those of an earlier run of the same
    /// extract, whose manifest and hidden files would be lost.
    fn check_places(&self, manifest: &Path, replaces: bool) -> Result<(), ExtractError> {
        let earlier = Manifest::read(manifest).ok().flatten();
        let files = earlier.iter().flat_map(Manifest::files);
        let partitions: BTreeSet<&str> =
            files.map(|file| file.partition.as_str()).chain(self.expected_partition()).collect();
        partitions.into_iter().try_for_each(|partition| check_place(self, partition, replaces))
    }

    /// Reads the remaining parts, several at a time, and records each in the manifest.
    async fn read_units(self: &Arc<Self>, manifest: Manifest) -> Result<Manifest, ExtractError> {
        let units = manifest.units.iter().cloned().enumerate();
        let left: Vec<Unit> = units.filter(|(unit, _)| !manifest.done.contains_key(unit)).collect();
        let workers = self.extract.workers.get().min(left.len());
        let (left, manifest) = (Mutex::new(left.into_iter()), Mutex::new(manifest));
        let work = Arc::new(Work { left, manifest });
        let worker = |_| {
            let (job, work) = (Arc::clone(self), Arc::clone(&work));
            // After an error, the other workers stop at their next batch; all are awaited.
            blocking("read rows", move || job.read_all(&work))
                .inspect_err(|_| self.is_stopped.store(true, Ordering::Relaxed))
        };
        let ended = join_all((0..workers).map(worker)).await;
        let (stopped, failed): (Vec<_>, Vec<_>) = ended
            .into_iter()
            .filter_map(Result::err)
            .partition(|error| matches!(error, ExtractError::Stopped));
        match failed.into_iter().chain(stopped).next() {
            Some(error) => Err(error),
            None => Ok(locked(&work.manifest).clone()),
        }
    }

    /// Reads parts until none is left, all on one thread, so that the memory of one part is reused for the next.
    fn read_all(&self, work: &Work) -> Result<(), ExtractError> {
        let replaces = locked(&work.manifest).replaces;
        let next = || locked(&work.left).next();
        let mut spare = None;
        while !self.is_stopped.load(Ordering::Relaxed)
            && let Some((unit, ranges)) = next()
        {
            let scan = Scan { ranges, ..self.prepared.scan(Order::Ascending) };
            let files = Handle::current().block_on(self.read_unit(unit, scan, replaces, &mut spare))?;
            let mut manifest = locked(&work.manifest);
            manifest.done.insert(unit, files);
            manifest.write(&self.manifest_path())?;
            self.progress.send_replace(manifest.progress());
        }
        Ok(())
    }

    async fn read_unit(
        &self,
        unit: usize,
        scan: Scan,
        replaces: bool,
        spare: &mut Option<ColumnRows>,
    ) -> Result<Vec<PartFile>, ExtractError> {
        let mut batches = self.table.store().scan(self.table.name(), scan).await?;
        let mut sharer = RowSharer::new(self, unit, replaces, spare.take())?;
        while let Some(batch) = poll_fn(|context| self.poll_next(&mut batches, context)).await {
            sharer.add(&batch?)?;
        }
        let (files, unused) = sharer.finish()?;
        *spare = unused;
        Ok(files)
    }

    /// Polls for the next batch of a scan, unless the job was stopped. This is checked whenever the scan yields.
    fn poll_next(
        &self,
        batches: &mut RowStream,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<RowBatch, ExtractError>>> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Poll::Ready(Some(Err(ExtractError::Stopped)));
        }
        batches.poll_next_unpin(context).map_err(|source| ReadError::from(source).into())
    }

    fn extracted(&self, manifest: &Manifest, parts_kept: usize) -> Extracted {
        let mut partitions = std::collections::BTreeMap::new();
        if let Some(partition) = self.expected_partition() {
            partitions.insert(partition.to_owned(), super::Counts::default());
        }
        let mut extracted = Extracted { parts_kept, ..Extracted::default() };
        for file in manifest.files() {
            partitions.entry(file.partition.clone()).or_default().add(file.counts);
            extracted.total.add(file.counts);
        }
        extracted.partitions = partitions.into_iter().collect();
        extracted
    }
}

/// Runs blocking work on a thread for such work, and propagates its panic.
async fn blocking<T: Send + 'static>(
    doing: &'static str,
    work: impl FnOnce() -> Result<T, ExtractError> + Send + 'static,
) -> Result<T, ExtractError> {
    spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => ExtractError::TaskLost { doing },
    })?
}

/// Ignores poisoning: shared state is only changed in single steps, so a panic leaves it consistent.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
