//! Errors of reading record batches.

use keystride::escape::to_escaped;

use crate::scan::ReadError;

/// Why rows can't be read as record batches.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// They can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A time is out of range for its column.
    #[error(transparent)]
    TimeOutOfRange(#[from] TimeOutOfRange),
}

/// A time in seconds is out of range for a column of milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("row \"{}\", field \"{field}\": {number} s is beyond 64 bits of milliseconds", to_escaped(key))]
pub struct TimeOutOfRange {
    /// The key of the row.
    pub key: Vec<u8>,
    /// The field.
    pub field: String,
    /// The number.
    pub number: i128,
}
