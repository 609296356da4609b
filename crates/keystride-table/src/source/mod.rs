//! Where a load gets its records from: files, or a log that has no end.
//!
//! A load [polls](RecordSource::poll) its source for one record after another. A source that is not read from its
//! beginning again, such as a log, gives [checkpoints](RecordSource::checkpoint): the load stores the last one together
//! with the rows before it, and resumes there. Any other source is read again by a resumed load, which decides about
//! every record as it did before.
//!
//! [`InputReader`](crate::input::InputReader) reads files, and [`topic::TopicSource`] the records of a topic.

mod error;
mod files;
pub mod kafka;
pub mod topic;

use std::fmt;
use std::time::Duration;

use keystride::Row;

use crate::input::{KeptRecord, Reject};

pub use error::SourceError;

/// A source of records, which become rows of a design.
///
/// A load uses it on a thread that may block. The methods about the current record refer to the one that
/// [`Self::poll`] returned last.
pub trait RecordSource: fmt::Debug + Send {
    /// Creates an empty row for [`Self::poll`].
    fn new_row(&self) -> Row;

    /// Reads the next record into `row`, whose values are unspecified after anything but [`Polled::Row`]. If a source
    /// without an end has no record now, it waits for one for up to `wait`, and then returns [`Polled::Idle`]; with a
    /// `wait` of 0, it returns what has arrived already.
    ///
    /// # Errors
    ///
    /// [`SourceError`] when the source can't be read further.
    fn poll(&mut self, row: &mut Row, wait: Duration) -> Result<Polled, SourceError>;

    /// Returns the name and text of each column of the current record that belongs to no field. It is called only if
    /// the design stores such columns.
    fn others(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    /// Returns the name of what the current record was read from, such as a file, for messages.
    fn name(&self) -> &str;

    /// Returns the number of what the current record was read from, counted from 0 and below 2²⁴: that of a file, or
    /// of a partition of a log.
    fn part(&self) -> usize;

    /// Returns the position of the current record in its part, below 2⁴⁰: its line in a file, counted from 1, its offset
    /// in a log.
    fn line(&self) -> u64;

    /// Returns the time that the source has for the current record, in milliseconds since 1970, if it has one. It stamps
    /// the cells of a row that has no time for that itself.
    fn time_ms(&self) -> Option<i64> {
        None
    }

    /// Keeps the current record as it was read, for when it is rejected later.
    fn keep(&self, kept: &mut KeptRecord);

    /// Returns the beginning of the current record as it was read, at least a kilobyte of a longer one.
    fn raw_beginning(&self) -> Vec<u8> {
        let mut kept = KeptRecord::default();
        self.keep(&mut kept);
        kept.raw()
    }

    /// Returns the position after the current record, at which [`Self::resume`] goes on; `None` if the source can be
    /// read again from its beginning.
    fn checkpoint(&self) -> Option<Checkpoint>;

    /// Moves to a checkpoint of this source that was stored, perhaps by another process.
    ///
    /// # Errors
    ///
    /// [`SourceError`] when there is no such position, or no more.
    fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), SourceError>;

    /// Whether records may come for ever.
    fn is_endless(&self) -> bool;

    /// Returns how much was read.
    fn progress(&self) -> SourceProgress;

    /// Whether nobody has answered for some seconds, so that it is not known whether there are more records.
    fn is_silent(&self) -> bool {
        false
    }

    /// Returns how many records of each part are still to be read, as far as that is known; empty for files.
    fn lags(&self) -> Vec<(u32, u64)> {
        Vec::new()
    }

    /// Returns approximately how many bytes of memory reading takes, beyond small buffers.
    fn memory_bytes(&self) -> usize {
        0
    }
}

/// The result of [`RecordSource::poll`].
#[derive(Debug)]
pub enum Polled {
    /// The row holds a record.
    Row,
    /// The row has the values of a key alone, and the row with that key is to be deleted.
    Deleted,
    /// A record says that there is nothing to store; it is counted.
    Tombstone,
    /// A record was rejected; reading goes on with the next one.
    Rejected(Box<Reject>),
    /// There is no record now, but there may be one later.
    Idle,
    /// There are no more records.
    End,
}

/// A position in a source, in the source's own form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint(String);

impl Checkpoint {
    /// Creates a checkpoint from the text that its source will read back.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How much of a source was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SourceProgress {
    /// Bytes read, as stored or sent.
    pub bytes_read: u64,
    /// Size of the whole source in bytes; `None` if it is unknown or has no end.
    pub byte_count: Option<u64>,
}
