//! A store whose scans wait until a test lets them go on.

use std::sync::Arc;

use async_trait::async_trait;
use keystride::{Key, SplitPoints};
use keystride_store::{
    AfterTruncate, Amount, Appended, Bulk, Check, MutationBatch, Region, RowBatch, RowStream, Scan,
    Selection, Store, StoreError, TableDescription, TableName, TableReader, Write, Writers, Written,
};
use tokio::sync::watch;

/// Another store, whose scans may be held.
#[derive(Debug)]
pub(crate) struct HeldStore {
    inner: Arc<dyn Store>,
    is_held: watch::Sender<bool>,
}

impl HeldStore {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Self {
        Self { inner, is_held: watch::Sender::new(false) }
    }

    /// Scans that begin from now on wait until what this returns is dropped.
    pub(crate) fn hold(&self) -> Hold<'_> {
        self.is_held.send_replace(true);
        Hold(self)
    }
}

/// While it is there, scans wait.
#[derive(Debug)]
pub(crate) struct Hold<'a>(&'a HeldStore);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.is_held.send_replace(false);
    }
}

#[async_trait]
impl TableReader for HeldStore {
    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        // The sender is part of the store, so it is there.
        let _ = self.is_held.subscribe().wait_for(|is_held| !is_held).await;
        self.inner.scan(table, scan).await
    }

    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError> {
        self.inner.describe(table).await
    }

    async fn exists(&self, table: &TableName) -> Result<bool, StoreError> {
        self.inner.exists(table).await
    }

    async fn list(&self) -> Result<Vec<TableName>, StoreError> {
        self.inner.list().await
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError> {
        self.inner.regions(table).await
    }

    async fn get(&self, table: &TableName, keys: &[&[u8]], of: &Selection) -> Result<RowBatch, StoreError> {
        self.inner.get(table, keys, of).await
    }

    fn rows_read(&self) -> u64 {
        self.inner.rows_read()
    }

    fn writers(&self) -> Writers {
        self.inner.writers()
    }
}

#[async_trait]
impl Store for HeldStore {
    async fn create(&self, table: &TableDescription, splits: &SplitPoints) -> Result<(), StoreError> {
        self.inner.create(table, splits).await
    }

    async fn alter(&self, change: &TableDescription) -> Result<(), StoreError> {
        self.inner.alter(change).await
    }

    async fn split(&self, table: &TableName, at: &Key) -> Result<(), StoreError> {
        self.inner.split(table, at).await
    }

    async fn truncate(&self, table: &TableName, splits: AfterTruncate) -> Result<(), StoreError> {
        self.inner.truncate(table, splits).await
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.inner.drop_table(table).await
    }

    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.inner.write(table, write).await
    }

    async fn increment(
        &self,
        table: &TableName,
        row: &Key,
        by: &[Amount<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.inner.increment(table, row, by).await
    }

    async fn append(
        &self,
        table: &TableName,
        row: &Key,
        of: &[Appended<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.inner.append(table, row, of).await
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: &Check,
        batch: MutationBatch,
    ) -> Result<bool, StoreError> {
        self.inner.check_and_mutate(table, check, batch).await
    }

    async fn note(&self, table: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.note(table, key).await
    }

    async fn bulk(&self, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        self.inner.bulk(table).await
    }

    async fn flush(&self, table: &TableName) -> Result<(), StoreError> {
        self.inner.flush(table).await
    }

    async fn compact(&self, table: &TableName) -> Result<(), StoreError> {
        self.inner.compact(table).await
    }

    async fn sync(&self) -> Result<(), StoreError> {
        self.inner.sync().await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}
