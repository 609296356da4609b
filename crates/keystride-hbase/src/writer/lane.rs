//! One batch that is collected, and one that is on its way.

use tokio::task::JoinHandle;
use tracing::Instrument;

use super::collected::Collected;
use crate::{Error, Mutation, Table};

/// Batches of one lane follow each other, so that changes of one row do.
#[derive(Debug)]
pub(super) struct Lane {
    table: Table,
    pub(super) collected: Collected,
    on_its_way: Option<JoinHandle<Sent>>,
    /// Room that was used before.
    spare: Collected,
}

/// A batch that was sent, and what of it failed.
#[derive(Debug)]
struct Sent {
    batch: Collected,
    failed: Vec<(Mutation, Error)>,
}

impl Lane {
    pub(super) fn new(table: Table) -> Self {
        Self { table, collected: Collected::default(), on_its_way: None, spare: Collected::default() }
    }

    /// Sends what was collected, after what is on its way.
    pub(super) async fn send(&mut self, failures: &mut Vec<(Mutation, Error)>) {
        self.settle(failures).await;
        if self.collected.is_empty() {
            return;
        }
        let batch = std::mem::replace(&mut self.collected, std::mem::take(&mut self.spare));
        self.on_its_way = Some(tokio::spawn(apply(self.table.clone(), batch).in_current_span()));
    }

    /// Waits for what is on its way.
    pub(super) async fn settle(&mut self, failures: &mut Vec<(Mutation, Error)>) {
        if let Some(sent) = &mut self.on_its_way {
            match sent.await {
                Ok(sent) => {
                    failures.extend(sent.failed);
                    self.spare = sent.batch;
                    self.spare.clear();
                }
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                // The runtime is ending, and with it whoever would ask.
                Err(_) => {}
            }
        }
        self.on_its_way = None;
    }
}

async fn apply(table: Table, batch: Collected) -> Sent {
    let failed = table.apply(&batch).await;
    let failed = failed.into_iter().map(|(place, error)| (batch.mutation(place), error)).collect();
    Sent { batch, failed }
}
