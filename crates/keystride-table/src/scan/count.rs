//! Counting of rows.

use futures_util::TryStreamExt;
use keystride::Predicate;
use keystride_store::Order;

use super::gather::Gatherer;
use super::{Query, ReadError};
use crate::Table;

impl Table {
    /// Counts the rows that satisfy a predicate; `None` counts all rows. If the ranges or the store decide the
    /// predicate completely, no values are read.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the store or a row can't be read.
    pub async fn count(&self, predicate: Option<&Predicate>) -> Result<u64, ReadError> {
        let query = Query { predicate: predicate.cloned(), fields: Some(Vec::new()), ..Query::default() };
        let prepared = self.prepare(&query)?;
        let scan = prepared.scan(Order::Ascending);
        if prepared.kept.is_none() {
            return Ok(self.store().count(self.name(), scan).await?);
        }
        let mut gatherer = Gatherer::new(&prepared);
        let mut count = 0;
        let mut batches = prepared.open(scan).await?;
        while let Some(batch) = batches.try_next().await? {
            for row in batch.rows() {
                count += u64::from(gatherer.read(row)?.is_some());
            }
        }
        Ok(count)
    }
}
