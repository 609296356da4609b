//! Files as a source.

use std::time::Duration;

use keystride::Row;

use super::{Checkpoint, Polled, RecordSource, SourceError, SourceProgress};
use crate::input::{InputReader, KeptRecord, Next};

/// Files are read again by a load that is resumed, and a pipe is read as far as it goes: waiting for more is up to the
/// operating system.
impl RecordSource for InputReader {
    fn new_row(&self) -> Row {
        self.new_row()
    }

    fn poll(&mut self, row: &mut Row, _wait: Duration) -> Result<Polled, SourceError> {
        Ok(match self.next(row)? {
            Next::Row => Polled::Row,
            Next::Rejected(reject) => Polled::Rejected(reject),
            Next::End => Polled::End,
        })
    }

    fn others(&self) -> Vec<(&str, &str)> {
        self.others().collect()
    }

    fn name(&self) -> &str {
        self.source()
    }

    fn part(&self) -> usize {
        self.position().source
    }

    fn line(&self) -> u64 {
        self.line()
    }

    fn keep(&self, kept: &mut KeptRecord) {
        self.keep(kept);
    }

    fn raw_beginning(&self) -> Vec<u8> {
        self.raw_beginning()
    }

    fn checkpoint(&self) -> Option<Checkpoint> {
        None
    }

    fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), SourceError> {
        Err(SourceError::NoCheckpoint { checkpoint: checkpoint.as_str().to_owned() })
    }

    fn is_endless(&self) -> bool {
        false
    }

    fn progress(&self) -> SourceProgress {
        let progress = self.progress();
        SourceProgress { bytes_read: progress.bytes_read, byte_count: progress.byte_count }
    }

    fn memory_bytes(&self) -> usize {
        self.reading_bytes()
    }
}
