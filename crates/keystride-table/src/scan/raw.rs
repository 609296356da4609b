//! Rows as the store has them, by their keys' bytes.

use keystride::KeyRange;
use keystride_store::{Columns, Order, RowBatch, RowStream, Scan, Selection, StoreError};

use super::Rows;
use crate::Table;

impl Table {
    /// Rows of a range of keys, whatever they hold: nothing is decoded, and keys need not be the design's. A row
    /// that has none of the columns is none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the scan can't be opened.
    pub async fn scan_raw(
        &self,
        range: KeyRange,
        order: Order,
        limit: Option<u64>,
        columns: Columns,
    ) -> Result<RowStream, StoreError> {
        let selection = Selection { columns, ..Selection::default() };
        self.store().scan(self.name(), Scan { order, limit, selection, ..Scan::of(range) }).await
    }

    /// Rows of a query as the store has them, in the order of the query. One that has none of the columns comes empty.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when they can't be read.
    pub async fn stored(&self, rows: &Rows, columns: Columns) -> Result<RowBatch, StoreError> {
        let keys: Vec<&[u8]> = rows.iter().map(|row| row.key()).collect();
        self.store().get(self.name(), &keys, &Selection { columns, ..Selection::default() }).await
    }
}
