//! Collecting of rows in batches of some form.

use keystride::Row;
use keystride_store::Row as StoredRow;

use super::{Gatherer, ReadError};

/// Collects the rows of a query in batches.
pub(crate) trait Collect {
    /// A batch of rows.
    type Batch;
    type Error: From<ReadError>;

    /// Returns what decodes and filters the rows.
    fn gatherer(&mut self) -> &mut Gatherer;

    /// Decodes a stored row, and adds it to the batch if it is wanted.
    fn add(&mut self, stored: StoredRow<'_>) -> Result<(), Self::Error>;

    /// Checks what [`Self::add`] has left unchecked, which must be of `rows`.
    fn check<'a>(&mut self, _rows: impl IntoIterator<Item = StoredRow<'a>>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Adds a row that was decoded before to the batch.
    fn put(&mut self, key: &[u8], row: &Row) -> Result<(), Self::Error>;

    /// Whether the batch has reached its target size, or no more rows are wanted.
    fn is_full(&self) -> bool;

    /// Takes the rows collected; `None` if there are none.
    fn take(&mut self) -> Option<Self::Batch>;
}
