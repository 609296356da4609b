use std::ops::Range;

use csv_core::ReadRecordResult;

use super::lines::LineCutter;

/// The fields of a record, unquoted, one after the other: in bytes of their own, or in a line that was cut at its
/// delimiters where it lies, which those who ask have.
pub(super) struct Fields {
    cutter: LineCutter,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    byte_count: usize,
    count: usize,
    /// Bytes between two fields: a line that was cut still has its delimiters.
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

    /// The fields of the line that `pending` begins with, where it has no quotes and is not empty; how many bytes it has
    /// with its end.
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

    /// A field of the record that `pending` begins with.
    pub(super) fn field<'a>(&'a self, column: usize, pending: &'a [u8]) -> &'a [u8] {
        &self.bytes(pending)[self.span(column)]
    }

    /// All fields of that record together, when each of them is UTF-8.
    pub(super) fn text<'a>(&'a self, pending: &'a [u8]) -> Option<&'a str> {
        let text = simdutf8::basic::from_utf8(self.bytes(pending)).ok()?;
        // Without a gap, what ends one field and what begins the next may make a character.
        let are_whole = self.gap > 0 || self.ends[..self.count].iter().all(|&end| text.is_char_boundary(end));
        are_whole.then_some(text)
    }

    fn bytes<'a>(&'a self, pending: &'a [u8]) -> &'a [u8] {
        let bytes = if self.gap > 0 { pending } else { &self.bytes };
        &bytes[..self.byte_count]
    }
}

/// Without the CR before the LF that ends a line, or before the end of the source.
pub(super) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
