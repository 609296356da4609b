//! CSV records as rows of a design.

use keystride::design::Charset;
use keystride::value::ValueReader;
use keystride::{Design, Row};

use super::buffer::RecordBuffer;
use super::columns::{ColumnMap, Target};
use super::csv_text::CsvText;
use super::dialect::Dialect;
use super::others::Others;
use super::reject::{Fault, RejectReason};
use super::transcode::text_of;
use super::unfit_columns::UnknownColumn;
use super::{Advance, Header, InputError, InputOptions, RequiredFields};

pub(super) struct CsvRecords {
    text: CsvText,
    columns: ColumnMap,
    values: ValueReader,
    /// The character set of the whole source, if one was specified.
    encoding: Option<Charset>,
    scratch: String,
}

impl CsvRecords {
    /// Reads the header, or uses the design's fields instead.
    pub(super) fn open(
        buffer: RecordBuffer,
        design: &Design,
        options: InputOptions,
    ) -> Result<Self, InputError> {
        let dialect = Dialect::of(buffer.name(), design.input(), options)?;
        let mut records = Self {
            text: CsvText::new(buffer, dialect),
            columns: ColumnMap::default(),
            values: ValueReader::new(design),
            encoding: options.encoding,
            scratch: String::new(),
        };
        records.columns = match options.header {
            Header::Present => records.read_header(design, options.required)?,
            Header::Absent => ColumnMap::of_design(design, &[], options.encoding),
        };
        records.check_charsets(dialect)?;
        if records.columns.unknown.is_empty() { Ok(records) } else { Err(records.unknown_columns()?) }
    }

    /// Creates a reader of messages with these columns, or with those of the design's fields that are not `given`.
    pub(super) fn of_messages(
        name: &str,
        design: &Design,
        given: &[usize],
        columns: Option<Vec<String>>,
        options: InputOptions,
    ) -> Result<Self, InputError> {
        let dialect = Dialect::of(name, design.input(), options)?;
        let columns = match columns {
            Some(names) => {
                ColumnMap::of_header(name, names, design, given, options.required, options.encoding)?
            }
            None => ColumnMap::of_design(design, given, options.encoding),
        };
        let mut records = Self {
            text: CsvText::new(RecordBuffer::of_messages(name), dialect),
            columns,
            values: ValueReader::new(design),
            encoding: options.encoding,
            scratch: String::new(),
        };
        records.check_charsets(dialect)?;
        if records.columns.unknown.is_empty() { Ok(records) } else { Err(records.unknown_columns()?) }
    }

    /// Moves to the only record of a message.
    pub(super) fn begin_message(&mut self, message: &[u8]) -> Result<(), Fault> {
        self.text.begin_message(message);
        match self.text.advance() {
            Ok(Advance::Record) if self.text.flaw().is_some() || self.text.is_last() => Ok(()),
            Ok(Advance::Record) => Err(Fault::of_record(RejectReason::SeveralRecords)),
            // What is in memory is always readable.
            Ok(Advance::End) | Err(_) => Err(Fault::of_record(RejectReason::Empty)),
        }
    }

    /// Refuses to split a text at bytes that may be parts of characters.
    fn check_charsets(&self, dialect: Dialect) -> Result<(), InputError> {
        for (target, name) in self.columns.targets.iter().zip(&self.columns.names) {
            if let Target::Field { charset, .. } = *target
                && let Some(byte) = dialect.within_character(charset)
            {
                let (mark, field, charset) = (char::from(byte), name.clone(), charset.name());
                return Err(InputError::MarkInCharset {
                    name: self.text.name().to_owned(),
                    mark,
                    field,
                    charset,
                });
            }
        }
        Ok(())
    }

    /// Takes the names of the columns that are passed to [`Others`].
    pub(super) fn take_other_names(&mut self) -> Vec<String> {
        std::mem::take(&mut self.columns.others)
    }

    pub(super) fn line(&self) -> u64 {
        self.text.line()
    }

    /// Returns the original text of the current record without its line end, or its beginning if it is too long.
    pub(super) fn raw(&self) -> &[u8] {
        self.text.raw()
    }

    /// Moves to the next record, skipping empty lines.
    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        self.text.advance()
    }

    /// Reads the current record into `row` and `others`.
    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        if let Some(reason) = self.text.flaw() {
            return Err(Fault::of_record(reason));
        }
        let (fields, bytes) = self.text.fields();
        let (found, expected) = (fields.count(), self.columns.targets.len());
        if found != expected {
            return Err(Fault::of_record(RejectReason::ColumnCount { found, expected }));
        }
        match fields.text(bytes) {
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
        let (fields, _) = self.text.fields();
        self.values
            .read_parts(row, &self.columns.fields, fields.ends(), fields.gap())
            .map_err(|(column, error)| Fault::of_column(&self.columns.names[column], error))?;
        if self.columns.has_others {
            self.push_others(text, others);
        }
        Ok(())
    }

    fn push_others(&self, text: &str, others: &mut Others) {
        for (target, part) in self.columns.targets.iter().zip(self.text.fields().0.spans()) {
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
        let (fields, bytes) = self.text.fields();
        fields.field(column, bytes)
    }

    /// Rejects a file without a header whose first record has a different number of columns than the design.
    pub(super) fn check_first(&self) -> Result<(), InputError> {
        let (found, expected) = (self.text.fields().0.count(), self.columns.targets.len());
        if found == expected || self.text.flaw().is_some() {
            return Ok(());
        }
        let (name, line) = (self.text.name().to_owned(), self.line());
        Err(InputError::ColumnCount { name, line, found, expected })
    }

    fn read_header(&mut self, design: &Design, required: RequiredFields) -> Result<ColumnMap, InputError> {
        let source = self.text.name().to_owned();
        let names = self.text.read_header(self.encoding.unwrap_or(Charset::Utf8))?;
        ColumnMap::of_header(&source, names, design, &[], required, self.encoding)
    }

    /// Creates the error for unknown columns, with types guessed from the first record.
    fn unknown_columns(&mut self) -> Result<InputError, InputError> {
        self.advance()?;
        let columns = std::mem::take(&mut self.columns.unknown).into_iter().map(|column| {
            let value = if column < self.text.fields().0.count() { self.field(column) } else { b"" };
            UnknownColumn::new(&self.columns.names[column], &String::from_utf8_lossy(value))
        });
        let columns = columns.collect();
        Ok(InputError::UnknownColumns { name: self.text.name().to_owned(), columns })
    }
}
