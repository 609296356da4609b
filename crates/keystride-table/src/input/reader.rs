//! Reading several sources as one stream of rows.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::vec;

use keystride::{Design, Row};

use super::others::Others;
use super::reject::Fault;
use super::source::{Source, SourceSpec, expand};
use super::source_records::{Advance, SourceRecords};
use super::stream::ByteCount;
use super::{InputError, InputOptions, KeptRecord, Position, Progress, Reject, RejectReason};

/// Reads the records of several sources, one source after another, as rows of a design.
///
/// It does not allocate per row once its buffers have grown to the longest row, except for JSON strings with escapes.
pub struct InputReader {
    design: Arc<Design>,
    options: InputOptions,
    sources: vec::IntoIter<Source>,
    byte_count: Option<u64>,
    name: String,
    records: Option<SourceRecords>,
    position: Position,
    /// Bytes of the sources that are finished.
    bytes_before: u64,
    bytes: ByteCount,
    others: Others,
}

/// The result of [`InputReader::next`].
#[derive(Debug)]
pub enum Next {
    /// The row holds a record.
    Row,
    /// A record was rejected; reading can continue.
    Rejected(Box<Reject>),
    /// There are no more records.
    End,
}

/// Opens the sources that a load is to read.
///
/// # Errors
///
/// As for [`expand`] and [`InputReader::open`].
pub fn open(
    specs: &[SourceSpec],
    design: Arc<Design>,
    options: InputOptions,
) -> Result<InputReader, InputError> {
    InputReader::open(design, expand(specs)?, options)
}

impl InputReader {
    /// Opens the first of `sources`. The others are opened when they are reached.
    ///
    /// # Errors
    ///
    /// [`InputError`] when there is no source, or the first can't be read with this design and these options.
    pub fn open(
        design: Arc<Design>,
        sources: Vec<Source>,
        options: InputOptions,
    ) -> Result<Self, InputError> {
        let mut reader = Self {
            design,
            options,
            byte_count: sources.iter().map(Source::byte_count).sum(),
            sources: sources.into_iter(),
            name: String::new(),
            records: None,
            position: Position::default(),
            bytes_before: 0,
            bytes: ByteCount::default(),
            others: Others::default(),
        };
        match reader.sources.next() {
            Some(first) => reader.open_source(first, 0)?,
            None => return Err(InputError::NoSources),
        }
        Ok(reader)
    }

    /// Returns the design of the rows.
    pub fn design(&self) -> &Arc<Design> {
        &self.design
    }

    /// Creates an empty row for [`InputReader::next`].
    pub fn new_row(&self) -> Row {
        Row::new(self.design.fields().len())
    }

    /// Reads the next record into `row`, which is replaced if it does not have the design's number of fields. After a
    /// reject and at the end, its values are unspecified.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the current source can't be read further, or the next one can't be opened. After that,
    /// only [`Next::End`] is returned.
    pub fn next(&mut self, row: &mut Row) -> Result<Next, InputError> {
        let advanced = self.advance();
        if self.close_on_error(advanced)? == Advance::End {
            return Ok(Next::End);
        }
        let Some(records) = &mut self.records else { return Ok(Next::End) };
        if row.len() != self.design.fields().len() {
            *row = Row::new(self.design.fields().len());
        }
        self.others.clear();
        match records.read(&self.design, row, &mut self.others) {
            Ok(()) => Ok(Next::Row),
            Err(fault) => Ok(Next::Rejected(Box::new(self.reject(fault)))),
        }
    }

    /// Returns the name and text of each column of the current row that belongs to no field and is not null, in the
    /// order of the source. Empty unless the design stores such columns.
    pub fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter()
    }

    /// Returns the names of the columns of the current source that belong to no field, from its header; JSON has none.
    /// Empty unless the design stores such columns.
    pub fn other_names(&self) -> &[String] {
        self.others.names()
    }

    /// Returns the name of the current source.
    pub fn source(&self) -> &str {
        &self.name
    }

    /// Returns the first line of the current record, counted from 1; for Parquet the row.
    pub fn line(&self) -> u64 {
        self.records.as_ref().map_or(0, SourceRecords::line)
    }

    /// Returns the current record in the form of [`Reject::raw`], for callers that reject it themselves.
    pub fn raw(&self) -> Cow<'_, [u8]> {
        self.records.as_ref().map_or(Cow::Borrowed(&[]), SourceRecords::raw)
    }

    /// Returns approximately how much memory the pages of the current source take, if it is Parquet.
    pub(crate) fn reading_bytes(&self) -> usize {
        self.records.as_ref().map_or(0, SourceRecords::reading_bytes)
    }

    /// Returns the beginning of the current record, for callers that reject it because of its size.
    pub(crate) fn raw_beginning(&self) -> Vec<u8> {
        self.records.as_ref().map_or_else(Vec::new, SourceRecords::raw_beginning)
    }

    /// Keeps the current record, whose raw form is then available after later ones are read. For Parquet this is much
    /// cheaper than [`raw`](Self::raw).
    pub fn keep(&self, kept: &mut KeptRecord) {
        match &self.records {
            Some(records) => records.keep(kept),
            None => kept.clear(),
        }
    }

    /// Returns the position after the current record.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the progress.
    pub fn progress(&self) -> Progress {
        let bytes_read = self.bytes_before + self.bytes.bytes();
        Progress { position: self.position, bytes_read, byte_count: self.byte_count }
    }

    /// Moves to the next record, opening further sources as needed.
    fn advance(&mut self) -> Result<Advance, InputError> {
        while self.advance_in_source()? == Advance::End {
            self.bytes_before += self.bytes.bytes();
            self.bytes.set(0);
            self.records = None;
            match self.sources.next() {
                Some(source) => self.open_source(source, self.position.source + 1)?,
                None => return Ok(Advance::End),
            }
        }
        Ok(Advance::Record)
    }

    fn advance_in_source(&mut self) -> Result<Advance, InputError> {
        let Some(records) = &mut self.records else { return Ok(Advance::End) };
        if records.advance()? == Advance::End {
            return Ok(Advance::End);
        }
        if self.position.record == 0 {
            records.check_first(&self.design, self.options.header)?;
        }
        self.position.record += 1;
        Ok(Advance::Record)
    }

    fn open_source(&mut self, source: Source, index: usize) -> Result<(), InputError> {
        source.name().clone_into(&mut self.name);
        self.position = Position { source: index, record: 0 };
        self.bytes.set(0);
        let records = SourceRecords::open(source, &self.design, self.options, &self.bytes, &mut self.others)?;
        self.records = Some(records);
        Ok(())
    }

    /// Closes all sources after an error, so that a failed source can't appear to end normally later.
    fn close_on_error<T>(&mut self, result: Result<T, InputError>) -> Result<T, InputError> {
        if result.is_err() {
            self.records = None;
            self.sources = Vec::new().into_iter();
        }
        result
    }

    fn reject(&self, fault: Fault) -> Reject {
        Reject {
            source: self.name.clone(),
            line: self.line(),
            column: fault.column,
            raw: match fault.reason {
                RejectReason::RowTooLarge { .. } => self.raw_beginning(),
                _ => self.raw().into_owned(),
            },
            reason: fault.reason,
        }
    }
}

impl fmt::Debug for InputReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputReader")
            .field("source", &self.name)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
