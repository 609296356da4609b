//! Rows as cells: what a row of fields looks like in a store, in both directions.
//!
//! A row's key is its design's; each column with a value is one cell, in the column's family, under its qualifier and
//! encoding. A row that has no such cell would not exist in a wide-column store, so it gets [`ROW_MARK`]: an empty cell
//! with an empty qualifier in the first family.

mod image;
mod places;
mod reader;
mod writer;

pub use reader::RowReader;
pub(crate) use reader::TakeValues;
pub use writer::{RawCell, RowWriter};

pub(crate) use image::{RowImage, RowImager, time_ms};

use keystride::codec::{CellError, KeyDecodeError, KeyError};
use keystride_store::MutationError;

/// Index of the family and the qualifier of the empty cell that a row without any other cell has.
pub const ROW_MARK: (usize, &str) = (0, "");

/// Why a row can't be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// It has no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A value does not fit its column.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// HBase would refuse it.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// The time that is to stamp its cells is beyond 64 bits of milliseconds.
    #[error("field \"{field}\" can't stamp cells: {number} is beyond 64 bits of milliseconds")]
    Stamp {
        /// The field of `cell_time`.
        field: String,
        /// Its number.
        number: i128,
    },
}

impl RowError {
    /// The field at fault, where it is one of the key's, or of the time that stamps.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Key(KeyError::Missing { field } | KeyError::Field { field, .. })
            | Self::Stamp { field, .. } => Some(field),
            Self::Key(_) | Self::Cell(_) | Self::Mutation(_) => None,
        }
    }
}

/// Why a stored row can't be read as one of the design's.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StoredRowError {
    /// Its key is none of the design's.
    #[error("key \"{}\" is none of the design's", keystride::escape::to_shown(key))]
    Key {
        /// The key.
        key: Vec<u8>,
        /// Where it stops being one.
        #[source]
        source: KeyDecodeError,
    },
    /// A cell holds no value of its field.
    #[error("the row of key \"{}\" holds a cell that is no value", keystride::escape::to_shown(key))]
    Cell {
        /// The row's key.
        key: Vec<u8>,
        /// Which cell, and why.
        #[source]
        source: CellError,
    },
}
