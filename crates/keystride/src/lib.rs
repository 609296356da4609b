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

/// What the other crates of keystride use. It is no part of the interface, and may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::codec::cells::CellEncoder;
    pub use crate::codec::number::write as write_number;
    pub use crate::codec::quick_values::QuickValues;
    pub use crate::design::field::derived_kind;
    pub use crate::design::field_names::nfc;
    pub use crate::design::print::{byte_text, quoted as toml_text, toml_key};
    pub use crate::design::raw::place_of;
    pub use crate::design::written::{encodable, floor_number, writable};
    pub use crate::domain::{MOST_TRIED, least_len, nth_string, string_count, value_count, written_count};
    pub use crate::language::reachable_buckets;
    pub use crate::plan::plan_unlisted;
    pub use crate::plan::predicate::literal_of;
    pub use crate::value::reader::NO_FIELD;
    pub use crate::value::text::write_text;
}
