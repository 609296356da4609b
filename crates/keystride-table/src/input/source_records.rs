//! The records of one source, whatever its format.

use std::borrow::Cow;

use keystride::{Design, Row};

use super::buffer::RecordBuffer;
use super::csv::CsvRecords;
use super::json_lines::JsonRecords;
use super::kept::KeptRecord;
use super::others::Others;
use super::reject::Fault;
use super::source::Source;
use super::stream::{ByteCount, Stream};
use super::{Format, Header, InputError, InputOptions};

pub(super) enum SourceRecords {
    Csv(Box<CsvRecords>),
    JsonLines(Box<JsonRecords>),
    #[cfg(feature = "parquet")]
    Parquet(Box<super::parquet::ParquetRecords>),
}

/// Whether there was another record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advance {
    Record,
    End,
}

impl SourceRecords {
    pub(super) fn open(
        source: Source,
        design: &Design,
        options: InputOptions,
        count: &ByteCount,
        others: &mut Others,
    ) -> Result<Self, InputError> {
        let format = options.format_of(source.name());
        if format == Format::Parquet {
            return open_parquet(source, design, options, count, others);
        }
        let options = if format == Format::Csv { options.of_csv(design) } else { options };
        let buffer = RecordBuffer::open(Stream::open(source, format, &options, count)?)?;
        if format == Format::JsonLines {
            others.set_header(Vec::new());
            return Ok(Self::JsonLines(Box::new(JsonRecords::open(buffer, design))));
        }
        if options.header == Header::Present && buffer.pending().starts_with(b"{\"") {
            let name = buffer.name().to_owned();
            return Err(InputError::OtherFormat { name, asked: format, found: Format::JsonLines });
        }
        let mut records = CsvRecords::open(buffer, design, options)?;
        others.set_header(records.take_other_names());
        Ok(Self::Csv(Box::new(records)))
    }

    /// Moves to the next record.
    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        match self {
            Self::Csv(records) => records.advance(),
            Self::JsonLines(records) => records.advance(),
            #[cfg(feature = "parquet")]
            Self::Parquet(records) => records.advance(),
        }
    }

    /// Checks of the whole source that require its first record.
    pub(super) fn check_first(&mut self, design: &Design, header: Header) -> Result<(), InputError> {
        match self {
            Self::Csv(records) if header == Header::Absent => records.check_first(),
            Self::JsonLines(records) => records.check_first(design),
            _ => Ok(()),
        }
    }

    /// Reads the current record into `row`, replacing its values.
    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        match self {
            Self::Csv(records) => records.read(design, row, others),
            Self::JsonLines(records) => records.read(design, row, others),
            #[cfg(feature = "parquet")]
            Self::Parquet(records) => records.read(design, row, others),
        }
    }

    pub(super) fn line(&self) -> u64 {
        match self {
            Self::Csv(records) => records.line(),
            Self::JsonLines(records) => records.line(),
            #[cfg(feature = "parquet")]
            Self::Parquet(records) => records.line(),
        }
    }

    pub(super) fn raw(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Csv(records) => records.raw().into(),
            Self::JsonLines(records) => records.raw().into(),
            #[cfg(feature = "parquet")]
            Self::Parquet(records) => records.keep().raw().into(),
        }
    }

    /// Returns approximately how much memory its pages take.
    pub(super) fn reading_bytes(&self) -> usize {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(records) => records.reading_bytes(),
            _ => 0,
        }
    }

    /// Returns the beginning of the raw form, for records that are too large to be kept.
    pub(super) fn raw_beginning(&self) -> Vec<u8> {
        const MOST_BYTES: usize = 1024;
        let text = |raw: &[u8]| raw[..raw.len().min(MOST_BYTES)].to_vec();
        match self {
            Self::Csv(records) => text(records.raw()),
            Self::JsonLines(records) => text(records.raw()),
            #[cfg(feature = "parquet")]
            Self::Parquet(records) => records.keep().raw_beginning(MOST_BYTES),
        }
    }

    /// Keeps the current record in `kept`.
    pub(super) fn keep(&self, kept: &mut KeptRecord) {
        match self {
            Self::Csv(records) => kept.set_text(records.raw()),
            Self::JsonLines(records) => kept.set_text(records.raw()),
            #[cfg(feature = "parquet")]
            Self::Parquet(records) => *kept = KeptRecord::of_row(records.keep()),
        }
    }
}

#[cfg(feature = "parquet")]
fn open_parquet(
    source: Source,
    design: &Design,
    options: InputOptions,
    count: &ByteCount,
    others: &mut Others,
) -> Result<SourceRecords, InputError> {
    let mut records = super::parquet::ParquetRecords::open(source, design, options, count)?;
    others.set_header(records.take_other_names());
    Ok(SourceRecords::Parquet(Box::new(records)))
}

#[cfg(not(feature = "parquet"))]
fn open_parquet(
    source: Source,
    _: &Design,
    _: InputOptions,
    _: &ByteCount,
    _: &mut Others,
) -> Result<SourceRecords, InputError> {
    Err(InputError::NoParquet { name: source.name().to_owned() })
}
