//! The fields of a CSV record.

use std::ops::Range;

use super::dialect::Dialect;
use super::lines::LineCutter;

/// The texts of a record's fields: either back to back in a buffer of their own, or in place in a line that was
/// split at its delimiters, in which case callers supply the line.
pub(super) struct Fields {
    cutter: LineCutter,
    bytes: Vec<u8>,
    /// The end of each field; what is behind the last one means nothing.
    ends: Vec<usize>,
    count: usize,
    /// Length of a line that was split.
    split_len: Option<usize>,
}

/// Buffers larger than this are not kept for other records.
const LARGE_BYTES: usize = 1 << 20;

impl Fields {
    pub(super) fn new(dialect: Dialect) -> Self {
        let cutter = LineCutter::new(dialect);
        Self { cutter, bytes: Vec::new(), ends: Vec::new(), count: 0, split_len: None }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(LARGE_BYTES);
        self.count = 0;
        self.split_len = None;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds text to the current field.
    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
    }

    /// Removes the last byte of the current field.
    pub(super) fn drop_last_byte(&mut self) {
        self.bytes.pop();
    }

    /// Replaces the text of the current field.
    pub(super) fn replace_last(&mut self, text: &[u8]) {
        self.bytes.truncate(self.start(self.count));
        self.push(text);
    }

    /// Ends the current field and begins another.
    pub(super) fn end_field(&mut self) {
        if self.count == self.ends.len() {
            self.ends.resize(2 * self.count + 64, 0);
        }
        self.ends[self.count] = self.bytes.len();
        self.count += 1;
    }

    /// Splits the line at the start of `pending` into fields, if it is not empty and contains no quotes and escapes.
    /// Returns the length of the line including its end.
    pub(super) fn split(&mut self, pending: &[u8]) -> Option<usize> {
        let line = self.cutter.cut(pending, &mut self.ends)?;
        let len = without_cr(&pending[..line.len]).len();
        if len == 0 {
            return None;
        }
        self.ends[line.delimiters] = len;
        self.count = line.delimiters + 1;
        self.split_len = Some(len);
        Some(line.len + 1)
    }

    /// Returns the end of each field in [`Self::text`].
    pub(super) fn ends(&self) -> &[usize] {
        &self.ends[..self.count]
    }

    /// Returns the number of bytes between two fields in [`Self::text`].
    pub(super) fn gap(&self) -> usize {
        usize::from(self.split_len.is_some())
    }

    /// Returns the range of each field in [`Self::text`].
    pub(super) fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count).map(|column| self.span(column))
    }

    fn span(&self, column: usize) -> Range<usize> {
        self.start(column)..self.ends[column]
    }

    fn start(&self, column: usize) -> usize {
        column.checked_sub(1).map_or(0, |before| self.ends[before] + self.gap())
    }

    /// Returns a field of the record at the start of `pending`.
    pub(super) fn field<'a>(&'a self, column: usize, pending: &'a [u8]) -> &'a [u8] {
        &self.bytes(pending)[self.span(column)]
    }

    /// Returns all fields of that record as one text, if each of them is valid UTF-8.
    pub(super) fn text<'a>(&'a self, pending: &'a [u8]) -> Option<&'a str> {
        let text = simdutf8::basic::from_utf8(self.bytes(pending)).ok()?;
        // Without a gap, the end of one field and the start of the next might form a character.
        let are_whole =
            self.split_len.is_some() || self.ends[..self.count].iter().all(|&end| text.is_char_boundary(end));
        are_whole.then_some(text)
    }

    fn bytes<'a>(&'a self, pending: &'a [u8]) -> &'a [u8] {
        self.split_len.map_or(&self.bytes, |len| &pending[..len])
    }
}

/// Removes a CR before the LF that ends a line, or before the end of the source.
pub(super) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
