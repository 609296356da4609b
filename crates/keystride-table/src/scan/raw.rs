//! Rows as the store has them, by their keys' bytes.

use keystride::KeyRange;
use keystride_store::{Order, RowBatch, RowStream, Scan, Selection, StoreError};

use super::Rows;
use crate::Table;

impl Table {
    /// Rows of a range of keys, whatever they hold: nothing is decoded, and keys need not be the design's.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the scan can't be opened.
    pub async fn scan_raw(
        &self,
        range: KeyRange,
        order: Order,
        limit: Option<u64>,
    ) -> Result<RowStream, StoreError> {
        self.store().scan(self.name(), Scan { order, limit, ..Scan::of(range) }).await
    }

    /// Rows of a query as the store has them, in the order of the query.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when they can't be read.
    pub async fn stored(&self, rows: &Rows) -> Result<RowBatch, StoreError> {
        let keys: Vec<&[u8]> = rows.iter().map(|row| row.key()).collect();
        self.store().get(self.name(), &keys, &Selection::default()).await
    }
}
