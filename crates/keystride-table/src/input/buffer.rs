//! A sliding buffer over a stream, in which each record is contiguous.

use super::InputError;
use super::overlong::Overlong;
use super::stream::Stream;

/// Initial size of the buffer in bytes.
const CHUNK: usize = 256 * 1024;

const BOM: &[u8] = b"\xEF\xBB\xBF";

pub(super) struct RecordBuffer {
    stream: Stream,
    bytes: Vec<u8>,
    /// Bounds of the pending bytes, which were read from the stream but not passed yet.
    start: usize,
    end: usize,
    ended: bool,
    /// Number of bytes that were passed.
    passed: u64,
}

impl RecordBuffer {
    /// Maximum length of a record in bytes: room for a cell of HBase's default limit, 10 MiB, escaped or in quotes. A load
    /// has several copies of a record at a time.
    pub(super) const LIMIT: usize = 16 * 1024 * 1024;

    /// Skips a byte order mark and rejects UTF-16.
    pub(super) fn open(stream: Stream) -> Result<Self, InputError> {
        let mut buffer = Self { stream, bytes: vec![0; CHUNK], start: 0, end: 0, ended: false, passed: 0 };
        while buffer.pending().len() < BOM.len() && !buffer.ended {
            buffer.fill(0)?;
        }
        match buffer.pending() {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Err(InputError::Utf16 { name: buffer.name().to_owned() }),
            pending => {
                let skipped = if pending.starts_with(BOM) { BOM.len() } else { 0 };
                buffer.start += skipped;
                Ok(buffer)
            }
        }
    }

    /// Creates a buffer of messages, which has nothing before [`Self::replace`].
    pub(super) fn of_messages(name: &str) -> Self {
        let stream = Stream::empty(name);
        Self { stream, bytes: Vec::new(), start: 0, end: 0, ended: true, passed: 0 }
    }

    /// Replaces all bytes by a whole message, and a line end if it has none.
    pub(super) fn replace(&mut self, message: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(message);
        if message.last() != Some(&b'\n') {
            self.bytes.push(b'\n');
        }
        (self.start, self.end, self.passed) = (0, self.bytes.len(), 0);
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

    /// Returns the number of bytes before the pending ones, without a byte order mark.
    pub(super) fn passed(&self) -> u64 {
        self.passed
    }

    /// Moves past `len` pending bytes.
    pub(super) fn pass(&mut self, len: usize) {
        self.start += len;
        self.passed += len as u64;
        debug_assert!(self.start <= self.end);
    }

    /// Whether a record that continues after the pending bytes exceeds the maximum length. In that case some bytes
    /// must be passed before more can be read.
    pub(super) fn is_full(&self) -> bool {
        self.pending().len() >= Self::LIMIT
    }

    /// Returns the length of the pending line with its end, after `searched` bytes without a line end. Of a line that is
    /// too long, the beginning is kept in `overlong`, and the length is that of the part that is still pending. A source
    /// that starts with such a line is an error.
    pub(super) fn line_len(
        &mut self,
        mut searched: usize,
        line: u64,
        overlong: &mut Option<Overlong>,
    ) -> Result<usize, InputError> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.pending()[searched..]) {
                return Ok(searched + at + 1);
            }
            searched = self.pending().len();
            if self.ended {
                return Ok(searched);
            }
            if overlong.is_some() || self.is_full() {
                if self.passed == 0 {
                    return Err(InputError::LineTooLong {
                        name: self.name().to_owned(),
                        line,
                        limit: Self::LIMIT,
                    });
                }
                overlong.get_or_insert_with(|| Overlong::of(self));
                self.pass(searched);
                searched = 0;
            }
            self.fill(line)?;
        }
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
