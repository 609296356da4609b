//! Access to rows as stored.

use keystride_store::{Columns, RowBatch, Selection, StoreError};

use super::Rows;
use crate::Table;

impl Table {
    /// Returns the rows of a query's result as stored, in the same order. A row that has none of the columns has no
    /// cells.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when they can't be read.
    pub async fn stored(&self, rows: &Rows, columns: Columns) -> Result<RowBatch, StoreError> {
        let keys: Vec<&[u8]> = rows.iter().map(|row| row.key()).collect();
        self.store().get(self.name(), &keys, &Selection { columns, ..Selection::default() }).await
    }
}
