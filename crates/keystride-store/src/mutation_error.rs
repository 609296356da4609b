//! Limits of HBase on what can be written.

use keystride::{InvalidKey, Key, MAX_KEY_LEN};

use crate::MAX_FAMILY_LEN;

/// The longest qualifier in bytes.
pub const MAX_QUALIFIER_LEN: usize = 32_767;

/// A mutation that HBase would reject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MutationError {
    /// The row key is empty or too long.
    #[error(transparent)]
    Row(#[from] InvalidKey),
    /// The family has no name, or one of more than [`MAX_FAMILY_LEN`] bytes.
    #[error("a family name of {len} bytes can't be: HBase takes 1 to {MAX_FAMILY_LEN}")]
    Family {
        /// Its length in bytes.
        len: usize,
    },
    /// The qualifier has more than [`MAX_QUALIFIER_LEN`] bytes.
    #[error("a qualifier of {len} bytes is too long: at most {MAX_QUALIFIER_LEN} are taken")]
    Qualifier {
        /// Its length in bytes.
        len: usize,
    },
    /// The timestamp is before 1970.
    #[error("timestamp {ts} is negative, which HBase refuses")]
    Timestamp {
        /// The timestamp in milliseconds.
        ts: i64,
    },
    /// The cell exceeds the batch's limit on cell size.
    #[error(
        "a cell of {bytes} bytes is too large: at most {limit} are taken (hbase.client.keyvalue.maxsize)"
    )]
    CellTooLarge {
        /// Its size as HBase's client counts it.
        bytes: usize,
        /// The largest size allowed.
        limit: usize,
    },
    /// The batch has reached its maximum size.
    #[error("the batch is full: it takes just under 4 GiB")]
    BatchFull,
}

/// The rows have reached the size that 32-bit offsets can address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

impl From<Full> for MutationError {
    fn from(Full: Full) -> Self {
        Self::BatchFull
    }
}

/// Checks that `row` is a valid row key.
pub(crate) fn check_row(row: &[u8]) -> Result<(), InvalidKey> {
    match row.len() {
        1..=MAX_KEY_LEN => Ok(()),
        // Copies the bytes, but only to obtain the error.
        _ => Key::new(row).map(|_| ()),
    }
}

/// Checks the lengths of a family and a qualifier.
pub(crate) fn check_column(family: &[u8], qualifier: &[u8]) -> Result<(), MutationError> {
    if !(1..=MAX_FAMILY_LEN).contains(&family.len()) {
        return Err(MutationError::Family { len: family.len() });
    }
    if qualifier.len() > MAX_QUALIFIER_LEN {
        return Err(MutationError::Qualifier { len: qualifier.len() });
    }
    Ok(())
}

pub(crate) fn check_ts(ts: i64) -> Result<(), MutationError> {
    if ts < 0 { Err(MutationError::Timestamp { ts }) } else { Ok(()) }
}
