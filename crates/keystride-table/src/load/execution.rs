//! Execution of a load.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures_util::future::{Either, select};
use keystride_store::{Bulk, Note, StoreError, Write};
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

use super::claim::Claim;
use super::error::LoadError;
use super::ledger::{Closing, Ledger};
use super::note::LoadState;
use super::note_place::NotePlace;
use super::options::{LoadOptions, Start};
use super::plan::LoadPlan;
use super::produce::{self, ReadStretch, SortMessage, SortRoom, Stopped};
use super::progress::{LoadObserver, Phase, Proceed};
use super::rate::Throttle;
use super::report::{Ending, LoadReport, WriteMethod};
use super::tally::{End, Tally};
use crate::Table;
use crate::source::RecordSource;

/// A load of rows into a table.
#[derive(Debug)]
pub struct Load {
    table: Table,
    options: LoadOptions,
}

impl Load {
    /// Creates a load into `table`.
    pub fn new(table: &Table, options: LoadOptions) -> Self {
        Self { table: table.clone(), options }
    }

    /// Reads the source to its end and stores the rows; a source without an end is read until the observer stops the
    /// load. If the future is dropped before the end, acknowledged rows stay
    /// stored and the load can be resumed.
    ///
    /// # Errors
    ///
    /// [`LoadError`] for what aborts the whole load; rejected rows are reported to `observer` and counted. What was
    /// acknowledged before an error stays stored.
    pub async fn run(
        self,
        source: impl RecordSource + 'static,
        observer: &mut dyn LoadObserver,
    ) -> Result<LoadReport, LoadError> {
        let options = self.options.without_reading(source.memory_bytes());
        let source: Box<dyn RecordSource> = Box::new(source);
        let claim = if source.is_endless() { claim(&self.table, &options).await? } else { None };
        let mut plan = LoadPlan::new(self.table, options).await?;
        plan.same_key = plan.same_key.for_source(source.is_endless());
        if let Some(earlier) = &plan.earlier {
            observer.earlier(earlier);
        }
        let byte_count = source.progress().byte_count;
        let heat = plan.options.heat(plan.regions.len());
        let ledger = Ledger::new(observer, plan.options.clock.clone(), heat, byte_count)
            .with_store(Arc::clone(plan.table.store()));
        let bulk = if plan.wants_sorting(&*source) { plan.bulk().await? } else { None };
        tracing::info!(load = %plan.options.id, table = %plan.table.name(), sorted = bulk.is_some(), "load begins");
        match bulk {
            Some(bulk) => run_sorted(plan, source, bulk, ledger).await,
            None => run_batches(plan, source, claim, ledger).await,
        }
    }
}

/// Claims the load of a source that must not be loaded by two; where notes can't be kept, a lock on their file does it.
async fn claim(table: &Table, options: &LoadOptions) -> Result<Option<Claim>, LoadError> {
    if options.start == Start::Unrecorded {
        return Ok(None);
    }
    match Claim::take(table.store(), table.name(), &options.id).await {
        Err(LoadError::Store(StoreError::NotesDenied { .. })) if options.notes_folder.is_some() => Ok(None),
        claim => claim.map(Some),
    }
}

async fn run_batches(
    plan: LoadPlan,
    source: Box<dyn RecordSource>,
    mut claim: Option<Claim>,
    mut ledger: Ledger<'_>,
) -> Result<LoadReport, LoadError> {
    let (begin, is_endless) = (source.checkpoint(), source.is_endless());
    let intake = plan.intake(source, plan.options.comparing_bytes())?;
    ledger.compare_latest(intake.latest_compared());
    let resumed = plan.resumed.clone().map(|note| (plan.options.id.clone(), note));
    // What is resumed has a note; where a topic's is kept is found out by keeping it once more.
    let notes = if resumed.is_none() || is_endless { plan.keep_stamp(begin).await? } else { None };
    ledger.keep_progress_in(notes.as_ref().and_then(NotePlace::file));
    let (send, mut messages) = mpsc::channel(plan.options.waiting_count());
    let producing = spawn_blocking(move || produce::batches(intake, resumed, &send));
    let places = Places { notes, claim: claim.as_mut() };
    let ending = write_batches(&plan, places, &mut messages, &mut ledger).await?;
    if let Some(claim) = claim {
        claim.release().await;
    }
    if let Some(ending) = ending {
        return Ok(report(plan, ledger, ending, WriteMethod::Batches));
    }
    outcome(producing).await?;
    Err(LoadError::ReaderLost)
}

/// The next step of a load in batches.
#[derive(Debug)]
struct Step {
    tally: Tally,
    phase: Phase,
    /// The prepared write, if anything is to be written.
    write: Option<Write>,
    /// The note to be kept in a file after that.
    note: Option<Note>,
}

/// What is kept of a load beside its rows.
struct Places<'c> {
    notes: Option<NotePlace>,
    claim: Option<&'c mut Claim>,
}

impl Places<'_> {
    /// Keeps the note of a batch that was acknowledged, unless it was written with it.
    fn keep(&self, note: Option<Note>) -> Result<(), LoadError> {
        match (&self.notes, note) {
            (Some(NotePlace::File(file)), Some(note)) => file.keep(&note),
            _ => Ok(()),
        }
    }
}

/// Writes batches until the load ends, preparing the next one meanwhile. Returns `None` if the producer ended
/// prematurely.
async fn write_batches(
    plan: &LoadPlan,
    mut places: Places<'_>,
    messages: &mut Receiver<ReadStretch>,
    ledger: &mut Ledger<'_>,
) -> Result<Option<Ending>, LoadError> {
    let mut throttle = Throttle::of(&plan.options);
    let in_file = matches!(places.notes, Some(NotePlace::File(_)));
    let mut next = next_step(plan, in_file, messages).await?;
    while let Some(Step { mut tally, phase, write, note }) = next {
        if let Some(claim) = &mut places.claim {
            claim.hold().await?;
        }
        if tally.checkpoint.is_some() {
            ledger.keep_rejects(&mut tally)?;
        }
        let mut following = pin!(next_step(plan, in_file, messages));
        let early = match write {
            None => None,
            Some(write) => {
                throttle.let_through(write.batch().rows().len() as u64).await;
                let begun = Instant::now();
                let writing = plan.table.store().write(plan.table.name(), write);
                let (written, early) = beside(writing, following.as_mut()).await;
                written?;
                places.keep(note)?;
                ledger.acknowledged(begun);
                early
            }
        };
        let is_storing = phase == Phase::Storing;
        let end = tally.end.filter(|_| is_storing);
        // Until it has caught up, the load does not know whether the input is the same.
        if ledger.enter(tally, phase)? == Proceed::Stop && end.is_none() && is_storing {
            return Ok(Some(Ending::Stopped));
        }
        if let Some(end) = end {
            return Ok(Some(end.into()));
        }
        next = match early {
            Some(following) => following?,
            None => following.await?,
        };
    }
    Ok(None)
}

/// Waits for `first` while also polling `second`. Returns the output of `second` if it completed first.
async fn beside<A: Future + Unpin, B: Future + Unpin>(first: A, second: B) -> (A::Output, Option<B::Output>) {
    match select(first, second).await {
        Either::Left((first, _)) => (first, None),
        Either::Right((second, first)) => (first.await, Some(second)),
    }
}

/// Receives the next step, preparing its write if there is memory for that.
async fn next_step(
    plan: &LoadPlan,
    in_file: bool,
    messages: &mut Receiver<ReadStretch>,
) -> Result<Option<Step>, LoadError> {
    let Some(ReadStretch { tally, phase, batch }) = messages.recv().await else { return Ok(None) };
    let Some(batch) = batch else { return Ok(Some(Step { tally, phase, write: None, note: None })) };
    let mut write = if plan.options.prepares_ahead() {
        plan.table.store().prepare(plan.table.name(), batch).await?
    } else {
        Write::of(batch)
    };
    let mut note = note_of(plan, &tally);
    if !in_file {
        write.notes.extend(note.take());
    }
    Ok(Some(Step { tally, phase, write: Some(write), note }))
}

async fn run_sorted(
    plan: LoadPlan,
    source: Box<dyn RecordSource>,
    mut bulk: Box<dyn Bulk>,
    mut ledger: Ledger<'_>,
) -> Result<LoadReport, LoadError> {
    let budget = plan.options.budget_bytes();
    // One half of the memory is for comparing rows, the other for sorting them.
    let comparing = budget / 2;
    let intake = plan.intake(source, comparing)?;
    let room = SortRoom {
        memory_bytes: budget - comparing,
        folder: plan.options.spill_folder.clone(),
        batch_bytes: plan.options.stretch_bytes(),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let (send, mut messages) = mpsc::channel(1);
    let told = Arc::clone(&stop);
    let producing = spawn_blocking(move || produce::sorted(intake, room, &told, &send));
    let (ending, note) = fill(&plan, bulk.as_mut(), &mut messages, &mut ledger, &stop).await?;
    let runs_in_files = outcome(producing).await?;
    bulk.finish(note.into_iter().collect()).await?;
    ledger.tell(Phase::Storing);
    Ok(report(plan, ledger, ending, WriteMethod::Sorted { runs_in_files }))
}

/// Passes sorted rows to `bulk` until the producer ends. Returns how the load ended, and its note.
async fn fill(
    plan: &LoadPlan,
    bulk: &mut dyn Bulk,
    messages: &mut Receiver<SortMessage>,
    ledger: &mut Ledger<'_>,
    stop: &AtomicBool,
) -> Result<(Ending, Option<Note>), LoadError> {
    let (mut ending, mut note, mut rows) = (Ending::Stopped, None, 0);
    let mut throttle = Throttle::of(&plan.options);
    while let Some(message) = messages.recv().await {
        let proceed = match message {
            SortMessage::Taken(tally) => {
                ending = tally.end.map_or(Ending::Stopped, Ending::from);
                note = note_of(plan, &tally);
                ledger.enter(tally, Phase::Sorting)?
            }
            SortMessage::Sorted(batch) => {
                let count = batch.rows().len() as u64;
                throttle.let_through(count).await;
                rows += count;
                bulk.write(batch).await?;
                ledger.tell(Phase::Filling { rows })
            }
        };
        if proceed == Proceed::Stop {
            stop.store(true, Ordering::Relaxed);
        }
    }
    Ok((ending, note))
}

/// Returns the result of the producer.
async fn outcome<T>(producing: JoinHandle<Result<T, Stopped>>) -> Result<T, LoadError> {
    match joined(producing.await)? {
        Ok(done) => Ok(done),
        Err(Stopped::Failed(error)) => Err(error),
        Err(Stopped::GivenUp) => Err(LoadError::ReaderLost),
    }
}

/// Returns the result of a task on another thread, propagating its panic.
fn joined<T>(joined: Result<T, JoinError>) -> Result<T, LoadError> {
    joined.map_err(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => LoadError::ReaderLost,
    })
}

fn note_of(plan: &LoadPlan, tally: &Tally) -> Option<Note> {
    let state = match tally.end {
        Some(End::Input) => LoadState::Complete,
        Some(End::Reject) | None => LoadState::UnderWay,
    };
    let note = || plan.note(state, tally.counts.clone(), tally.input_digest, tally.checkpoint.clone());
    let note = || note().to_note(&plan.options.id);
    plan.keeps_notes().then(note)
}

fn report(plan: LoadPlan, ledger: Ledger<'_>, ending: Ending, way: WriteMethod) -> LoadReport {
    let same_key = plan.options.same_key(plan.same_key);
    ledger.close(Closing {
        id: plan.options.id,
        stamp_ms: plan.stamp_ms,
        ending,
        way,
        same_key,
        resumed_from: plan.resumed.map(|note| note.counts.records),
        regions: plan.regions.into_iter().map(|region| region.id).collect(),
    })
}

impl From<End> for Ending {
    fn from(end: End) -> Self {
        match end {
            End::Input => Self::Complete,
            End::Reject => Self::Rejected,
        }
    }
}
