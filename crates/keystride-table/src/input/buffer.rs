//! A sliding buffer over a stream, in which each record is contiguous.

use super::InputError;
use super::stream::Stream;

/// Initial size of the buffer in bytes.
const CHUNK: usize = 256 * 1024;

/// Maximum length of a record: about six times HBase's default limit on cells.
const MAX_RECORD_BYTES: usize = 64 * 1024 * 1024;

const BOM: &[u8] = b"\xEF\xBB\xBF";

pub(super) struct RecordBuffer {
    stream: Stream,
    bytes: Vec<u8>,
    /// Bounds of the pending bytes, which were read from the stream but not passed yet.
    start: usize,
    end: usize,
    ended: bool,
}

impl RecordBuffer {
    /// Skips a byte order mark and rejects UTF-16.
    pub(super) fn open(stream: Stream) -> Result<Self, InputError> {
        let mut buffer = Self { stream, bytes: vec![0; CHUNK], start: 0, end: 0, ended: false };
        while buffer.pending().len() < BOM.len() && !buffer.ended {
            buffer.fill(0)?;
        }
        match buffer.pending() {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Err(InputError::Utf16 { name: buffer.name().to_owned() }),
            pending => {
                let skipped = if pending.starts_with(BOM) { BOM.len() } else { 0 };
                buffer.pass(skipped);
                Ok(buffer)
            }
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.stream.name
    }

    /// Returns the bytes from the start of the current record to the last byte read.
    pub(super) fn pending(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Whether the stream has no data after the pending bytes.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Moves past `len` pending bytes.
    pub(super) fn pass(&mut self, len: usize) {
        self.start += len;
        debug_assert!(self.start <= self.end);
    }

    /// Whether a record that continues after the pending bytes exceeds the maximum length. In that case some bytes
    /// must be passed before more can be read.
    pub(super) fn is_full(&self) -> bool {
        self.pending().len() >= MAX_RECORD_BYTES
    }

    /// Returns the error for a record, in lines `line` to `to_line` so far, that is too long to skip.
    pub(super) fn too_long(&self, line: u64, to_line: u64) -> InputError {
        InputError::RecordTooLong { name: self.name().to_owned(), line, to_line, limit: MAX_RECORD_BYTES }
    }

    /// Reads more bytes after the pending ones. The buffer must not be [full](Self::is_full). `line` is the first
    /// line of the current record.
    pub(super) fn fill(&mut self, line: u64) -> Result<(), InputError> {
        self.make_room();
        let read = self.stream.read(&mut self.bytes[self.end..], line.saturating_sub(1))?;
        self.end += read;
        self.ended = read == 0;
        Ok(())
    }

    fn make_room(&mut self) {
        debug_assert!(!self.is_full());
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.bytes.len() {
            self.bytes.resize(self.bytes.len() * 2, 0);
        }
    }
}
