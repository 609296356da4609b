//! Cells, and the cell blocks they travel in.
//!
//! Bytes of `org.apache.hadoop.hbase.codec.KeyValueCodec`, all numbers big-endian:
//!
//! | Bytes | Field |
//! |---|---|
//! | 4 | length of all that follows for this cell |
//! | 4 | length of the key: row, family and qualifier and 12 bytes more |
//! | 4 | length of the value |
//! | 2, n | row with its length |
//! | 1, n | family with its length |
//! | n | qualifier |
//! | 8 | timestamp |
//! | 1 | kind |
//! | n | value |
//! | 2, n | tags with their length; only with `KeyValueCodecWithTags`, and only where there are any |
//!
//! A block is cells one after the other, without a count and without an end mark.

mod beside;
mod block;
#[cfg(test)]
mod fuzz;
mod kind;
mod read;
mod write;

pub(crate) use beside::Names;
pub use block::CellBlock;
pub use kind::{CellKind, LATEST};
pub(crate) use read::row_of_checked;
pub use read::{BadCell, Cell, Cells};
pub use write::{CellTooLarge, CellWriter};

/// Bytes of a key besides row, family and qualifier.
const KEY_OVERHEAD: usize = 2 + 1 + 8 + 1;
