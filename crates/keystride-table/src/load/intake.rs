//! Decides which rows are stored.

use keystride::SplitPoints;
use keystride_store::{ColumnNames, MutationBatch, StoreError};

use super::counts::Counts;
use super::error::LoadError;
use super::options::OnError;
use super::record::{RECORDS_AT_ONCE, Record, Records};
use super::reject::{RejectReason, Rejected};
use super::same_key::{SameKeys, Stored, Verdict};
use super::stored::StoredRows;
use super::tally::{End, Hit, Tally};
use crate::cells::RowImage;

/// Reads the input, decides what is stored, and counts.
#[derive(Debug)]
pub(super) struct Intake {
    records: Records,
    same_keys: SameKeys,
    /// `None` if rows are compared only with those of the load itself.
    stored: Option<StoredRows>,
    points: SplitPoints,
    on_error: OnError,
    /// Size of a stretch in bytes of rows and rejected records.
    stretch_bytes: u64,
    /// Buffers, which are reused, for records that were read but not decided yet.
    buffer: Vec<Record>,
    counts: Counts,
    input_digest: u64,
}

/// Receives the rows to be stored.
pub(super) trait RowSink {
    /// Receives a row that is within a store's limits.
    fn take(&mut self, image: &RowImage, columns: &ColumnNames) -> Result<(), LoadError>;
}

/// Discards all rows; for replays, and for rows that an earlier run has stored.
#[derive(Debug)]
pub(super) struct NullSink;

/// Whether the records of a stretch are read for the first time, or an earlier run of the load has processed them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    First,
    Again,
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
}

/// Number of rows looked up in the store at a time.
const ROWS_A_LOOK_UP: usize = 512;

/// Largest share of a stretch that is read before it is decided which of its rows are stored: a quarter.
const HANDFULS: u64 = 4;

/// Approximate size of a reject in addition to the record.
const REJECT_BYTES: u64 = 200;

/// What a repeat counts in a stretch, which would be endless otherwise.
const REPEAT_BYTES: u64 = 64;

impl Intake {
    pub(super) fn new(
        records: Records,
        same_keys: SameKeys,
        points: SplitPoints,
        on_error: OnError,
        stretch_bytes: u64,
    ) -> Self {
        let mut buffer = Vec::new();
        buffer.resize_with(RECORDS_AT_ONCE, Record::empty);
        let (counts, input_digest) = (Counts::default(), 0);
        Self {
            records,
            same_keys,
            stored: None,
            points,
            on_error,
            stretch_bytes,
            buffer,
            counts,
            input_digest,
        }
    }

    /// Makes the intake compare rows also with those stored before the load.
    pub(super) fn with_stored(mut self, stored: Option<StoredRows>) -> Self {
        if stored.is_some() {
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
        while stretch.end.is_none() && stretch.bytes < self.stretch_bytes {
            self.read_handful(self.buffer.len(), sink, &mut stretch)?;
        }
        Ok(self.tally(stretch))
    }

    /// Reads the next stretch without storing rows, but not beyond record `last`, for records that an earlier run has
    /// processed.
    pub(super) fn catch_up(&mut self, last: u64) -> Result<Tally, LoadError> {
        let mut stretch = Stretch::new(Pass::Again, OnError::Reject);
        while stretch.end.is_none() && stretch.bytes < self.stretch_bytes && self.counts.records < last {
            let left = usize::try_from(last - self.counts.records).unwrap_or(usize::MAX);
            self.read_handful(left.min(self.buffer.len()), &mut NullSink, &mut stretch)?;
        }
        Ok(self.tally(stretch))
    }

    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    pub(super) fn stretch_bytes(&self) -> u64 {
        self.stretch_bytes
    }

    /// Adopts the counts of an earlier run.
    pub(super) fn set_counts(&mut self, counts: Counts) {
        self.counts = counts;
    }

    fn tally(&self, stretch: Stretch) -> Tally {
        let Stretch { hits, rejects, end, .. } = stretch;
        let (counts, bytes_read) = (self.counts.clone(), self.records.bytes_read());
        Tally { counts, input_digest: self.input_digest, bytes_read, hits, rejects, end }
    }

    fn read_handful(
        &mut self,
        most: usize,
        sink: &mut impl RowSink,
        stretch: &mut Stretch,
    ) -> Result<(), LoadError> {
        let (count, more) = self.fill(most);
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
        self.buffer[..count].iter_mut().for_each(Record::let_go);
        // What was read before an error is decided first: a reject there may end the load.
        if stretch.end.is_none() && !more? && count == 0 {
            stretch.end = Some(End::Input);
        }
        Ok(())
    }

    /// Reads up to `most` records into the buffer. Returns how many were read, and whether there may be more.
    fn fill(&mut self, most: usize) -> (usize, Result<bool, LoadError>) {
        let most_bytes = (self.stretch_bytes / HANDFULS).max(1);
        let (mut count, mut bytes, mut more) = (0, 0, Ok(true));
        while count < most && bytes < most_bytes {
            more = self.records.read(&mut self.buffer[count]);
            if !matches!(more, Ok(true)) {
                break;
            }
            bytes += self.buffer[count].byte_count();
            count += 1;
        }
        self.records.close(&mut self.buffer[..count]);
        (count, more)
    }

    /// Looks up what is stored under the keys of the first `count` records of the buffer. Returns an empty list if
    /// rows are not compared with stored ones.
    fn look_up(&self, count: usize, pass: Pass) -> Result<Vec<Stored>, LoadError> {
        let Some(rows) = &self.stored else { return Ok(Vec::new()) };
        let with_row = || self.buffer[..count].iter().filter(|record| record.rejected.is_none());
        let mut found = rows.look_up(with_row().map(|record| &record.image), self.columns())?.into_iter();
        let each = self.buffer[..count].iter().map(|record| match record.rejected {
            None => match found.next() {
                // This is most likely what the earlier run stored.
                Some(Stored::Same) if pass == Pass::Again => Stored::Nothing,
                stored => stored.unwrap_or(Stored::Nothing),
            },
            Some(_) => Stored::Nothing,
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
        self.input_digest = step(self.input_digest, record.digest.short());
        match self.same_keys.judge(record.digest, record.place, stored).map_err(LoadError::Spill)? {
            Verdict::New => self.take(index, sink, stretch)?,
            Verdict::Replaces => {
                self.counts.replaced += 1;
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

    fn take(
        &mut self,
        index: usize,
        sink: &mut impl RowSink,
        stretch: &mut Stretch,
    ) -> Result<(), LoadError> {
        let Record { image, event_ms, .. } = &self.buffer[index];
        let columns = self.records.columns();
        sink.take(image, columns)?;
        let bytes = image.byte_count(columns);
        self.counts.rows += 1;
        self.counts.cells += image.cells.len() as u64;
        self.counts.bytes += bytes;
        stretch.bytes += bytes;
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
        Self { pass, on_error, bytes: 0, hits: Vec::new(), rejects: Vec::new(), end: None }
    }
}

impl RowSink for NullSink {
    fn take(&mut self, _: &RowImage, _: &ColumnNames) -> Result<(), LoadError> {
        Ok(())
    }
}

impl RowSink for MutationBatch {
    fn take(&mut self, image: &RowImage, columns: &ColumnNames) -> Result<(), LoadError> {
        image.put(columns, self).map_err(|error| LoadError::Store(StoreError::Mutation(error)))
    }
}

/// Returns the input digest after one more record.
fn step(input_digest: u64, record: u64) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    (input_digest.rotate_left(5) ^ record).wrapping_mul(ODD)
}
