//! Access to rows as stored, by the bytes of their keys.

use keystride::KeyRange;
use keystride_store::{Columns, Order, RowBatch, RowStream, Scan, Selection, StoreError};

use super::Rows;
use crate::Table;

impl Table {
    /// Scans the rows of a key range without decoding them; keys need not match the design. A row that has none of
    /// the columns is skipped.
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
