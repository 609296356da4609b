//! Row keys done right for HBase and every ordered wide-column store.
//!
//! The crate is deterministic: the same input always gives the same bytes. It uses no files, clock, network, threads or
//! random numbers.

pub mod codec;
pub mod design;
mod digit_word;
mod domain;
pub mod escape;
pub mod hash;
pub mod key;
pub mod language;
pub mod lint;
pub mod plan;
pub mod range;
pub mod split;
pub mod time;
pub mod value;

pub use codec::{KeyCodec, KeyEncoder};
pub use design::Design;
pub use key::{InvalidKey, Key, MAX_KEY_LEN};
pub use language::KeyLanguage;
pub use plan::{Planner, Predicate, ScanPlan};
pub use range::KeyRange;
pub use split::{SplitError, SplitPoints};
pub use value::{Row, Value};
