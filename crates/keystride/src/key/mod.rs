//! Row keys: the bytes a row is stored and sorted under.
//!
//! One module per encoding of a single value: [`decimal`] text, [`binary`] as `Bytes.toBytes` has it, [`escape_nul`]
//! for byte strings inside a key, and two dialects, [`phoenix`] and [`ordered_bytes`]. [`descending`] turns a number
//! round before it is written.
//!
//! Encoders append to a `Vec<u8>` and leave it as it was when they refuse a value. Decoders read from the front of a
//! slice, never past its end, and tell how many bytes they took.

pub mod binary;
mod bytes;
pub mod decimal;
pub mod descending;
pub mod escape_nul;
mod fault;
mod number;
mod order;
pub mod ordered_bytes;
pub mod phoenix;
mod sort_order;

pub(crate) use bytes::check_len;
pub use bytes::{InvalidKey, Key, MAX_KEY_LEN};
pub use fault::{DecodeError, DecodeFault, EncodeError};
pub use number::{Float, Integer, Number, SignedInteger};
pub use order::{common_len, head, sorted_by_key};
pub use sort_order::SortOrder;
