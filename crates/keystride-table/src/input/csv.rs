//! CSV records.
//!
//! Parsing is done by the `csv` crate's parser on a buffer of our own, so that the original text of a record can be
//! shown, its line number is exact, and an unclosed quote can't exhaust memory.

use csv_core::ReadRecordResult;
use keystride::design::Charset;
use keystride::value::ValueReader;
use keystride::{Design, Row};

use super::buffer::RecordBuffer;
use super::columns::{ColumnMap, Target};
use super::csv_fields::{Fields, without_cr};
use super::others::Others;
use super::overlong::Overlong;
use super::reject::{Fault, RejectReason};
use super::transcode::text_of;
use super::unfit_columns::UnknownColumn;
use super::{Advance, Header, InputError, InputOptions, RequiredFields};

pub(super) struct CsvRecords {
    parser: csv_core::Reader,
    buffer: RecordBuffer,
    /// Number of pending bytes the parser has consumed: the current record, or the beginning of it.
    taken: usize,
    /// The first line of the current record.
    line: u64,
    ending: Ending,
    /// The current record, if it is too long to be buffered.
    overlong: Option<Overlong>,
    /// Whether no record, not even a header, has been read yet.
    is_new: bool,
    fields: Fields,
    columns: ColumnMap,
    values: ValueReader,
    /// The character set of the whole source, if one was specified.
    encoding: Option<Charset>,
    scratch: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Closed,
    OpenQuote,
}

impl CsvRecords {
    /// Reads the header, or uses the design's fields instead.
    pub(super) fn open(
        buffer: RecordBuffer,
        design: &Design,
        options: InputOptions,
    ) -> Result<Self, InputError> {
        let delimiter = options.delimiter_of(buffer.name());
        let mut records = Self {
            parser: csv_core::ReaderBuilder::new()
                .delimiter(delimiter.byte())
                .terminator(csv_core::Terminator::Any(b'\n'))
                .build(),
            buffer,
            taken: 0,
            line: 1,
            ending: Ending::Closed,
            overlong: None,
            is_new: true,
            fields: Fields::new(delimiter.byte()),
            columns: ColumnMap::default(),
            values: ValueReader::new(design),
            encoding: options.encoding,
            scratch: String::new(),
        };
        records.columns = match options.header {
            Header::Present => records.read_header(design, options.required)?,
            Header::Absent => ColumnMap::of_design(design, options.encoding),
        };
        if records.columns.unknown.is_empty() { Ok(records) } else { Err(records.unknown_columns()?) }
    }

    /// Takes the names of the columns that are passed to [`Others`].
    pub(super) fn take_other_names(&mut self) -> Vec<String> {
        std::mem::take(&mut self.columns.others)
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the original text of the current record without its line end, or its beginning if it is too long.
    pub(super) fn raw(&self) -> &[u8] {
        if let Some(overlong) = &self.overlong {
            return overlong.head();
        }
        let record = &self.buffer.pending()[..self.taken];
        if self.ending == Ending::OpenQuote {
            return record;
        }
        without_cr(record.strip_suffix(b"\n").unwrap_or(record))
    }

    /// Moves to the next record, skipping empty lines.
    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        self.buffer.pass(self.taken);
        self.taken = 0;
        self.line = self.parser.line();
        self.ending = Ending::Closed;
        self.overlong = None;
        self.fields.clear();
        if self.split_line() {
            return Ok(Advance::Record);
        }
        let advance = self.parse_record()?;
        self.is_new = false;
        Ok(advance)
    }

    /// Fast path for records of one line without quotes, which need no parser; this is most of them.
    fn split_line(&mut self) -> bool {
        // A byte order mark is left to the parser, which skips it.
        if self.is_new {
            return false;
        }
        let Some(taken) = self.fields.split(self.buffer.pending()) else { return false };
        self.taken = taken;
        self.parser.set_line(self.line + 1);
        true
    }

    fn parse_record(&mut self) -> Result<Advance, InputError> {
        loop {
            let rest = &self.buffer.pending()[self.taken..];
            if rest.is_empty() {
                if self.buffer.ended() {
                    return Ok(self.end());
                }
                self.skip_empty_lines();
                if self.overlong.is_some() || self.buffer.is_full() {
                    self.let_go()?;
                }
                self.buffer.fill(self.line)?;
                continue;
            }
            let (result, taken) = self.fields.parse(&mut self.parser, rest);
            self.taken += taken;
            if result == ReadRecordResult::Record {
                self.skip_empty_lines();
                if !self.raw().is_empty() {
                    self.drop_cr();
                    return Ok(Advance::Record);
                }
                self.pass_empty_line();
            }
        }
    }

    /// Reads the current record into `row` and `others`.
    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        if let Some(reason) = self.unended() {
            return Err(Fault::of_record(reason));
        }
        let (found, expected) = (self.fields.count(), self.columns.targets.len());
        if found != expected {
            return Err(Fault::of_record(RejectReason::ColumnCount { found, expected }));
        }
        match self.fields.text(self.buffer.pending()) {
            // Unless they are ASCII, bytes in another character set may look like valid UTF-8.
            Some(text) if !self.columns.has_charsets || text.is_ascii() => {
                row.begin(text);
                self.read_parts(text, row, others)
            }
            _ => {
                row.clear();
                self.read_each(design, row, others)
            }
        }
    }

    /// Reads the fields of a record whose bytes are all valid text.
    fn read_parts(&self, text: &str, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        self.values
            .read_parts(row, &self.columns.fields, self.fields.ends(), self.fields.gap())
            .map_err(|(column, error)| Fault::of_column(&self.columns.names[column], error))?;
        if self.columns.has_others {
            self.push_others(text, others);
        }
        Ok(())
    }

    fn push_others(&self, text: &str, others: &mut Others) {
        for (target, part) in self.columns.targets.iter().zip(self.fields.spans()) {
            if let Target::Other(index) = *target {
                self.push_other(index, &text[part], others);
            }
        }
    }

    /// Reads the fields one by one, each in its own character set.
    fn read_each(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let read = self.columns.targets.iter().enumerate().try_for_each(|(column, target)| {
            let charset = match *target {
                Target::Dropped => return Ok(()),
                Target::Field { charset, .. } => charset,
                Target::Other(_) => Charset::Utf8,
            };
            let name = &self.columns.names[column];
            let Some(text) = text_of(self.field(column), charset, &mut scratch) else {
                let charset = self.encoding.unwrap_or(charset).name();
                return Err(Fault::of_column(name, RejectReason::NotText { charset }));
            };
            match *target {
                Target::Field { index, .. } => {
                    design.read_value(row, index, text).map_err(|error| Fault::of_column(name, error))?;
                }
                Target::Other(index) => self.push_other(index, text, others),
                Target::Dropped => {}
            }
            Ok(())
        });
        self.scratch = scratch;
        read
    }

    fn push_other(&self, index: usize, text: &str, others: &mut Others) {
        if !self.values.is_null(text) {
            others.push(index, text);
        }
    }

    /// Returns a field of the current record.
    fn field(&self, column: usize) -> &[u8] {
        self.fields.field(column, self.buffer.pending())
    }

    /// Rejects a file without a header whose first record has a different number of columns than the design.
    pub(super) fn check_first(&self) -> Result<(), InputError> {
        let (found, expected) = (self.fields.count(), self.columns.targets.len());
        if found == expected || self.unended().is_some() {
            return Ok(());
        }
        Err(InputError::ColumnCount { name: self.buffer.name().to_owned(), line: self.line, found, expected })
    }

    fn read_header(&mut self, design: &Design, required: RequiredFields) -> Result<ColumnMap, InputError> {
        let source = self.buffer.name().to_owned();
        if self.advance()? == Advance::End {
            return Err(InputError::NoHeader { name: source });
        }
        let mut names = Vec::with_capacity(self.fields.count());
        for column in 0..self.fields.count() {
            let name = str::from_utf8(self.field(column)).map_err(|_| InputError::HeaderNotText {
                name: source.clone(),
                line: self.line,
                column: column + 1,
                charset: self.encoding.unwrap_or(Charset::Utf8).name(),
            })?;
            names.push(name.to_owned());
        }
        ColumnMap::of_header(&source, names, design, required, self.encoding)
    }

    /// Creates the error for unknown columns, with types guessed from the first record.
    fn unknown_columns(&mut self) -> Result<InputError, InputError> {
        self.advance()?;
        let columns = std::mem::take(&mut self.columns.unknown).into_iter().map(|column| {
            let value = if column < self.fields.count() { self.field(column) } else { b"" };
            UnknownColumn::new(&self.columns.names[column], &String::from_utf8_lossy(value))
        });
        let columns = columns.collect();
        Ok(InputError::UnknownColumns { name: self.buffer.name().to_owned(), columns })
    }

    /// Returns the reason if the end of the current record can't be trusted.
    fn unended(&self) -> Option<RejectReason> {
        match (self.ending, &self.overlong) {
            (Ending::OpenQuote, _) => Some(RejectReason::OpenQuote { to_line: self.last_line() }),
            (Ending::Closed, Some(_)) => Some(RejectReason::TooLong { to_line: self.last_line() }),
            (Ending::Closed, None) => None,
        }
    }

    /// Returns the last line of the current record. The parser has also counted its line end, and the one that was
    /// tried on an open quote.
    fn last_line(&self) -> u64 {
        let tried = u64::from(self.ending == Ending::OpenQuote);
        let ended = u64::from(self.buffer.pending()[..self.taken].ends_with(b"\n"));
        (self.parser.line() - tried - ended).max(self.line)
    }

    /// Discards the bytes of a record that is too long. The parser continues to its end, so that quoted text is not
    /// mistaken for records. A source that starts with such a record is not CSV.
    fn let_go(&mut self) -> Result<(), InputError> {
        if self.is_new {
            return Err(self.buffer.too_long(self.line, self.parser.line()));
        }
        self.overlong.get_or_insert_with(|| Overlong::of(&self.buffer));
        // One byte is kept, to determine whether the record ends with a line end.
        self.buffer.pass(self.taken - 1);
        self.taken = 1;
        self.fields.clear();
        Ok(())
    }

    /// Moves past an empty line that ends with CRLF, which the parser returns as a record.
    fn pass_empty_line(&mut self) {
        self.buffer.pass(self.taken);
        self.taken = 0;
        self.line = self.parser.line();
        self.fields.clear();
    }

    /// Removes the CR of a CRLF from the last field. For the parser, lines end with LF, so that a lone CR stays in
    /// its field.
    fn drop_cr(&mut self) {
        let record = &self.buffer.pending()[..self.taken];
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        if self.overlong.is_none() && without_cr(record).len() < record.len() {
            self.fields.drop_last_byte();
        }
    }

    /// Moves past the empty lines that the parser skipped before the record.
    fn skip_empty_lines(&mut self) {
        if self.overlong.is_some() {
            return;
        }
        let taken = &self.buffer.pending()[..self.taken];
        let empty = taken.iter().take_while(|byte| **byte == b'\n').count();
        self.line += empty as u64;
        self.buffer.pass(empty);
        self.taken -= empty;
    }

    /// Handles the end of the source: the consumed bytes are empty lines, a record without a line end, or a record
    /// with an open quote, which a line end does not close either.
    fn end(&mut self) -> Advance {
        self.skip_empty_lines();
        if self.overlong.is_none() && without_cr(&self.buffer.pending()[..self.taken]).is_empty() {
            return Advance::End;
        }
        let closed = loop {
            let (result, taken) = self.fields.parse(&mut self.parser, b"\n");
            match result {
                ReadRecordResult::Record => break true,
                _ if taken > 0 => break false,
                _ => {}
            }
        };
        self.ending = if closed { Ending::Closed } else { Ending::OpenQuote };
        if closed {
            self.drop_cr();
        }
        Advance::Record
    }
}
