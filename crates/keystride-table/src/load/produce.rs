//! The producing side of a load: a thread that fills batches while the store writes others.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use keystride_store::{BatchPool, MutationBatch};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::LoadId;
use super::error::LoadError;
use super::intake::{Intake, RowSink};
use super::note::LoadNote;
use super::progress::Phase;
use super::sorter::Sorter;
use super::tally::{End, Tally};
use crate::cells::RowImage;

/// A message of the producer of a load in batches: a stretch of the input that was read.
#[derive(Debug)]
pub(super) struct ReadStretch {
    pub(super) tally: Tally,
    /// What the load does with the stretch: it stores it, or an earlier run has done that.
    pub(super) phase: Phase,
    /// The rows to be stored; `None` if there was no record, or an earlier run has stored them.
    pub(super) batch: Option<MutationBatch>,
}

/// Messages of the producer of a sorted load.
#[derive(Debug)]
pub(super) enum SortMessage {
    /// Rows were collected for sorting.
    Taken(Tally),
    /// Sorted rows, which come after all those sent before.
    Sorted(MutationBatch),
}

/// Why the producer stopped before the end.
#[derive(Debug)]
pub(super) enum Stopped {
    /// The receiver was dropped.
    GivenUp,
    /// It failed.
    Failed(LoadError),
}

/// A batch as large as this many is filled alone.
const LARGE_BATCHES: u64 = 2;

/// Resources for sorting rows.
#[derive(Debug)]
pub(super) struct SortRoom {
    pub(super) memory_bytes: usize,
    pub(super) folder: Option<PathBuf>,
    /// Size of the batches of sorted rows in bytes.
    pub(super) batch_bytes: u64,
}

/// Reads the whole input and sends it in batches. Must run on a blocking thread of a runtime. If there is a note of
/// an earlier run, first skips what that run has processed.
pub(super) fn batches(
    mut intake: Intake,
    resumed: Option<(LoadId, LoadNote)>,
    send: &Sender<ReadStretch>,
) -> Result<(), Stopped> {
    if let Some((id, note)) = resumed {
        match &note.checkpoint {
            Some(checkpoint) => intake.resume(checkpoint, note.counts)?,
            None if intake.has_checkpoints() => {
                let records = note.counts.records;
                return Err(LoadError::InputChanged { id, records }.into());
            }
            None => catch_up(&mut intake, id, note, send)?,
        }
    }
    let pool = BatchPool::new();
    let (mut slots, mut bytes, mut records) = (1, intake.counts().bytes, intake.counts().records);
    loop {
        // Reserves the slot first: a filled batch that waits for one would exceed the number of batches allowed.
        let mut places =
            Handle::current().block_on(send.reserve_many(slots)).map_err(|_| Stopped::GivenUp)?;
        let Some(place) = places.next() else { return Err(Stopped::GivenUp) };
        drop(places);
        let mut batch = pool.batch();
        let tally = intake.read_stretch(&mut batch)?;
        let is_end = tally.end.is_some();
        // A row may be larger than several batches. After such a row, no batch is filled while others wait.
        let is_large = tally.counts.bytes - bytes > LARGE_BATCHES * intake.stretch_bytes();
        (slots, bytes) = (if is_large { send.max_capacity() } else { 1 }, tally.counts.bytes);
        let is_nothing = tally.is_idle && tally.counts.records == records;
        records = tally.counts.records;
        let batch = Some(batch).filter(|_| !is_nothing);
        place.send(ReadStretch { tally, phase: Phase::Storing, batch });
        if is_end {
            return Ok(());
        }
    }
}

/// Reads until the end or until `stop` is set, then sorts the rows and sends them in ascending batches. Returns the
/// number of runs that were written to files.
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
    send: &Sender<ReadStretch>,
) -> Result<(), Stopped> {
    let records = note.counts.records;
    let mut reached = (0, 0);
    while reached.0 < records {
        let tally = intake.catch_up(records)?;
        reached = (tally.counts.records, tally.input_digest);
        let is_end = tally.end == Some(End::Input);
        deliver(send, ReadStretch { tally, phase: Phase::CatchingUp, batch: None })?;
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
        // Rows with the same key must be in the same batch.
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
