//! Cells and cell blocks.
//!
//! Bytes of `org.apache.hadoop.hbase.codec.KeyValueCodec`, all numbers big-endian:
//!
//! | Bytes | Field |
//! |---|---|
//! | 4 | length of the rest of this cell |
//! | 4 | length of the key: row, family, qualifier and 12 more bytes |
//! | 4 | length of the value |
//! | 2, n | row with its length |
//! | 1, n | family with its length |
//! | n | qualifier |
//! | 8 | timestamp |
//! | 1 | kind |
//! | n | value |
//! | 2, n | tags with their length; only in `KeyValueCodecWithTags`, and only if there are any |
//!
//! A block is a sequence of cells without a count and without an end marker.

mod block;
#[cfg(test)]
mod fuzz;
mod kind;
mod read;
mod shared_names;
mod write;

pub use block::CellBlock;
pub use kind::{CellKind, LATEST};
pub(crate) use read::row_of_checked;
pub use read::{BadCell, Cell, Cells};
pub(crate) use shared_names::Names;
pub use write::{CellTooLarge, CellWriter};

/// Size of a key without row, family and qualifier.
const KEY_OVERHEAD: usize = 2 + 1 + 8 + 1;
