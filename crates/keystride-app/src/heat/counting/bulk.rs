use std::sync::Arc;

use async_trait::async_trait;
use keystride_store::{Atomicity, Bulk, MutationBatch, Note, StoreError, Written};

use super::tables::OfTable;

/// A bulk load whose rows are counted.
#[derive(Debug)]
pub(super) struct CountingBulk {
    pub(super) bulk: Box<dyn Bulk>,
    pub(super) table: Arc<OfTable>,
}

#[async_trait]
impl Bulk for CountingBulk {
    fn atomicity(&self) -> Atomicity {
        self.bulk.atomicity()
    }

    async fn write(&mut self, batch: MutationBatch) -> Result<(), StoreError> {
        self.table.written(&batch);
        self.bulk.write(batch).await
    }

    async fn finish(self: Box<Self>, notes: Vec<Note>) -> Result<Written, StoreError> {
        self.bulk.finish(notes).await
    }
}
