//! Row keys done right for HBase and every ordered wide-column store.
//!
//! Pure rules: same input, same bytes; no file, clock, network, thread or random number.

pub mod escape;
pub mod hash;
pub mod key;
pub mod range;
pub mod split;

pub use key::{InvalidKey, Key, MAX_KEY_LEN};
pub use range::KeyRange;
pub use split::{SplitError, SplitPoints};
