//! The key codec of a design: rows to keys, and keys back to fields.
//!
//! [`KeyCodec`] holds the design. [`KeyEncoder`] encodes row after row into the caller's buffer without allocating;
//! [`KeyCodec::decode`] reads a key back, or says exactly where it stops being one; [`KeyCodec::describe`] splits a key
//! into its parts for people. [`Design::encode_cell`](crate::Design::encode_cell) and
//! [`Design::decode_cell`](crate::Design::decode_cell) do the same for the cells of a row.

mod bucket;
mod cell;
pub(crate) mod cells;
mod check;
mod decode;
mod defaulted_design;
mod derive;
mod describe;
mod document;
mod encode;
mod error;
mod field;
mod key_codec;
mod named_row;
pub(crate) mod number;
mod ops;
mod plan;
mod prefixes;
mod quick;
pub(crate) mod quick_values;
mod read_value;
mod scratch;
mod transform;
mod write_value;

pub use cell::{CellError, CellFault};
pub use decode::DecodedKey;
pub use describe::{DescribedPart, DescribedPrefix, PartKind};
pub use document::KeyDocument;
pub use encode::KeyEncoder;
pub use error::{KeyDecodeError, KeyDecodeFault, KeyError, KeyFault};
pub use key_codec::KeyCodec;
pub use named_row::{NamedRow, NamedRowError};

pub(crate) use bucket::of_rest as bucket_of_rest;
pub(crate) use decode::part_end;
pub(crate) use defaulted_design::read_default;
pub(crate) use derive::apply as apply_function;
pub(crate) use read_value::read_number_part;
