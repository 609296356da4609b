//! Changes that depend on the stored row: increments, appends and conditional mutations.

mod check;
mod deltas;

pub use check::{Check, Condition};
pub(crate) use deltas::Deltas;

/// What an increment adds to one column.
///
/// ```
/// # use keystride_store::Amount;
/// let hit = Amount { family: b"cf", qualifier: b"hits", amount: 1 };
/// assert_eq!(hit.amount.to_be_bytes(), [0, 0, 0, 0, 0, 0, 0, 1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount<'a> {
    /// Name of the column family.
    pub family: &'a [u8],
    /// Name of the column in its family; may be empty.
    pub qualifier: &'a [u8],
    /// The number to add; may be negative.
    pub amount: i64,
}

/// What an append adds to the end of one column's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended<'a> {
    /// Name of the column family.
    pub family: &'a [u8],
    /// Name of the column in its family; may be empty.
    pub qualifier: &'a [u8],
    /// The bytes to append; may be empty.
    pub value: &'a [u8],
}
