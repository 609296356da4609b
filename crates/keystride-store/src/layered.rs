//! A store over another one.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use keystride::{Key, SplitPoints};

use crate::{
    AfterTruncate, Amount, Appended, Bulk, Check, MutationBatch, Region, RowBatch, RowStream, Scan,
    Selection, Store, StoreError, TableDescription, TableName, TableReader, Write, Writers, Written,
};

/// A store that does what another one does, but for what its [`Layer`] does.
#[derive(Debug)]
pub struct Layered<L> {
    /// The store below.
    pub store: Arc<dyn Store>,
    /// What is done otherwise.
    pub layer: L,
}

/// What a [`Layered`] store does otherwise, or besides. Each method is that of [`Store`] or [`TableReader`]; without one
/// of its own, the store below does it.
#[async_trait]
pub trait Layer: fmt::Debug + Send + Sync {
    /// [`TableReader::regions`].
    ///
    /// # Errors
    ///
    /// As there, and so for all methods.
    async fn regions(&self, store: &dyn Store, table: &TableName) -> Result<Vec<Region>, StoreError> {
        store.regions(table).await
    }

    /// [`TableReader::get`].
    ///
    /// # Errors
    ///
    /// As there.
    async fn get(
        &self,
        store: &dyn Store,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        store.get(table, keys, selection).await
    }

    /// [`TableReader::scan`].
    ///
    /// # Errors
    ///
    /// As there.
    async fn scan(&self, store: &dyn Store, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        store.scan(table, scan).await
    }

    /// [`Store::write`].
    ///
    /// # Errors
    ///
    /// As there.
    async fn write(&self, store: &dyn Store, table: &TableName, write: Write) -> Result<Written, StoreError> {
        store.write(table, write).await
    }

    /// [`Store::prepare`].
    ///
    /// # Errors
    ///
    /// As there.
    async fn prepare(
        &self,
        store: &dyn Store,
        table: &TableName,
        batch: MutationBatch,
    ) -> Result<Write, StoreError> {
        store.prepare(table, batch).await
    }

    /// [`Store::bulk`].
    ///
    /// # Errors
    ///
    /// As there.
    async fn bulk(&self, store: &dyn Store, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        store.bulk(table).await
    }

    /// [`Store::drop_table`].
    ///
    /// # Errors
    ///
    /// As there.
    async fn drop_table(&self, store: &dyn Store, table: &TableName) -> Result<(), StoreError> {
        store.drop_table(table).await
    }
}

#[async_trait]
impl<L: Layer> TableReader for Layered<L> {
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
        self.layer.regions(&*self.store, table).await
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
        self.layer.get(&*self.store, table, keys, selection).await
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        self.layer.scan(&*self.store, table, scan).await
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

#[async_trait]
impl<L: Layer> Store for Layered<L> {
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
        self.layer.drop_table(&*self.store, table).await
    }

    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.layer.write(&*self.store, table, write).await
    }

    async fn prepare(&self, table: &TableName, batch: MutationBatch) -> Result<Write, StoreError> {
        self.layer.prepare(&*self.store, table, batch).await
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
        self.layer.bulk(&*self.store, table).await
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
