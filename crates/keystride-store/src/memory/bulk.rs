//! Bulk loads of tables in memory: batches are kept until the end, and then written at once.

use std::sync::Arc;

use async_trait::async_trait;

use super::Shared;
use crate::intake::{KeyOrder, family_places};
use crate::{Atomicity, Bulk, MutationBatch, Note, StoreError, TableDescription, TableName, Write, Written};

#[derive(Debug)]
pub(super) struct MemoryBulk {
    pub(super) shared: Arc<Shared>,
    pub(super) table: TableName,
    pub(super) description: Arc<TableDescription>,
    pub(super) ascent: KeyOrder,
    pub(super) batches: Vec<MutationBatch>,
}

#[async_trait]
impl Bulk for MemoryBulk {
    fn atomicity(&self) -> Atomicity {
        Atomicity::Table
    }

    async fn write(&mut self, batch: MutationBatch) -> Result<(), StoreError> {
        family_places(&batch.flat, &self.description)?;
        self.ascent.check(&batch)?;
        self.batches.push(batch);
        Ok(())
    }

    async fn finish(self: Box<Self>, notes: Vec<Note>) -> Result<Written, StoreError> {
        let mut state = self.shared.open()?;
        let table = state.empty_table(&self.table)?;
        let mut written = Written::default();
        for batch in self.batches {
            written.absorb(table.write(Write::of(batch), &*self.shared.clock)?);
        }
        table.keep_notes(notes);
        Ok(written)
    }
}
