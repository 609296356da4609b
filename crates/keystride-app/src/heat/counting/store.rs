use async_trait::async_trait;
use keystride::{Key, SplitPoints};
use keystride_store::{
    AfterTruncate, Amount, Appended, Bulk, Check, MutationBatch, RowBatch, Store, StoreError,
    TableDescription, TableName, Write, Written,
};

use super::CountingStore;
use super::bulk::CountingBulk;

#[async_trait]
impl Store for CountingStore {
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
        self.store.drop_table(table).await?;
        self.counted.forget(table);
        Ok(())
    }

    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.counted.of(table).written(write.batch());
        self.store.write(table, write).await
    }

    async fn prepare(&self, table: &TableName, batch: MutationBatch) -> Result<Write, StoreError> {
        self.store.prepare(table, batch).await
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
        let Some(bulk) = self.store.bulk(table).await? else { return Ok(None) };
        Ok(Some(Box::new(CountingBulk { bulk, table: self.counted.of(table) })))
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
