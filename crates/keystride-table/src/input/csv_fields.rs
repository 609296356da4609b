//! The fields of a CSV record.

use std::ops::Range;

use csv_core::ReadRecordResult;

use super::lines::LineCutter;

/// The unquoted fields of a record: either back to back in a buffer of their own, or in place in a line that was
/// split at its delimiters, in which case callers supply the line.
pub(super) struct Fields {
    cutter: LineCutter,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    byte_count: usize,
    count: usize,
    /// Number of bytes between two fields: 1 for a split line, which still contains its delimiters, otherwise 0.
    gap: usize,
}

impl Fields {
    pub(super) fn new(delimiter: u8) -> Self {
        let cutter = LineCutter::new(delimiter);
        Self { cutter, bytes: vec![0; 4096], ends: vec![0; 64], byte_count: 0, count: 0, gap: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.byte_count = 0;
        self.count = 0;
        self.gap = 0;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Continues parsing and returns how many bytes of `input` were consumed.
    pub(super) fn parse(&mut self, parser: &mut csv_core::Reader, input: &[u8]) -> (ReadRecordResult, usize) {
        let (result, taken, bytes, ends) =
            parser.read_record(input, &mut self.bytes[self.byte_count..], &mut self.ends[self.count..]);
        self.byte_count += bytes;
        self.count += ends;
        match result {
            ReadRecordResult::OutputFull => self.bytes.resize(self.bytes.len() * 2, 0),
            ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
            _ => {}
        }
        (result, taken)
    }

    /// Splits the line at the start of `pending` into fields, if it is not empty and contains no quotes. Returns the
    /// length of the line including its end.
    pub(super) fn split(&mut self, pending: &[u8]) -> Option<usize> {
        let line = self.cutter.cut(pending, &mut self.ends)?;
        self.byte_count = without_cr(&pending[..line.len]).len();
        if self.byte_count == 0 {
            return None;
        }
        self.ends[line.delimiters] = self.byte_count;
        self.count = line.delimiters + 1;
        self.gap = 1;
        Some(line.len + 1)
    }

    /// Removes the last byte of the last field.
    pub(super) fn drop_last_byte(&mut self) {
        self.byte_count -= 1;
        self.ends[self.count - 1] -= 1;
    }

    /// Returns the end of each field in [`Self::text`].
    pub(super) fn ends(&self) -> &[usize] {
        &self.ends[..self.count]
    }

    /// Returns the number of bytes between two fields in [`Self::text`].
    pub(super) fn gap(&self) -> usize {
        self.gap
    }

    /// Returns the range of each field in [`Self::text`].
    pub(super) fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count).map(|column| self.span(column))
    }

    fn span(&self, column: usize) -> Range<usize> {
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before] + self.gap);
        start..self.ends[column]
    }

    /// Returns a field of the record at the start of `pending`.
    pub(super) fn field<'a>(&'a self, column: usize, pending: &'a [u8]) -> &'a [u8] {
        &self.bytes(pending)[self.span(column)]
    }

    /// Returns all fields of that record as one text, if each of them is valid UTF-8.
    pub(super) fn text<'a>(&'a self, pending: &'a [u8]) -> Option<&'a str> {
        let text = simdutf8::basic::from_utf8(self.bytes(pending)).ok()?;
        // Without a gap, the end of one field and the start of the next might form a character.
        let are_whole = self.gap > 0 || self.ends[..self.count].iter().all(|&end| text.is_char_boundary(end));
        are_whole.then_some(text)
    }

    fn bytes<'a>(&'a self, pending: &'a [u8]) -> &'a [u8] {
        let bytes = if self.gap > 0 { pending } else { &self.bytes };
        &bytes[..self.byte_count]
    }
}

/// Removes a CR before the LF that ends a line, or before the end of the source.
pub(super) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
