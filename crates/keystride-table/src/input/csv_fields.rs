use std::ops::Range;

use csv_core::ReadRecordResult;

use super::delimiters::{AT_ONCE, places};

/// Bytes of the longest line that is cut by [`Fields::split`]: a place is kept for each.
pub(super) const LONGEST_LINE: usize = 1 << 16;

/// The fields of a record, unquoted, one after the other.
pub(super) struct Fields {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    byte_count: usize,
    count: usize,
    /// Bytes between two fields: a line that was cut at its delimiters still has them.
    gap: usize,
}

impl Fields {
    pub(super) fn new() -> Self {
        Self { bytes: vec![0; 4096], ends: vec![0; 64], byte_count: 0, count: 0, gap: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.byte_count = 0;
        self.count = 0;
        self.gap = 0;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Lets the parser go on; says how many bytes of `input` it took.
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

    /// The fields of a line without quotes, of up to [`LONGEST_LINE`] bytes.
    pub(super) fn split(&mut self, line: &[u8], delimiter: u8) {
        if self.bytes.len() < line.len() {
            self.bytes.resize(line.len(), 0);
        }
        self.bytes[..line.len()].copy_from_slice(line);
        self.byte_count = line.len();
        self.gap = 1;
        // Every byte may be a delimiter.
        if self.ends.len() <= line.len() + AT_ONCE {
            self.ends.resize(line.len() + AT_ONCE + 1, 0);
        }
        self.count = places(delimiter, line, &mut self.ends);
        self.ends[self.count] = line.len();
        self.count += 1;
    }

    /// Takes the last byte from the last field.
    pub(super) fn drop_last_byte(&mut self) {
        self.byte_count -= 1;
        self.ends[self.count - 1] -= 1;
    }

    /// Where in [`Self::text`] each field ends.
    pub(super) fn ends(&self) -> &[usize] {
        &self.ends[..self.count]
    }

    /// Bytes between two fields in [`Self::text`].
    pub(super) fn gap(&self) -> usize {
        self.gap
    }

    /// Where the fields lie in [`Self::text`].
    pub(super) fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count).map(|column| self.span(column))
    }

    fn span(&self, column: usize) -> Range<usize> {
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before] + self.gap);
        start..self.ends[column]
    }

    pub(super) fn field(&self, column: usize) -> &[u8] {
        &self.bytes[self.span(column)]
    }

    /// All fields together, when each of them is UTF-8.
    pub(super) fn text(&self) -> Option<&str> {
        let text = str::from_utf8(&self.bytes[..self.byte_count]).ok()?;
        // Without a gap, what ends one field and what begins the next may make a character.
        let are_whole = self.gap > 0 || self.ends[..self.count].iter().all(|&end| text.is_char_boundary(end));
        are_whole.then_some(text)
    }
}
