//! One batch that is collected, and one that is on its way.

use tokio::task::JoinHandle;
use tracing::Instrument;

use crate::{ActionWriter, Actions, CellTooLarge, Error, Mutation, Table};

/// Batches of one lane follow each other, so that changes of one row do.
#[derive(Debug)]
pub(super) struct Lane {
    table: Table,
    collected: Vec<Mutation>,
    bytes: usize,
    on_its_way: Option<JoinHandle<Vec<(Mutation, Error)>>>,
}

/// What a mutation takes besides its cells, about.
const MUTATION_BYTES: usize = 160;

impl Lane {
    pub(super) fn new(table: Table) -> Self {
        Self { table, collected: Vec::new(), bytes: 0, on_its_way: None }
    }

    pub(super) fn collect(&mut self, mutation: Mutation) {
        self.bytes += mutation.byte_count() + MUTATION_BYTES;
        self.collected.push(mutation);
    }

    pub(super) fn byte_count(&self) -> usize {
        self.bytes
    }

    /// Sends what was collected, after what is on its way.
    pub(super) async fn send(&mut self, failures: &mut Vec<(Mutation, Error)>) {
        self.settle(failures).await;
        if self.collected.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.collected);
        self.collected.reserve(batch.len());
        self.bytes = 0;
        self.on_its_way = Some(tokio::spawn(apply(self.table.clone(), batch).in_current_span()));
    }

    /// Waits for what is on its way.
    pub(super) async fn settle(&mut self, failures: &mut Vec<(Mutation, Error)>) {
        if let Some(batch) = &mut self.on_its_way {
            match batch.await {
                Ok(failed) => failures.extend(failed),
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                // The runtime is ending, and with it whoever would ask.
                Err(_) => {}
            }
        }
        self.on_its_way = None;
    }
}

/// Mutations without what an [`Operation`](crate::Operation) has room for.
struct Batch(Vec<Mutation>);

impl Actions for Batch {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn row(&self, at: usize) -> &[u8] {
        self.0[at].row()
    }

    fn write(&self, at: usize, out: &mut ActionWriter<'_>) -> Result<(), CellTooLarge> {
        out.mutation(&self.0[at])
    }
}

async fn apply(table: Table, batch: Vec<Mutation>) -> Vec<(Mutation, Error)> {
    let batch = Batch(batch);
    let failed = table.apply(&batch).await;
    if failed.is_empty() {
        return Vec::new();
    }
    let mut batch: Vec<Option<Mutation>> = batch.0.into_iter().map(Some).collect();
    failed.into_iter().filter_map(|(place, error)| Some((batch[place].take()?, error))).collect()
}
