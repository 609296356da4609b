//! The window on a stream in which one record after the other comes to lie in one piece.

use super::InputError;
use super::stream::Stream;

/// Bytes asked of the stream at once.
const CHUNK: usize = 256 * 1024;

/// The longest record: six of HBase's largest cells.
const MAX_RECORD_BYTES: usize = 64 * 1024 * 1024;

const BOM: &[u8] = b"\xEF\xBB\xBF";

pub(super) struct RecordBuffer {
    stream: Stream,
    bytes: Vec<u8>,
    /// The pending bytes: read from the stream, and not yet past.
    start: usize,
    end: usize,
    ended: bool,
}

impl RecordBuffer {
    /// Skips a byte order mark; refuses UTF-16.
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

    /// From the beginning of the record at hand to the last byte read.
    pub(super) fn pending(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Whether the stream has nothing after the pending bytes.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Goes past `len` pending bytes.
    pub(super) fn pass(&mut self, len: usize) {
        self.start += len;
        debug_assert!(self.start <= self.end);
    }

    /// Whether a record that goes on behind the pending bytes is longer than any may be: some of it must be passed
    /// before there is room for more.
    pub(super) fn is_full(&self) -> bool {
        self.pending().len() >= MAX_RECORD_BYTES
    }

    /// That the record at hand, of the lines `line` to `to_line` so far, is none to read past.
    pub(super) fn too_long(&self, line: u64, to_line: u64) -> InputError {
        InputError::RecordTooLong { name: self.name().to_owned(), line, to_line, limit: MAX_RECORD_BYTES }
    }

    /// Reads more behind the pending bytes, which are fewer than a full buffer has; `line` is where the record at hand
    /// begins.
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
