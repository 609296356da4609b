//! Rows that are not stored, and why.

use std::fmt;

use keystride::escape::to_shown;

use crate::cells::RowError;
use crate::input;

/// A row or record that was not stored.
pub type Rejected = input::Reject<RejectReason>;

/// Why a row is not stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// The record makes no row.
    #[error(transparent)]
    Record(input::RejectReason),
    /// The row makes no key, or a value no cell.
    #[error(transparent)]
    Row(RowError),
    /// Another row of the load has the same key and other cells.
    #[error("same key as line {line} of {source_name}, with other values: {}", to_shown(key))]
    SameKey {
        /// The key.
        key: Vec<u8>,
        /// Where the earlier row is.
        source_name: String,
        /// Its line there.
        line: u64,
    },
    /// A row stored before the load has the same key and other cells.
    #[error("a row stored before has the same key with other values: {}", to_shown(key))]
    StoredKey {
        /// The key.
        key: Vec<u8>,
    },
}

/// Kinds of reasons, to count by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectKind {
    /// A text that is no value of its field.
    Value,
    /// A record that is none: too many columns, an open quote.
    Shape,
    /// No key can be made.
    Key,
    /// A value does not fit its column.
    Cell,
    /// The store's model has no room for it: too large, or a time out of range.
    Bounds,
    /// Another row of the load has the key.
    SameKey,
    /// A row stored before has the key.
    StoredKey,
}

impl RejectKind {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Value, Self::Shape, Self::Key, Self::Cell, Self::Bounds, Self::SameKey, Self::StoredKey];

    /// Its word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Shape => "shape",
            Self::Key => "key",
            Self::Cell => "cell",
            Self::Bounds => "bounds",
            Self::SameKey => "same key",
            Self::StoredKey => "stored key",
        }
    }
}

impl RejectReason {
    /// What it counts as.
    pub fn kind(&self) -> RejectKind {
        match self {
            Self::Record(input::RejectReason::Value(_) | input::RejectReason::FinerTime { .. }) => {
                RejectKind::Value
            }
            Self::Record(_) => RejectKind::Shape,
            Self::Row(RowError::Key(_)) => RejectKind::Key,
            Self::Row(RowError::Cell(_)) => RejectKind::Cell,
            Self::Row(RowError::Mutation(_) | RowError::Stamp { .. }) => RejectKind::Bounds,
            Self::SameKey { .. } => RejectKind::SameKey,
            Self::StoredKey { .. } => RejectKind::StoredKey,
        }
    }
}

impl fmt::Display for RejectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
