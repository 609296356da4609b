//! Rejected records.

use std::fmt;

use keystride::time::Unit;
use keystride::value::ValueError;

use super::options::ROWS_IN_MEMORY;

/// A rejected record with a reason `R`, by default that of a reader.
#[derive(Debug)]
pub struct Reject<R = RejectReason> {
    /// The source's name.
    pub source: String,
    /// The first line of the record, counted from 1; for Parquet the row.
    pub line: u64,
    /// The column at fault, if there is one.
    pub column: Option<String>,
    /// Why.
    pub reason: R,
    /// The original record without its line end. If the whole source is in another character set, it is converted to
    /// UTF-8, with a byte FF for each malformed sequence. For Parquet, the row as JSON; for Avro, its bytes in HBase's text
    /// form, as [`keystride::escape`] writes and reads them.
    pub raw: Vec<u8>,
}

/// Why a record was rejected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// A text is not a valid value of its field.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A typed time has a higher precision than its field's unit. (A pattern determines the precision itself.)
    #[error(
        "{found} is finer than {unit}, the field's unit: give the field a finer one, or cut the times before"
    )]
    FinerTime {
        /// The time.
        found: String,
        /// The field's unit.
        unit: Unit,
    },
    /// A float that is to be a whole number has a fraction, or is no number.
    #[error("\"{found}\" is not a whole number")]
    NotWhole {
        /// The float.
        found: String,
    },
    /// A float is so large that it may stand for several whole numbers.
    #[error(
        "{found} is a float of 2^{bits} or more, where one float stands for several whole numbers: write the column as \
         integers or decimals, or read it as a field of type f64"
    )]
    Inexact {
        /// The float.
        found: String,
        /// Number of bits of whole numbers that such floats hold exactly.
        bits: u8,
    },
    /// The number of columns differs from that of the header.
    #[error("{found} {}, not {expected}", if *found == 1 { "column" } else { "columns" })]
    ColumnCount {
        /// The number of columns of the record.
        found: usize,
        /// The number of columns of the header.
        expected: usize,
    },
    /// Bytes are not valid text.
    #[error("not {charset}: try --encoding gb18030, or give the field a charset")]
    NotText {
        /// The character set they were read in.
        charset: &'static str,
    },
    /// A closing quote is not followed by a delimiter or a line end.
    #[error(
        "text follows a closing quote, in line {line}: double the quotes within quotes, or say the input's quote and escape"
    )]
    TextBehindQuote {
        /// The line of that quote.
        line: u64,
    },
    /// A quote is not closed.
    #[error(
        "a quote is left open to the end of the source, line {to_line}: close it, or say the input's quote"
    )]
    OpenQuote {
        /// The last line.
        to_line: u64,
    },
    /// A quote is open until the record exceeds the maximum length.
    #[error(
        "a quote is left open up to line {to_line}, where {} are full: close it, or say the input's quote",
        Mebibytes(*limit)
    )]
    LongQuote {
        /// The line reached.
        to_line: u64,
        /// The maximum length in bytes.
        limit: usize,
    },
    /// An escape character is the last of the source.
    #[error("the escape at the end of the source has nothing to escape")]
    LoneEscape,
    /// The line exceeds the maximum length; only its beginning is kept.
    #[error("longer than {}, and only the beginning is kept: is this no text?", Mebibytes(*limit))]
    TooLong {
        /// The maximum length in bytes.
        limit: usize,
    },
    /// The row takes too much of the memory; only its beginning is kept.
    #[error(
        "a row of more than {limit} bytes, only the beginning of which is kept: it takes {} bytes of memory to load such \
         rows, or more",
        limit.saturating_mul(2 * ROWS_IN_MEMORY)
    )]
    RowTooLarge {
        /// The longest row in bytes that the memory suffices for.
        limit: usize,
    },
    /// A line is not a JSON object.
    #[error("not a JSON object: {}", without_line(.0))]
    Json(#[source] serde_json::Error),
    /// A message is not one record of its Avro schema.
    #[cfg(feature = "avro")]
    #[error("not a record of the schema, at byte {at}: {fault}{}", super::avro::InRegistry(*registry_id))]
    NotOfSchema {
        /// What it has instead.
        fault: super::AvroFault,
        /// The byte at which the fault was found, counted from 0.
        at: usize,
        /// The id of the schema in a registry, if the message begins with one.
        registry_id: Option<u32>,
    },
    /// A decimal does not fit into 128 bits.
    #[cfg(feature = "avro")]
    #[error("a decimal of more than 38 digits")]
    LongDecimal,
    /// An object or a list was found instead of a value.
    #[error("an object or a list, not a value")]
    Nested,
    /// A message has several records.
    #[error("more than one line: a message holds one record")]
    SeveralRecords,
    /// A message has no record.
    #[error("the message is empty")]
    Empty,
    /// A key occurs twice in an object.
    #[error("the key is there twice")]
    KeyTwice,
    /// A key belongs to no field, and the design does not allow such keys.
    #[error("no field has this name, and the design says other = \"error\"")]
    UnknownKey,
}

/// A number of bytes, in MiB.
pub(super) struct Mebibytes(pub(super) usize);

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.0 >> 20)
    }
}

/// Returns the parser's message, which takes each record for a text of its own, with a place in the record.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(&format!(" at line {} column ", error.line())) {
        Some((message, column)) => format!("{message} at byte {column} of the record"),
        None => text,
    }
}

/// The reason of a reject, and the column at fault.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) column: Option<String>,
    pub(super) reason: RejectReason,
}

impl Fault {
    pub(super) fn of_record(reason: RejectReason) -> Self {
        Self { column: None, reason }
    }

    pub(super) fn of_column(column: &str, reason: impl Into<RejectReason>) -> Self {
        Self { column: Some(column.to_owned()), reason: reason.into() }
    }
}

impl<R> Reject<R> {
    /// Converts the reason, for callers that have their own type of reasons.
    pub fn map_reason<S>(self, map: impl FnOnce(R) -> S) -> Reject<S> {
        let Self { source, line, column, reason, raw } = self;
        Reject { source, line, column, reason: map(reason), raw }
    }
}

impl<R: fmt::Display> fmt::Display for Reject<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.source, self.line)?;
        if let Some(column) = &self.column {
            write!(f, "column \"{column}\": ")?;
        }
        write!(f, "{}", self.reason)
    }
}
