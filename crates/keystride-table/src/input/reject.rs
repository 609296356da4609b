//! Records that become no row, and why.

use std::fmt;

use keystride::time::Unit;
use keystride::value::ValueError;

/// A record that becomes no row, for a reason `R`: a reader's unless said otherwise.
#[derive(Debug)]
pub struct Reject<R = RejectReason> {
    /// The source's name.
    pub source: String,
    /// The line at which the record begins, from 1; of Parquet the row.
    pub line: u64,
    /// The column at fault, where one is.
    pub column: Option<String>,
    /// Why.
    pub reason: R,
    /// The record as it was, without its line end; in UTF-8 where the whole source is in another character set, with a
    /// byte FF for what was malformed. Of Parquet the row as JSON.
    pub raw: Vec<u8>,
}

/// Why a record becomes no row.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// A text that is no value of its field.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A typed time that its field's unit can't hold. (A pattern says itself what it keeps.)
    #[error(
        "{found} is finer than {unit}, the field's unit: give the field a finer one, or cut the times before"
    )]
    FinerTime {
        /// The time.
        found: String,
        /// The field's unit.
        unit: Unit,
    },
    /// More or fewer columns than the header.
    #[error("{found} columns, not {expected}")]
    ColumnCount {
        /// Those of the record.
        found: usize,
        /// Those of the header.
        expected: usize,
    },
    /// Bytes that are not text.
    #[error("not {charset}: say the input's encoding, or the field's charset")]
    NotText {
        /// The character set they were read in.
        charset: &'static str,
    },
    /// A quote that nothing closes.
    #[error("a quote is left open to the end of the source, line {to_line}")]
    OpenQuote {
        /// The last line.
        to_line: u64,
    },
    /// A record of which only the beginning is kept.
    #[error(
        "too long to be read, up to line {to_line}; only its beginning is kept: is a quote left open, or is this no text?"
    )]
    TooLong {
        /// The line it ends in.
        to_line: u64,
    },
    /// A line that is no JSON object.
    #[error("not a JSON object: {0}")]
    Json(#[source] serde_json::Error),
    /// An object or a list where a value is needed.
    #[error("an object or a list, not a value")]
    Nested,
    /// One key twice in an object.
    #[error("the key is there twice")]
    KeyTwice,
    /// A key that no field names, where the design allows none.
    #[error("no field has this name, and the design says other = \"error\"")]
    UnknownKey,
}

/// Why a record becomes no row, and the column where that is.
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
    /// The same record, with its reason as those see it who have reasons of their own.
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
