//! CSV without a design.

use std::fmt;

use keystride::design::{Charset, Input};

use super::buffer::RecordBuffer;
use super::csv_text::CsvText;
use super::dialect::Dialect;
use super::reject::{Reject, RejectReason};
use super::source::Source;
use super::stream::{ByteCount, Stream};
use super::{Advance, Format, InputError, InputOptions};

/// Reads the records of a CSV source as texts, whatever its columns mean.
///
/// ```
/// # use keystride_table::input::*;
/// let source = Source::reader("calls.csv", "phone,city\n12345,\"Oslo\"\n".as_bytes());
/// let mut reader = CsvReader::open(source, InputOptions::default())?;
/// assert_eq!(reader.header(), ["phone", "city"]);
/// assert_eq!(reader.read()?.unwrap().unwrap(), ["12345", "Oslo"]);
/// assert!(reader.read()?.is_none());
/// # Ok::<(), InputError>(())
/// ```
pub struct CsvReader {
    text: CsvText,
    charset: Charset,
    header: Vec<String>,
}

impl CsvReader {
    /// Opens a source that begins with a header. A record may have more or fewer fields.
    ///
    /// # Errors
    ///
    /// [`InputError`] when it can't be opened, or has no header.
    pub fn open(source: Source, options: InputOptions) -> Result<Self, InputError> {
        let dialect = Dialect::of(source.name(), &Input::default(), options)?;
        let stream = Stream::open(source, Format::Csv, &options, &ByteCount::default())?;
        let buffer = RecordBuffer::open(stream)?;
        if buffer.pending().starts_with(b"{") || buffer.pending().starts_with(b"[") {
            let (name, asked, found) = (buffer.name().to_owned(), Format::Csv, Format::JsonLines);
            return Err(InputError::OtherFormat { name, asked, found });
        }
        let mut text = CsvText::new(buffer, dialect);
        let charset = options.encoding.unwrap_or(Charset::Utf8);
        let header = text.read_header(charset)?;
        Ok(Self { text, charset, header })
    }

    /// Returns the names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Returns the first line of the record read last.
    pub fn line(&self) -> u64 {
        self.text.line()
    }

    /// Reads the fields of the next record; `None` after the last.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the source can't be read further.
    pub fn read(&mut self) -> Result<Option<Result<Vec<String>, Reject>>, InputError> {
        if self.text.advance()? == Advance::End {
            return Ok(None);
        }
        Ok(Some(self.texts().map_err(|reason| Reject {
            source: self.text.name().to_owned(),
            line: self.text.line(),
            column: None,
            reason,
            raw: self.text.raw().to_owned(),
        })))
    }

    fn texts(&self) -> Result<Vec<String>, RejectReason> {
        if let Some(flaw) = self.text.flaw() {
            return Err(flaw);
        }
        let (fields, bytes) = self.text.fields();
        let text = |column| str::from_utf8(fields.field(column, bytes)).map(str::to_owned);
        let texts: Result<_, _> = (0..fields.count()).map(text).collect();
        texts.map_err(|_| RejectReason::NotText { charset: self.charset.name() })
    }
}

impl fmt::Debug for CsvReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvReader").field("header", &self.header).finish_non_exhaustive()
    }
}
