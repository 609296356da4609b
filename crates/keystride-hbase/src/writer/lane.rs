//! A buffer, and a batch in flight.

use tokio::task::JoinHandle;
use tracing::Instrument;

use super::buffer::Buffer;
use crate::{Error, Mutation, Table};

/// Sends one batch after the other, so that changes of a row stay in order.
#[derive(Debug)]
pub(super) struct Lane {
    table: Table,
    pub(super) buffer: Buffer,
    on_its_way: Option<JoinHandle<SentBatch>>,
    /// An empty buffer with capacity.
    spare: Buffer,
}

#[derive(Debug)]
struct SentBatch {
    batch: Buffer,
    failed: Vec<(Mutation, Error)>,
}

impl Lane {
    pub(super) fn new(table: Table) -> Self {
        Self { table, buffer: Buffer::default(), on_its_way: None, spare: Buffer::default() }
    }

    /// Sends the buffer, once the batch in flight is done.
    pub(super) async fn send(&mut self, failures: &mut Vec<(Mutation, Error)>) {
        self.settle(failures).await;
        if self.buffer.is_empty() {
            return;
        }
        let batch = std::mem::replace(&mut self.buffer, std::mem::take(&mut self.spare));
        self.on_its_way = Some(tokio::spawn(apply(self.table.clone(), batch).in_current_span()));
    }

    pub(super) async fn settle(&mut self, failures: &mut Vec<(Mutation, Error)>) {
        if let Some(sent) = &mut self.on_its_way {
            match sent.await {
                Ok(sent) => {
                    failures.extend(sent.failed);
                    self.spare = sent.batch;
                    self.spare.clear();
                }
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                // The runtime is shutting down.
                Err(_) => {}
            }
        }
        self.on_its_way = None;
    }
}

async fn apply(table: Table, batch: Buffer) -> SentBatch {
    let failed = table.apply(&batch).await;
    let failed = failed.into_iter().map(|(place, error)| (batch.mutation(place), error)).collect();
    SentBatch { batch, failed }
}
