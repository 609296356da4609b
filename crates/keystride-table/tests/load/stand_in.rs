//! A store in which a test does something else where rows are written.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use keystride::{Key, SplitPoints};
use keystride_store::*;

/// A store whose writes `instead` does.
#[derive(Debug)]
pub(crate) struct StandIn<I> {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) instead: I,
}

/// What is done instead; what the store does, where a test has nothing else.
#[async_trait]
pub(crate) trait Instead: fmt::Debug + Send + Sync {
    async fn write(&self, store: &dyn Store, table: &TableName, write: Write) -> Result<Written, StoreError> {
        store.write(table, write).await
    }

    async fn prepare(
        &self,
        store: &dyn Store,
        table: &TableName,
        batch: MutationBatch,
    ) -> Result<Write, StoreError> {
        store.prepare(table, batch).await
    }

    async fn bulk(&self, store: &dyn Store, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        store.bulk(table).await
    }

    async fn get(
        &self,
        store: &dyn Store,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        store.get(table, keys, selection).await
    }
}

#[async_trait]
impl<I: Instead> TableReader for StandIn<I> {
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
        self.store.regions(table).await
    }
    async fn get(
        &self,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        self.instead.get(self.store.as_ref(), table, keys, selection).await
    }
    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        self.store.scan(table, scan).await
    }
    fn rows_read(&self) -> u64 {
        self.store.rows_read()
    }
    fn writers(&self) -> Writers {
        self.store.writers()
    }
}

#[async_trait]
impl<I: Instead> Store for StandIn<I> {
    async fn create(&self, table: &TableDescription, splits: &SplitPoints) -> Result<(), StoreError> {
        self.store.create(table, splits).await
    }
    async fn alter(&self, change: &TableDescription) -> Result<(), StoreError> {
        self.store.alter(change).await
    }
    async fn split(&self, table: &TableName, at: &Key) -> Result<(), StoreError> {
        self.store.split(table, at).await
    }
    async fn truncate(&self, table: &TableName, splits: AfterTruncate) -> Result<(), StoreError> {
        self.store.truncate(table, splits).await
    }
    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.store.drop_table(table).await
    }
    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.instead.write(self.store.as_ref(), table, write).await
    }
    async fn prepare(&self, table: &TableName, batch: MutationBatch) -> Result<Write, StoreError> {
        self.instead.prepare(self.store.as_ref(), table, batch).await
    }
    async fn increment(
        &self,
        table: &TableName,
        row: &Key,
        amounts: &[Amount<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.store.increment(table, row, amounts).await
    }
    async fn append(
        &self,
        table: &TableName,
        row: &Key,
        values: &[Appended<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.store.append(table, row, values).await
    }
    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: &Check,
        batch: MutationBatch,
    ) -> Result<bool, StoreError> {
        self.store.check_and_mutate(table, check, batch).await
    }
    async fn note(&self, table: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.note(table, key).await
    }
    async fn bulk(&self, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        self.instead.bulk(self.store.as_ref(), table).await
    }
    async fn flush(&self, table: &TableName) -> Result<(), StoreError> {
        self.store.flush(table).await
    }
    async fn compact(&self, table: &TableName) -> Result<(), StoreError> {
        self.store.compact(table).await
    }
    async fn sync(&self) -> Result<(), StoreError> {
        self.store.sync().await
    }
    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}
