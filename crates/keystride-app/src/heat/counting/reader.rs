use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use async_trait::async_trait;
use futures_core::Stream;
use keystride::SplitPoints;
use keystride_store::{
    Region, RowBatch, RowStream, Scan, Selection, StoreError, TableDescription, TableName, TableReader,
    Writers,
};

use super::CountingStore;
use super::tables::OfTable;

#[async_trait]
impl TableReader for CountingStore {
    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError> {
        self.store.describe(table).await
    }

    async fn exists(&self, table: &TableName) -> Result<bool, StoreError> {
        self.store.exists(table).await
    }

    async fn list(&self) -> Result<Vec<TableName>, StoreError> {
        self.store.list().await
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError> {
        let regions = self.store.regions(table).await?;
        self.counted.of(table).see(&regions);
        Ok(regions)
    }

    async fn split_points(&self, table: &TableName) -> Result<SplitPoints, StoreError> {
        self.store.split_points(table).await
    }

    async fn get(
        &self,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        let rows = self.store.get(table, keys, selection).await?;
        self.counted.of(table).read(&rows);
        Ok(rows)
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        let rows = self.store.scan(table, scan).await?;
        Ok(Box::pin(CountingRows { rows, table: self.counted.of(table) }))
    }

    async fn count(&self, table: &TableName, scan: Scan) -> Result<u64, StoreError> {
        self.store.count(table, scan).await
    }

    fn rows_read(&self) -> u64 {
        self.store.rows_read()
    }

    fn retries(&self) -> u64 {
        self.store.retries()
    }

    async fn cluster_id(&self) -> Result<Option<String>, StoreError> {
        self.store.cluster_id().await
    }

    async fn servers(&self) -> Result<Vec<String>, StoreError> {
        self.store.servers().await
    }

    fn writers(&self) -> Writers {
        self.store.writers()
    }
}

/// The rows of a scan, counted as they come.
struct CountingRows {
    rows: RowStream,
    table: Arc<OfTable>,
}

impl Stream for CountingRows {
    type Item = Result<RowBatch, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.rows.as_mut().poll_next(context);
        if let Poll::Ready(Some(Ok(batch))) = &polled {
            self.table.read(batch);
        }
        polled
    }
}
