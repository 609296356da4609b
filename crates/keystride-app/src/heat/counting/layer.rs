use async_trait::async_trait;
use keystride_store::{
    Bulk, Layer, Region, RowBatch, RowStream, Scan, Selection, Store, StoreError, TableName, Write, Written,
};

use super::Counting;
use super::bulk::CountingBulk;
use super::rows::CountingRows;

#[async_trait]
impl Layer for Counting {
    async fn regions(&self, store: &dyn Store, table: &TableName) -> Result<Vec<Region>, StoreError> {
        let regions = store.regions(table).await?;
        self.counted.of(table).see(&regions);
        Ok(regions)
    }

    async fn get(
        &self,
        store: &dyn Store,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        let rows = store.get(table, keys, selection).await?;
        self.counted.of(table).read(&rows);
        Ok(rows)
    }

    async fn scan(&self, store: &dyn Store, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        let rows = store.scan(table, scan).await?;
        Ok(Box::pin(CountingRows { rows, table: self.counted.of(table) }))
    }

    async fn write(&self, store: &dyn Store, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.counted.of(table).written(write.batch());
        store.write(table, write).await
    }

    async fn bulk(&self, store: &dyn Store, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        let Some(bulk) = store.bulk(table).await? else { return Ok(None) };
        Ok(Some(Box::new(CountingBulk { bulk, table: self.counted.of(table) })))
    }

    async fn drop_table(&self, store: &dyn Store, table: &TableName) -> Result<(), StoreError> {
        store.drop_table(table).await?;
        self.counted.forget(table);
        Ok(())
    }
}
