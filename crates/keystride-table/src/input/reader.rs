//! Several sources as one stream of rows.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::vec;

use keystride::{Design, Row};

use super::others::Others;
use super::records::{Advance, Records};
use super::reject::Fault;
use super::source::{Source, SourceSpec, expand};
use super::stream::ByteCount;
use super::{InputError, InputOptions, Position, Progress, Reject};

/// Reads the records of several sources, one after the other, as rows of a design.
///
/// It allocates nothing for a row once its buffers have grown to the longest; JSON strings with escapes are the
/// exception.
pub struct InputReader {
    design: Arc<Design>,
    options: InputOptions,
    sources: vec::IntoIter<Source>,
    source_count: usize,
    byte_count: Option<u64>,
    name: String,
    records: Option<Records>,
    position: Position,
    /// Bytes of the sources that are done.
    bytes_before: u64,
    bytes: ByteCount,
    others: Others,
}

/// What came next.
#[derive(Debug)]
pub enum Next {
    /// The row holds a record.
    Row,
    /// A record became no row; reading goes on.
    Rejected(Box<Reject>),
    /// There are no more records.
    End,
}

/// Opens what a load was asked to read.
///
/// # Errors
///
/// [`InputError`] as [`expand`] and [`InputReader::open`] have it.
pub fn open(
    specs: &[SourceSpec],
    design: Arc<Design>,
    options: InputOptions,
) -> Result<InputReader, InputError> {
    InputReader::open(design, expand(specs)?, options)
}

impl InputReader {
    /// Opens the first of `sources`; the others are opened when their turn comes.
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
            source_count: sources.len(),
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

    /// The design whose rows it reads.
    pub fn design(&self) -> &Arc<Design> {
        &self.design
    }

    /// An empty row for [`InputReader::next`].
    pub fn new_row(&self) -> Row {
        Row::new(self.design.fields.len())
    }

    /// Reads the next record into `row`, in whose place comes a fitting one if it is not of the design. After a reject
    /// and at the end its values mean nothing.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the source at hand can't be read further, or the next one not at all. After that there is
    /// only [`Next::End`].
    pub fn next(&mut self, row: &mut Row) -> Result<Next, InputError> {
        let advanced = self.advance();
        if self.close_on_error(advanced)? == Advance::End {
            return Ok(Next::End);
        }
        let Some(records) = &mut self.records else { return Ok(Next::End) };
        if row.len() != self.design.fields.len() {
            *row = Row::new(self.design.fields.len());
        }
        self.others.clear();
        match records.read(&self.design, row, &mut self.others) {
            Ok(()) => Ok(Next::Row),
            Err(fault) => Ok(Next::Rejected(Box::new(self.reject(fault)))),
        }
    }

    /// Name and text of each column of the row at hand that no field names and that holds something, in the source's
    /// order; only with a design that stores them.
    pub fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter()
    }

    /// The name of the source at hand.
    pub fn source(&self) -> &str {
        &self.name
    }

    /// The line at which the record at hand begins, from 1; of Parquet the row.
    pub fn line(&self) -> u64 {
        self.records.as_ref().map_or(0, Records::line)
    }

    /// The record at hand as [`Reject::raw`] has it, for those who reject a row later.
    pub fn raw(&self) -> Cow<'_, [u8]> {
        self.records.as_ref().map_or(Cow::Borrowed(&[]), Records::raw)
    }

    /// The place after the record at hand.
    pub fn position(&self) -> Position {
        self.position
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let bytes_read = self.bytes_before + self.bytes.bytes();
        Progress { position: self.position, bytes_read, byte_count: self.byte_count }
    }

    /// Goes to a place further on, reading past the records before it without making rows of them. Sources that lie
    /// wholly before it are not even opened.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the place lies before the one at hand or is not in the sources, and as
    /// [`InputReader::next`] has it.
    pub fn skip_to(&mut self, to: Position) -> Result<(), InputError> {
        let skipped = self.try_skip_to(to);
        self.close_on_error(skipped)
    }

    fn try_skip_to(&mut self, to: Position) -> Result<(), InputError> {
        if to < self.position {
            return Err(InputError::Behind { at: to, reached: self.position });
        }
        if to.source >= self.source_count {
            return Err(InputError::PastEnd { at: to, name: None, found: self.source_count as u64 });
        }
        if to.source > self.position.source {
            self.pass_sources(to.source)?;
        }
        while self.position.record < to.record {
            if self.advance_in_source()? == Advance::End {
                let name = Some(self.name.clone());
                return Err(InputError::PastEnd { at: to, name, found: self.position.record });
            }
        }
        Ok(())
    }

    /// Goes to the next record, over the ends of sources.
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

    /// Leaves the source at hand and those before `index` unread, and opens that.
    fn pass_sources(&mut self, index: usize) -> Result<(), InputError> {
        self.records = None;
        self.bytes_before += self.bytes.bytes();
        for _ in self.position.source + 1..index {
            self.bytes_before += self.sources.next().and_then(|source| source.byte_count()).unwrap_or(0);
        }
        match self.sources.next() {
            Some(source) => self.open_source(source, index),
            None => Ok(()),
        }
    }

    fn open_source(&mut self, source: Source, index: usize) -> Result<(), InputError> {
        source.name().clone_into(&mut self.name);
        self.position = Position { source: index, record: 0 };
        self.bytes.set(0);
        let records = Records::open(source, &self.design, self.options, &self.bytes, &mut self.others)?;
        self.records = Some(records);
        Ok(())
    }

    /// A source that failed once may not seem to end well later.
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
            reason: fault.reason,
            raw: self.raw().into_owned(),
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
