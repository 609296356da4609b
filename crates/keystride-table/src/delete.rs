//! Deletion of rows.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::TryStreamExt;
use keystride::Predicate;
use keystride_store::{LATEST, MutationBatch, Order, Row, StoreError, Write};

use crate::Table;
use crate::scan::{Gatherer, Query, ReadError};

impl Table {
    /// Deletes the rows that satisfy `predicate`, in all families in which they have cells and up to the store's
    /// current time, and adds their number to `deleted`. Rows written while it runs may or may not be deleted. If it
    /// fails or is dropped, `deleted` has been told of all rows that are deleted, except those of the batch that was
    /// under way.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the rows can't be found or the store refuses.
    pub async fn delete_rows(&self, predicate: &Predicate, deleted: &AtomicU64) -> Result<(), ReadError> {
        let key_only = Query { fields: Some(Vec::new()), ..Query::of(predicate.clone()) };
        let prepared = self.prepare(&key_only)?;
        let mut gatherer = Gatherer::new(&prepared);
        let mut found = prepared.open(prepared.scan(Order::Ascending)).await?;
        while let Some(rows) = found.try_next().await? {
            let (mut batch, mut row_count) = (MutationBatch::new(), 0);
            for row in rows.rows() {
                if gatherer.read(row)?.is_some() {
                    delete(row, &mut batch)?;
                    row_count += 1;
                }
            }
            if !batch.is_empty() {
                self.store().write(self.name(), Write::of(batch)).await?;
            }
            deleted.fetch_add(row_count, Ordering::Relaxed);
        }
        Ok(())
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
