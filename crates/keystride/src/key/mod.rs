//! Row keys: the bytes a row is stored and sorted under.

mod bytes;

pub use bytes::{InvalidKey, Key, MAX_KEY_LEN};
