//! The reading side of a load: a thread that fills batches while the store writes others.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use keystride_store::{BatchPool, MutationBatch};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::LoadId;
use super::error::LoadError;
use super::intake::{Intake, RowSink};
use super::note::LoadNote;
use super::sorter::Sorter;
use super::tally::{End, Tally};
use crate::cells::RowImage;

/// What the reading side of a load in batches sends.
#[derive(Debug)]
pub(super) enum BatchMessage {
    /// Rows that an earlier run has stored.
    CaughtUp(Tally),
    /// Rows to be stored, and what they came to.
    Batch(MutationBatch, Tally),
}

/// What the reading side of a sorted load sends.
#[derive(Debug)]
pub(super) enum SortMessage {
    /// Rows that were taken to be sorted.
    Taken(Tally),
    /// Rows in the order of their keys, after all those sent before.
    Sorted(MutationBatch),
}

/// Why the reading side stopped before its end.
#[derive(Debug)]
pub(super) enum Stopped {
    /// NullSink listens any more.
    GivenUp,
    /// It could not go on.
    Failed(LoadError),
}

/// Where rows are sorted.
#[derive(Debug)]
pub(super) struct SortRoom {
    pub(super) memory_bytes: usize,
    pub(super) folder: Option<PathBuf>,
    /// Bytes of a batch of sorted rows.
    pub(super) batch_bytes: u64,
}

/// Reads all there is to read and sends it in batches, on a thread of a runtime. With the note of an earlier run it first
/// reads past what that has stored.
pub(super) fn batches(
    mut intake: Intake,
    resumed: Option<(LoadId, LoadNote)>,
    send: &Sender<BatchMessage>,
) -> Result<(), Stopped> {
    if let Some((id, note)) = resumed {
        catch_up(&mut intake, id, note, send)?;
    }
    let pool = BatchPool::new();
    loop {
        // First a place for it: a batch that waits is one of those there may be.
        let place = Handle::current().block_on(send.reserve()).map_err(|_| Stopped::GivenUp)?;
        let mut batch = pool.batch();
        let tally = intake.read_stretch(&mut batch)?;
        let is_end = tally.end.is_some();
        place.send(BatchMessage::Batch(batch, tally));
        if is_end {
            return Ok(());
        }
    }
}

/// Reads until the end or until `stop` is set, sorts, and sends what it has in batches that ascend; how many runs went
/// to files.
pub(super) fn sorted(
    mut intake: Intake,
    room: SortRoom,
    stop: &AtomicBool,
    send: &Sender<SortMessage>,
) -> Result<u64, Stopped> {
    let mut sorter = Sorter::new(room.memory_bytes, room.folder);
    let mut is_end = false;
    while !is_end && !stop.load(Ordering::Relaxed) {
        let tally = intake.read_stretch(&mut sorter)?;
        is_end = tally.end.is_some();
        deliver(send, SortMessage::Taken(tally))?;
    }
    let runs = sorter.runs_written();
    send_sorted(sorter, &intake, room.batch_bytes, send)?;
    Ok(runs)
}

fn catch_up(
    intake: &mut Intake,
    id: LoadId,
    note: LoadNote,
    send: &Sender<BatchMessage>,
) -> Result<(), Stopped> {
    let records = note.counts.records;
    let mut reached = (0, 0);
    while reached.0 < records {
        let tally = intake.catch_up(records)?;
        reached = (tally.counts.records, tally.input_digest);
        let is_end = tally.end == Some(End::Input);
        deliver(send, BatchMessage::CaughtUp(tally))?;
        if is_end {
            break;
        }
    }
    if reached != (records, note.input_digest) {
        return Err(LoadError::InputChanged { id, records }.into());
    }
    intake.set_counts(note.counts);
    Ok(())
}

fn send_sorted(
    sorter: Sorter,
    intake: &Intake,
    batch_bytes: u64,
    send: &Sender<SortMessage>,
) -> Result<(), Stopped> {
    let mut rows = sorter.finish().map_err(LoadError::Spill)?;
    let columns = intake.columns();
    let (mut row, mut last_key) = (RowImage::default(), Vec::new());
    let pool = BatchPool::new();
    let (mut batch, mut bytes) = (pool.batch(), 0);
    while rows.next(&mut row).map_err(LoadError::Spill)? {
        // Rows of one key must come in one batch.
        if bytes >= batch_bytes && row.key != last_key {
            deliver(send, SortMessage::Sorted(std::mem::replace(&mut batch, pool.batch())))?;
            bytes = 0;
        }
        batch.take(&row, columns)?;
        bytes += row.byte_count(columns);
        last_key.clone_from(&row.key);
    }
    deliver(send, SortMessage::Sorted(batch))
}

fn deliver<M>(send: &Sender<M>, message: M) -> Result<(), Stopped> {
    send.blocking_send(message).map_err(|_| Stopped::GivenUp)
}

impl From<LoadError> for Stopped {
    fn from(error: LoadError) -> Self {
        Self::Failed(error)
    }
}
