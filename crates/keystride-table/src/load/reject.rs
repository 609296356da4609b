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
    /// The record can't be parsed to a row.
    #[error(transparent)]
    Record(input::RejectReason),
    /// No key can be made of the row, or no cell of a value.
    #[error(transparent)]
    Row(RowError),
    /// Another row of the load has the same key and different cells.
    #[error("same key as line {line} of {source_name}, with other values: {}", to_shown(key))]
    SameKey {
        /// The key.
        key: Vec<u8>,
        /// The source of the earlier row.
        source_name: String,
        /// Its line there.
        line: u64,
    },
    /// A row stored before the load has the same key and different cells.
    #[error("a row stored before has the same key with other values: {}", to_shown(key))]
    StoredKey {
        /// The key.
        key: Vec<u8>,
    },
}

/// Kinds of reasons, for counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectKind {
    /// A text is not a valid value of its field.
    Value,
    /// A record is malformed, for example with too many columns or an open quote.
    Shape,
    /// No key can be made.
    Key,
    /// A value does not fit its column.
    Cell,
    /// The store's limits are exceeded: the row is too large, or a time is out of range.
    Bounds,
    /// Another row of the load has the key.
    SameKey,
    /// A row stored before has the key.
    StoredKey,
}

impl RejectKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Value, Self::Shape, Self::Key, Self::Cell, Self::Bounds, Self::SameKey, Self::StoredKey];

    /// Returns the name used in reports.
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
    /// Returns the kind of the reason.
    pub fn kind(&self) -> RejectKind {
        match self {
            Self::Record(
                input::RejectReason::Value(_)
                | input::RejectReason::FinerTime { .. }
                | input::RejectReason::NotWhole { .. }
                | input::RejectReason::Inexact { .. },
            ) => RejectKind::Value,
            Self::Record(input::RejectReason::RowTooLarge { .. }) => RejectKind::Bounds,
            Self::Record(_) | Self::Row(RowError::FieldCell { .. } | RowError::MarkCell { .. }) => {
                RejectKind::Shape
            }
            Self::Row(RowError::Key(_) | RowError::UnclearBucket { .. }) => RejectKind::Key,
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
