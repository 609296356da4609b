//! Conversion between rows of fields and the cells of a store.
//!
//! The key of a row is determined by the design; each column with a value is one cell, in the column's family, under
//! its qualifier and in its encoding. A row without any such cell would not exist in a wide-column store, so it gets
//! [`ROW_MARK`]: an empty cell with an empty qualifier in the first family.

mod image;
mod places;
mod reader;
mod writer;

pub use reader::RowReader;
#[cfg(feature = "arrow")]
pub(crate) use reader::TakeValues;
pub use writer::{RawCell, RowWriter};

pub(crate) use image::{RowImage, RowImager, number_of, time_ms};

use keystride::codec::{CellError, KeyDecodeError, KeyError};
use keystride_store::{MutationError, Row};

/// Family index and qualifier of the empty cell that is stored for a row without any other cell.
pub const ROW_MARK: (usize, &str) = (0, "");

/// Why a row can't be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// No key can be made of it.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A value does not fit its column.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// HBase would reject it.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// The timestamp for its cells does not fit into 64 bits of milliseconds.
    #[error("field \"{field}\" can't stamp cells: {number} is beyond 64 bits of milliseconds")]
    Stamp {
        /// The field of `cell_time`.
        field: String,
        /// Its number.
        number: i128,
    },
    /// Its key would be read back as that of another row.
    #[error(
        "key \"{}\" would not give back field \"{field}\": the bucket is too narrow for its largest numbers, and digits \
         follow it; make it wider (SPL02)",
        keystride::escape::to_shown(key)
    )]
    UnclearBucket {
        /// The key.
        key: Vec<u8>,
        /// A field that would get another value.
        field: String,
    },
    /// A column of no field would be stored in the cell of a field.
    #[error(
        "column \"{column}\" would be stored as \"{cell}\", which holds field \"{field}\": rename it, or give the \
         field another qualifier"
    )]
    FieldCell {
        /// The column.
        column: String,
        /// Family and qualifier of the cell.
        cell: String,
        /// The field.
        field: String,
    },
    /// A column without a name would be stored in the cell that marks rows.
    #[error(
        "a column without a name would be stored as \"{cell}\", which marks rows without other cells: name it"
    )]
    MarkCell {
        /// Family and qualifier of the cell.
        cell: String,
    },
}

impl RowError {
    /// Returns the field at fault, if it is a key field or the `cell_time` field.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Key(KeyError::Missing { field } | KeyError::Field { field, .. })
            | Self::Stamp { field, .. }
            | Self::UnclearBucket { field, .. } => Some(field),
            Self::Key(_) | Self::Cell(_) | Self::Mutation(_) => None,
            Self::FieldCell { .. } | Self::MarkCell { .. } => None,
        }
    }
}

/// Why a stored row can't be decoded as a row of the design.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StoredRowError {
    /// Its key does not match the design.
    #[error("key \"{}\" is none of the design's", keystride::escape::to_shown(key))]
    Key {
        /// The key.
        key: Vec<u8>,
        /// Where it stops matching.
        #[source]
        source: KeyDecodeError,
    },
    /// A cell holds no value of its field.
    #[error(
        "the row of key \"{}\" holds a cell that is not a value of its field",
        keystride::escape::to_shown(key)
    )]
    Cell {
        /// The row's key.
        key: Vec<u8>,
        /// Which cell, and why.
        #[source]
        source: CellError,
    },
}

impl StoredRowError {
    pub(crate) fn of_key(stored: Row<'_>, source: KeyDecodeError) -> Self {
        Self::Key { key: stored.key().to_vec(), source }
    }
}
