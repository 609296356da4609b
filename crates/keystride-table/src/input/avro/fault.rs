//! Why a body is no record of a schema.

use std::fmt;

/// What a body has in the place of what a schema says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AvroFault {
    /// The body is too short.
    #[error("the body ends within a value")]
    EndsEarly,
    /// The body is too long.
    #[error("the record has ended, and the body goes on")]
    GoesOn,
    /// A number is too large.
    #[error("a number of more than {bits} bits")]
    LongNumber {
        /// The most bits of such a number.
        bits: u8,
    },
    /// A boolean is neither true nor false.
    #[error("a boolean of {found}, neither 0 nor 1")]
    Bool {
        /// Its byte.
        found: u8,
    },
    /// A union has no such branch.
    #[error("branch {found} of a union of {count}")]
    Branch {
        /// Its number, counted from 0.
        found: i64,
        /// How many there are.
        count: usize,
    },
    /// An enum has no such symbol.
    #[error("symbol {found} of an enum of {count}")]
    Symbol {
        /// Its number, counted from 0.
        found: i64,
        /// How many there are.
        count: usize,
    },
    /// A text or byte string has a length below 0.
    #[error("a length of {found}")]
    Length {
        /// The length.
        found: i64,
    },
    /// Values are in values that are in values, and so on.
    #[error("values nested more than {most} deep")]
    TooDeep {
        /// How deep they may be.
        most: usize,
    },
}

/// The id of a schema in a registry, if a body names one.
pub(in crate::input) struct InRegistry(pub(in crate::input) Option<u32>);

impl fmt::Display for InRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("; was the body written with another schema?"),
            Some(id) => write!(f, "; the body names schema {id} of a registry: is the file that one?"),
        }
    }
}
