//! The trait of bulk loads.

use std::fmt;

use async_trait::async_trait;

use crate::{MutationBatch, Note, StoreError, Written};

/// A bulk load in progress: when it finishes, all of its rows become visible, otherwise none.
///
/// If it is dropped without [`Self::finish`], or interrupted by a crash, the table stays empty and the load has to
/// start over.
#[async_trait]
pub trait Bulk: fmt::Debug + Send {
    /// Adds rows, which must ascend within the batch and come after all rows added before. If rows out of order are
    /// rejected, nothing of the batch was added and the load can continue.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAscending`], [`StoreError::UnknownFamily`].
    async fn write(&mut self, batch: MutationBatch) -> Result<(), StoreError>;

    /// Makes all rows visible and durable, together with `notes`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotEmpty`] when something else was written to the table in the meantime; the load is then
    /// discarded.
    async fn finish(self: Box<Self>, notes: Vec<Note>) -> Result<Written, StoreError>;
}
