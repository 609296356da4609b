//! Decides which rows are stored.

use std::time::{Duration, Instant};

use keystride::SplitPoints;
use keystride_store::{ColumnNames, MutationBatch, StoreError};

use super::counts::Counts;
use super::error::LoadError;
use super::options::OnError;
use super::record::{RECORDS_AT_ONCE, ReadOne, Record, RecordKind, RecordReader};
use super::reject::{RejectReason, Rejected};
use super::same_key::{SameKeys, Stored, Verdict};
use super::stored::StoredRows;
use super::tally::{End, Hit, Tally};
use crate::cells::RowImage;
use crate::source::Checkpoint;

/// Reads the input, decides what is stored, and counts.
#[derive(Debug)]
pub(super) struct Intake {
    records: RecordReader,
    same_keys: SameKeys,
    /// `None` if rows are compared only with those of the load itself.
    stored: Option<StoredRows>,
    points: SplitPoints,
    on_error: OnError,
    limits: StretchLimits,
    /// Buffers, which are reused, for records that were read but not decided yet.
    buffer: Vec<Record>,
    counts: Counts,
    input_digest: u64,
}

/// What ends a stretch before the end of the input.
#[derive(Debug, Clone, Copy)]
pub(super) struct StretchLimits {
    /// Its size in bytes of rows and rejected records.
    pub(super) bytes: u64,
    /// How long it may take, and how long to wait for its first record, if the source has no end.
    pub(super) time: Duration,
}

/// Receives the rows to be stored.
pub(super) trait RowSink {
    /// Receives a row that is within a store's limits.
    fn take(&mut self, image: &RowImage, columns: &ColumnNames) -> Result<(), LoadError>;

    /// Receives the key and the time of a row to be deleted from these families.
    fn delete(&mut self, image: &RowImage, families: &[Vec<u8>]) -> Result<(), LoadError>;
}

/// Discards all rows; for replays, and for rows that an earlier run has stored.
#[derive(Debug)]
pub(super) struct NullSink;

/// Whether the records of a stretch are read for the first time, or an earlier run of the load has processed them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    First,
    Repeated,
}

/// A stretch of the input that is being read.
#[derive(Debug)]
struct Stretch {
    pass: Pass,
    on_error: OnError,
    bytes: u64,
    hits: Vec<Hit>,
    rejects: Vec<Rejected>,
    end: Option<End>,
    /// When it ends at the latest; `None` until a record of a source without an end is read.
    deadline: Option<Instant>,
    /// Whether it ended because no record came.
    is_idle: bool,
}

/// Number of rows looked up in the store at a time.
const ROWS_A_LOOK_UP: usize = 512;

/// Largest share of a stretch that is read before it is decided which of its rows are stored: a quarter.
const GROUPS_PER_STRETCH: u64 = 4;

/// Approximate size of a reject in addition to the record.
const REJECT_BYTES: u64 = 200;

/// What a repeat counts in a stretch, which would be endless otherwise.
const REPEAT_BYTES: u64 = 64;

impl Intake {
    pub(super) fn new(
        records: RecordReader,
        same_keys: SameKeys,
        points: SplitPoints,
        on_error: OnError,
        limits: StretchLimits,
    ) -> Self {
        // An endless source resumes after the last record that was read, so none is read after one that ends the load.
        let reads_one = records.is_endless() && on_error == OnError::Stop;
        let mut buffer = Vec::new();
        buffer.resize_with(if reads_one { 1 } else { RECORDS_AT_ONCE }, Record::empty);
        let (counts, input_digest) = (Counts::default(), 0);
        Self { records, same_keys, stored: None, points, on_error, limits, buffer, counts, input_digest }
    }

    /// Makes the intake compare rows also with those stored before the load.
    pub(super) fn with_stored(mut self, stored: Option<StoredRows>) -> Self {
        if stored.is_some() && self.buffer.len() > 1 {
            self.buffer.resize_with(ROWS_A_LOOK_UP, Record::empty);
        }
        Self { stored, ..self }
    }

    /// Returns the columns of the rows passed on so far.
    pub(super) fn columns(&self) -> &ColumnNames {
        self.records.columns()
    }

    /// Reads the next stretch and passes the rows to be stored to `sink`.
    pub(super) fn read_stretch(&mut self, sink: &mut impl RowSink) -> Result<Tally, LoadError> {
        let mut stretch = Stretch::new(Pass::First, self.on_error);
        while !stretch.is_over(self.limits) {
            self.read_group(self.buffer.len(), sink, &mut stretch)?;
        }
        Ok(self.tally(stretch))
    }

    /// Reads the next stretch without storing rows, but not beyond record `last`, for records that an earlier run has
    /// processed.
    pub(super) fn catch_up(&mut self, last: u64) -> Result<Tally, LoadError> {
        let mut stretch = Stretch::new(Pass::Repeated, OnError::Reject);
        while !stretch.is_over(self.limits) && self.counts.records < last {
            let left = usize::try_from(last - self.counts.records).unwrap_or(usize::MAX);
            self.read_group(left.min(self.buffer.len()), &mut NullSink, &mut stretch)?;
        }
        Ok(self.tally(stretch))
    }

    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    pub(super) fn stretch_bytes(&self) -> u64 {
        self.limits.bytes
    }

    /// Goes on after a checkpoint with the counts of an earlier run.
    pub(super) fn resume(&mut self, checkpoint: &Checkpoint, counts: Counts) -> Result<(), LoadError> {
        self.records.resume(checkpoint, counts.records)?;
        self.counts = counts;
        Ok(())
    }

    /// Returns among how many of the latest rows those with the same key are found; `None` if among all.
    pub(super) fn latest_compared(&self) -> Option<u64> {
        self.same_keys.latest_count()
    }

    pub(super) fn has_checkpoints(&self) -> bool {
        self.records.checkpoint().is_some()
    }

    /// Adopts the counts of an earlier run.
    pub(super) fn set_counts(&mut self, counts: Counts) {
        self.counts = counts;
    }

    fn tally(&self, stretch: Stretch) -> Tally {
        let Stretch { hits, rejects, end, is_idle, .. } = stretch;
        let (counts, bytes_read) = (self.counts.clone(), self.records.bytes_read());
        let (input_digest, checkpoint) = (self.input_digest, self.records.checkpoint());
        let (lags, is_silent) = (self.records.lags(), self.records.is_silent());
        let stored_reads = self.stored.as_ref().map(|stored| stored.reads);
        Tally {
            counts,
            input_digest,
            checkpoint,
            bytes_read,
            lags,
            is_silent,
            stored_reads,
            hits,
            rejects,
            end,
            is_idle,
        }
    }

    fn read_group(
        &mut self,
        most: usize,
        sink: &mut impl RowSink,
        stretch: &mut Stretch,
    ) -> Result<(), LoadError> {
        let wait = stretch
            .deadline
            .map_or(self.limits.time, |deadline| deadline.saturating_duration_since(Instant::now()));
        let (count, next) = self.fill(most, wait);
        if count > 0 && self.records.is_endless() {
            stretch.deadline.get_or_insert_with(|| Instant::now() + self.limits.time);
        }
        if let Some(rows) = self.records.expected_count() {
            self.same_keys.expect(rows);
        }
        self.same_keys.prefetch(self.buffer[..count].iter().map(|record| record.digest));
        let stored = self.look_up(count, stretch.pass)?;
        for index in 0..count {
            let stored = stored.get(index).copied().unwrap_or(Stored::Nothing);
            self.decide(index, stored, sink, stretch)?;
            if stretch.end.is_some() {
                break;
            }
        }
        self.buffer[..count].iter_mut().for_each(Record::reset);
        // What was read before an error is decided first: a reject there may end the load.
        if stretch.end.is_none() {
            match next? {
                ReadOne::End if count == 0 => stretch.end = Some(End::Input),
                ReadOne::Idle if count == 0 => stretch.is_idle = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads up to `most` records into the buffer, waiting for the first one for up to `wait`. Returns how many were
    /// read, and what came last.
    fn fill(&mut self, most: usize, wait: Duration) -> (usize, Result<ReadOne, LoadError>) {
        let most_bytes = (self.limits.bytes / GROUPS_PER_STRETCH).max(1);
        let (mut count, mut bytes, mut last) = (0, 0, Ok(ReadOne::Record));
        while count < most && bytes < most_bytes {
            let wait = if count == 0 { wait } else { Duration::ZERO };
            last = self.records.read(&mut self.buffer[count], wait);
            if !matches!(last, Ok(ReadOne::Record)) {
                break;
            }
            bytes += self.buffer[count].byte_count();
            count += 1;
        }
        (count, last)
    }

    /// Looks up what is stored under the keys of the first `count` records of the buffer. Returns an empty list if
    /// rows are not compared with stored ones.
    fn look_up(&mut self, count: usize, pass: Pass) -> Result<Vec<Stored>, LoadError> {
        let columns = self.records.columns();
        let Some(rows) = &mut self.stored else { return Ok(Vec::new()) };
        let has_row = |record: &&Record| record.rejected.is_none() && record.kind == RecordKind::Row;
        let with_row = || self.buffer[..count].iter().filter(has_row);
        let mut found = rows.look_up(with_row().map(|record| &record.image), columns)?.into_iter();
        let each = self.buffer[..count].iter().map(|record| match Some(record).filter(has_row) {
            Some(_) => match found.next() {
                // This is most likely what the earlier run stored.
                Some(Stored::Same) if pass == Pass::Repeated => Stored::Nothing,
                stored => stored.unwrap_or(Stored::Nothing),
            },
            None => Stored::Nothing,
        });
        Ok(each.collect())
    }

    fn decide(
        &mut self,
        index: usize,
        stored: Stored,
        sink: &mut impl RowSink,
        stretch: &mut Stretch,
    ) -> Result<(), LoadError> {
        self.counts.records += 1;
        if let Some(rejected) = self.buffer[index].rejected.take() {
            self.input_digest = step(self.input_digest, 0);
            self.reject(rejected, stretch);
            return Ok(());
        }
        let record = &self.buffer[index];
        if record.kind == RecordKind::Tombstone {
            self.input_digest = step(self.input_digest, 0);
            self.counts.tombstones += 1;
            stretch.bytes += REPEAT_BYTES;
            return Ok(());
        }
        self.input_digest = step(self.input_digest, record.digest.short());
        match self.same_keys.judge(record.digest, record.place, stored).map_err(LoadError::Spill)? {
            Verdict::New => self.take(index, sink, stretch)?,
            Verdict::Replaces => {
                self.counts.replaced += 1;
                self.take(index, sink, stretch)?;
            }
            Verdict::Overwrites => {
                self.counts.replaced += 1;
                self.counts.overwritten += 1;
                self.take(index, sink, stretch)?;
            }
            Verdict::Hidden => {
                self.counts.hidden += 1;
                self.take(index, sink, stretch)?;
            }
            Verdict::Repeats => {
                self.counts.repeats += 1;
                stretch.bytes += REPEAT_BYTES;
            }
            Verdict::Rejected(earlier) => {
                let source_name = self.records.source_name(earlier).to_owned();
                let key = record.image.key.clone();
                let reason = RejectReason::SameKey { key, source_name, line: earlier.line };
                self.reject(self.records.reject(record, reason), stretch);
            }
            Verdict::RejectedForStored => {
                let reason = RejectReason::StoredKey { key: record.image.key.clone() };
                self.reject(self.records.reject(record, reason), stretch);
            }
        }
        Ok(())
    }

    /// Passes on a row that is stored or deleted.
    fn take(
        &mut self,
        index: usize,
        sink: &mut impl RowSink,
        stretch: &mut Stretch,
    ) -> Result<(), LoadError> {
        let Record { image, event_ms, kind, .. } = &self.buffer[index];
        if *kind == RecordKind::Delete {
            sink.delete(image, self.records.families())?;
            self.counts.deletes += 1;
            stretch.bytes += image.key.len() as u64 + REPEAT_BYTES;
        } else {
            let columns = self.records.columns();
            sink.take(image, columns)?;
            let bytes = image.byte_count(columns);
            self.counts.rows += 1;
            self.counts.cells += image.cells.len() as u64;
            self.counts.bytes += bytes;
            stretch.bytes += bytes;
        }
        stretch.hits.push(Hit { event_ms: *event_ms, region: self.points.region_of(&image.key) });
        Ok(())
    }

    fn reject(&mut self, rejected: Rejected, stretch: &mut Stretch) {
        self.counts.reject(rejected.reason.kind());
        stretch.bytes += rejected.raw.len() as u64 + REJECT_BYTES;
        stretch.rejects.push(rejected);
        if stretch.on_error == OnError::Stop {
            stretch.end = Some(End::Reject);
        }
    }
}

impl Stretch {
    fn new(pass: Pass, on_error: OnError) -> Self {
        let (hits, rejects) = (Vec::new(), Vec::new());
        Self { pass, on_error, bytes: 0, hits, rejects, end: None, deadline: None, is_idle: false }
    }

    fn is_over(&self, limits: StretchLimits) -> bool {
        let is_late = || self.deadline.is_some_and(|deadline| deadline <= Instant::now());
        self.end.is_some() || self.is_idle || self.bytes >= limits.bytes || is_late()
    }
}

impl RowSink for NullSink {
    fn take(&mut self, _: &RowImage, _: &ColumnNames) -> Result<(), LoadError> {
        Ok(())
    }

    fn delete(&mut self, _: &RowImage, _: &[Vec<u8>]) -> Result<(), LoadError> {
        Ok(())
    }
}

impl RowSink for MutationBatch {
    fn take(&mut self, image: &RowImage, columns: &ColumnNames) -> Result<(), LoadError> {
        image.put(columns, self).map_err(|error| LoadError::Store(StoreError::Mutation(error)))
    }

    fn delete(&mut self, image: &RowImage, families: &[Vec<u8>]) -> Result<(), LoadError> {
        let mut delete = |family: &Vec<u8>| self.delete_family(&image.key, family, image.stamp_ms);
        families.iter().try_for_each(&mut delete).map_err(|error| StoreError::Mutation(error).into())
    }
}

/// Returns the input digest after one more record.
fn step(input_digest: u64, record: u64) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    (input_digest.rotate_left(5) ^ record).wrapping_mul(ODD)
}
