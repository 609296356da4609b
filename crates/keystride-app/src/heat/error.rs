//! Why nothing is known of a time.

use std::time::Duration;

use keystride_store::StoreError;

/// Why counters could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeatError {
    /// The store said so.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store did not answer in time.
    #[error("the store did not say what its regions got within {} s; the next reading may succeed", after.as_secs())]
    Slow {
        /// The time.
        after: Duration,
    },
}

impl HeatError {
    /// Whether no later reading can succeed.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Store(StoreError::UnknownTable { .. } | StoreError::Closed))
    }
}
