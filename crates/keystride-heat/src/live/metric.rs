//! What is counted.

use serde::Serialize;

/// What a rate is of, per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Rows read.
    RowsRead,
    /// Rows written.
    RowsWritten,
    /// Bytes written. Not all sources count them.
    BytesWritten,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::RowsRead, Self::RowsWritten, Self::BytesWritten];

    /// The number of metrics.
    pub const COUNT: usize = Self::ALL.len();

    pub(super) fn index(self) -> usize {
        match self {
            Self::RowsRead => 0,
            Self::RowsWritten => 1,
            Self::BytesWritten => 2,
        }
    }
}
