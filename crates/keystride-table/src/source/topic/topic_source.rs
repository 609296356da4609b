//! The records of a topic as rows.

use std::collections::BTreeMap;
use std::time::Duration;
use std::vec;

use keystride::Row;

use super::{Fetched, GivenFields, Offsets, TopicEnd, TopicError, TopicLog, TopicRecord, TopicStart, range};
use crate::input::{KeptRecord, MessageReader, Reject, RejectReason};
use crate::source::{Checkpoint, Polled, RecordSource, SourceError, SourceProgress};

/// Reads the records of a topic as rows of a design.
#[derive(Debug)]
pub struct TopicSource {
    log: Box<dyn TopicLog>,
    reader: MessageReader,
    given: GivenFields,
    tombstones: Tombstones,
    /// Where the partitions end, if they do.
    until: Option<Offsets>,
    /// Where each partition goes on after the current record; `None` until that is known.
    next: Option<Offsets>,
    is_started: bool,
    /// Records that were fetched and not read yet, and where each partition goes on after them.
    fetched: vec::IntoIter<TopicRecord>,
    next_after: Offsets,
    /// The end of each partition, when it was last told.
    ends: Offsets,
    current: TopicRecord,
    /// The names of the partitions, for messages.
    names: BTreeMap<u32, String>,
    bytes_read: u64,
    is_silent: bool,
}

/// Approximately what records take that were fetched and not read yet.
const FETCHED_BYTES: usize = 48 << 20;

/// What becomes of records without a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tombstones {
    /// They are counted.
    #[default]
    Pass,
    /// They delete the row whose key the record's key makes.
    Delete,
}

impl TopicSource {
    /// Creates a source of what `log` has from `start` to `end`; `reader` reads the bodies, without the `given` fields.
    ///
    /// # Errors
    ///
    /// [`TopicError`] when the topic can't be asked for its offsets.
    pub fn new(
        mut log: Box<dyn TopicLog>,
        reader: MessageReader,
        start: TopicStart,
        end: TopicEnd,
    ) -> Result<Self, TopicError> {
        let bounds = log.bounds()?;
        let until = end.offsets(&bounds);
        let next = start.offsets(&mut *log, &bounds)?;
        Ok(Self {
            given: GivenFields::of(reader.design()),
            tombstones: Tombstones::Pass,
            ends: bounds.iter().map(|(partition, bounds)| (*partition, bounds.end)).collect(),
            until,
            next,
            is_started: false,
            fetched: Vec::new().into_iter(),
            next_after: Offsets::new(),
            current: TopicRecord::default(),
            names: BTreeMap::new(),
            bytes_read: 0,
            is_silent: false,
            log,
            reader,
        })
    }

    /// Sets what becomes of tombstones.
    #[must_use]
    pub fn with_tombstones(self, tombstones: Tombstones) -> Self {
        Self { tombstones, ..self }
    }

    fn start(&mut self) -> Result<(), TopicError> {
        let topic = || self.log.topic().name.clone();
        let next = self.next.as_ref().ok_or_else(|| TopicError::NoStart { topic: topic() })?;
        // A partition that ends before it begins is not read.
        let is_read = |(partition, next): &(&u32, &u64)| **next < end_of(self.until.as_ref(), **partition);
        let read = next.iter().filter(is_read).map(|(partition, next)| (*partition, *next)).collect();
        self.log.start(&read)?;
        self.is_started = true;
        Ok(())
    }

    /// Moves to the next record that is to be read.
    fn advance(&mut self, wait: Duration) -> Result<Moved, TopicError> {
        if !self.is_started {
            self.start()?;
        }
        if let Some(record) = self.take_fetched() {
            self.current = record;
            return Ok(Moved::Record);
        }
        if self.has_ended() {
            return Ok(Moved::End);
        }
        let Some(Fetched { records, next, ends, is_silent }) = self.log.poll(wait)? else {
            return Ok(Moved::Idle);
        };
        (self.fetched, self.next_after, self.is_silent) = (records.into_iter(), next, is_silent);
        self.ends.extend(ends);
        Ok(match self.take_fetched() {
            Some(record) => {
                self.current = record;
                Moved::Record
            }
            None if self.has_ended() => Moved::End,
            None => Moved::Idle,
        })
    }

    /// Takes the next fetched record that was not read before and is to be read, and notes that it was read. After the
    /// last one, notes where its partitions go on.
    fn take_fetched(&mut self) -> Option<TopicRecord> {
        let next = self.next.get_or_insert_default();
        let end = |partition| end_of(self.until.as_ref(), partition);
        for record in self.fetched.by_ref() {
            let next = next.entry(record.partition).or_insert(0);
            if (*next..end(record.partition)).contains(&record.offset) {
                *next = record.offset + 1;
                return Some(record);
            }
        }
        for (partition, after) in std::mem::take(&mut self.next_after) {
            let next = next.entry(partition).or_insert(0);
            *next = after.min(end(partition)).max(*next);
        }
        None
    }

    fn has_ended(&self) -> bool {
        let (Some(until), Some(next)) = (&self.until, &self.next) else { return false };
        until.iter().all(|(partition, end)| next.get(partition).is_some_and(|next| next >= end) || *end == 0)
    }

    /// Reads the current record.
    fn read(&mut self, row: &mut Row) -> Polled {
        self.bytes_read += self.current.byte_count();
        let partition = self.current.partition;
        if !self.names.contains_key(&partition) {
            // Kafka's own form of a partition of a topic.
            self.names.insert(partition, format!("{}-{partition}", self.log.topic().name));
        }
        let tombstone = match (&self.current.value, self.tombstones) {
            (Some(value), _) => {
                let place = (self.names[&partition].as_str(), self.current.offset);
                if let Err(reject) = self.reader.read(value, place, row) {
                    return Polled::Rejected(reject);
                }
                false
            }
            (None, Tombstones::Pass) => return Polled::Tombstone,
            (None, Tombstones::Delete) => {
                row.clear();
                true
            }
        };
        match self.given.put(self.reader.design(), &self.current, row) {
            Err((field, reason)) => Polled::Rejected(Box::new(self.reject(field, reason))),
            Ok(()) if tombstone => Polled::Deleted,
            Ok(()) => Polled::Row,
        }
    }

    fn reject(&self, field: usize, reason: RejectReason) -> Reject {
        let column = self.reader.design().fields()[field].column().to_owned();
        let (source, line) = (self.name().to_owned(), self.current.offset);
        let mut kept = KeptRecord::default();
        self.keep(&mut kept);
        Reject { source, line, column: Some(column), reason, raw: kept.raw() }
    }

    fn body(&self) -> &[u8] {
        self.current.value.as_deref().unwrap_or_default()
    }
}

/// Returns the offset before which a partition ends: 0 if it is not to be read.
fn end_of(until: Option<&Offsets>, partition: u32) -> u64 {
    until.map_or(u64::MAX, |until| until.get(&partition).copied().unwrap_or(0))
}

enum Moved {
    Record,
    Idle,
    End,
}

impl RecordSource for TopicSource {
    fn new_row(&self) -> Row {
        self.reader.new_row()
    }

    fn poll(&mut self, row: &mut Row, wait: Duration) -> Result<Polled, SourceError> {
        Ok(match self.advance(wait)? {
            Moved::Record => self.read(row),
            Moved::Idle => Polled::Idle,
            Moved::End => Polled::End,
        })
    }

    fn others(&self) -> Vec<(&str, &str)> {
        self.reader.others().collect()
    }

    fn name(&self) -> &str {
        self.names.get(&self.current.partition).map_or("", String::as_str)
    }

    fn part(&self) -> usize {
        self.current.partition as usize
    }

    fn line(&self) -> u64 {
        self.current.offset
    }

    fn time_ms(&self) -> Option<i64> {
        self.current.time_ms
    }

    fn keep(&self, kept: &mut KeptRecord) {
        self.reader.keep(self.body(), kept);
    }

    fn checkpoint(&self) -> Option<Checkpoint> {
        Some(range::checkpoint(self.log.topic(), self.next.as_ref()?))
    }

    fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), SourceError> {
        let bounds = self.log.bounds()?;
        self.next = Some(range::resumed(checkpoint, self.log.topic(), &bounds)?);
        Ok(())
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn progress(&self) -> SourceProgress {
        SourceProgress { bytes_read: self.bytes_read, byte_count: None }
    }

    fn memory_bytes(&self) -> usize {
        FETCHED_BYTES
    }

    fn is_silent(&self) -> bool {
        self.is_silent
    }

    fn lags(&self) -> Vec<(u32, u64)> {
        let next = |partition: &u32| self.next.as_ref().and_then(|next| next.get(partition)).copied();
        let lag = |(partition, end): (&u32, &u64)| Some((*partition, end.saturating_sub(next(partition)?)));
        self.ends.iter().filter_map(lag).collect()
    }
}
