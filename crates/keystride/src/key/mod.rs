//! Row keys: the bytes under which a row is stored and sorted.
//!
//! There is one module per encoding of a single value: [`decimal`] text, [`binary`] as in `Bytes.toBytes`,
//! [`escape_nul`] for byte strings inside a key, and two dialects, [`phoenix`] and [`ordered_bytes`]. [`descending`]
//! subtracts a number from a bound before it is written.
//!
//! Encoders append to a `Vec<u8>` and leave it unchanged when they reject a value. Decoders read from the front of a
//! slice, never past its end, and return how many bytes they read.

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
