//! The trait of bulk loads.

use std::fmt;

use async_trait::async_trait;

use crate::{MutationBatch, Note, StoreError, Written};

/// A bulk load in progress. None of its rows is visible before [`Self::finish`], which makes all of them visible, as
/// many at once as [`Self::atomicity`] says.
///
/// If it is dropped before that, or interrupted by a crash, the table stays empty and the load has to start over.
#[async_trait]
pub trait Bulk: fmt::Debug + Send {
    /// Returns which rows become visible at once.
    fn atomicity(&self) -> Atomicity;

    /// Adds rows, which must ascend within the batch and come after all rows added before. If rows out of order are
    /// rejected, nothing of the batch was added and the load can continue.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAscending`], [`StoreError::UnknownFamily`].
    async fn write(&mut self, batch: MutationBatch) -> Result<(), StoreError>;

    /// Makes all rows visible and durable, and stores `notes`: together with the rows of [`Atomicity::Table`], else
    /// after the last region. If it fails or is interrupted, what [`Self::atomicity`] names is there as a whole or not
    /// at all.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotEmpty`] when something else was written to the table in the meantime; the load is then
    /// discarded.
    async fn finish(self: Box<Self>, notes: Vec<Note>) -> Result<Written, StoreError>;
}

/// Which rows of a bulk load become visible at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atomicity {
    /// All rows: a read sees the whole load, or nothing of it.
    Table,
    /// The rows of each region, one region after another: a read may see some regions loaded and others still empty.
    Region,
}
