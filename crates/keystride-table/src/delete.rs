//! Deletion of rows.

use std::collections::BTreeSet;

use futures_util::TryStreamExt;
use keystride::Predicate;
use keystride_store::{LATEST, MutationBatch, Order, Row, StoreError, Write};

use crate::Table;
use crate::scan::{Gatherer, Query, ReadError};

impl Table {
    /// Deletes the rows that satisfy `predicate`, in all families in which they have cells and up to the store's
    /// current time, and returns their number. Rows written while it runs may or may not be deleted. If it is
    /// interrupted, some of the rows are deleted.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the rows can't be found or the store refuses.
    pub async fn delete_rows(&self, predicate: &Predicate) -> Result<u64, ReadError> {
        let key_only = Query { fields: Some(Vec::new()), ..Query::of(predicate.clone()) };
        let prepared = self.prepare(&key_only)?;
        let mut gatherer = Gatherer::new(&prepared);
        let mut found = prepared.open(prepared.scan(Order::Ascending)).await?;
        let mut deleted = 0;
        while let Some(rows) = found.try_next().await? {
            let mut batch = MutationBatch::new();
            for row in rows.rows() {
                if gatherer.read(row)?.is_some() {
                    delete(row, &mut batch)?;
                    deleted += 1;
                }
            }
            if !batch.is_empty() {
                self.store().write(self.name(), Write::of(batch)).await?;
            }
        }
        Ok(deleted)
    }
}

/// Adds the mutations that delete a row. Its cells tell its families, which the design need not have.
fn delete(row: Row<'_>, batch: &mut MutationBatch) -> Result<(), StoreError> {
    let families: BTreeSet<&[u8]> = row.cells().map(|cell| cell.family).collect();
    for family in families {
        batch.delete_family(row.key(), family, LATEST)?;
    }
    Ok(())
}
