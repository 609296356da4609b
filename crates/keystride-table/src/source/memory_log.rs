//! A log in memory.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use keystride::{KeyCodec, Row};

use super::{Checkpoint, Polled, RecordSource, SourceError, SourceProgress};
use crate::input::KeptRecord;

/// A log of rows in memory, to which rows are appended for as long as anybody likes. It is for tests of what reads logs.
///
/// ```
/// # use std::time::Duration;
/// # use keystride::{Design, KeyCodec};
/// # use keystride_table::source::{MemoryLog, Polled, RecordSource};
/// # let codec = KeyCodec::new(Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
/// #     id = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]")?);
/// let log = MemoryLog::new();
/// let mut reader = log.reader(&codec);
/// let mut row = reader.new_row();
/// assert!(matches!(reader.poll(&mut row, Duration::ZERO)?, Polled::Idle));
/// log.append([codec.row().with("id", "7").into_row()?]);
/// assert!(matches!(reader.poll(&mut row, Duration::ZERO)?, Polled::Row));
/// assert_eq!(reader.checkpoint().expect("it is a log").as_str(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryLog(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    rows: Mutex<Vec<Row>>,
    appended: Condvar,
}

/// Reads a [`MemoryLog`]. A checkpoint is the number of rows before it.
#[derive(Debug)]
pub struct MemoryLogReader {
    log: MemoryLog,
    field_count: usize,
    /// The number of rows that were read.
    offset: usize,
    current: Row,
}

impl MemoryLog {
    /// Creates an empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends rows.
    pub fn append(&self, rows: impl IntoIterator<Item = Row>) {
        self.rows().extend(rows);
        self.0.appended.notify_all();
    }

    /// Creates a reader at the beginning, of rows of the codec's design.
    pub fn reader(&self, codec: &KeyCodec) -> MemoryLogReader {
        let field_count = codec.design().fields().len();
        MemoryLogReader { log: self.clone(), field_count, offset: 0, current: Row::new(field_count) }
    }

    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.0.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecordSource for MemoryLogReader {
    fn new_row(&self) -> Row {
        Row::new(self.field_count)
    }

    fn poll(&mut self, row: &mut Row, wait: Duration) -> Result<Polled, SourceError> {
        let rows = self.log.rows();
        let is_idle = |rows: &mut Vec<Row>| rows.len() <= self.offset;
        let waited = self.log.0.appended.wait_timeout_while(rows, wait, is_idle);
        let (rows, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let Some(next) = rows.get(self.offset) else { return Ok(Polled::Idle) };
        row.clone_from(next);
        self.current.clone_from(next);
        self.offset += 1;
        Ok(Polled::Row)
    }

    fn name(&self) -> &'static str {
        "a log in memory"
    }

    fn part(&self) -> usize {
        0
    }

    fn line(&self) -> u64 {
        self.offset as u64
    }

    fn keep(&self, kept: &mut KeptRecord) {
        let values: Vec<String> = (0..self.field_count)
            .filter_map(|field| Some(format!("{:?}", self.current.get(field)?)))
            .collect();
        kept.set_text(values.join(",").as_bytes());
    }

    fn checkpoint(&self) -> Option<Checkpoint> {
        Some(Checkpoint::new(self.offset.to_string()))
    }

    fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), SourceError> {
        let offset = checkpoint.as_str().parse().ok().filter(|offset| *offset <= self.log.rows().len());
        let none = || SourceError::NoCheckpoint { checkpoint: checkpoint.as_str().to_owned() };
        self.offset = offset.ok_or_else(none)?;
        Ok(())
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn progress(&self) -> SourceProgress {
        SourceProgress { bytes_read: 0, byte_count: None }
    }
}
