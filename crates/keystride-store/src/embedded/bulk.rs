//! Bulk loads: rows are written directly into files that belong to no table yet and then replace the table's own
//! files.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use fjall::Keyspace;
use tokio::sync::{mpsc, oneshot};

use super::engine::engine_error;
use super::open_store::OpenStore;
use super::pack::Packing;
use super::table::OpenTable;
use crate::intake::{KeyOrder, family_places, stamp};
use crate::{Atomicity, Bulk, MutationBatch, Note, StoreError, TableDescription, Written};

/// Maximum number of batches queued for the thread that fills the files.
const WAITING_BATCHES: usize = 2;

/// The caller's end of a bulk load. The engine's ingestion borrows its keyspace, so a dedicated thread does the work.
pub(super) struct EmbeddedBulk {
    table: Arc<TableDescription>,
    ascent: KeyOrder,
    feed: mpsc::Sender<Feed>,
    outcome: oneshot::Receiver<Result<Written, StoreError>>,
}

enum Feed {
    Rows(MutationBatch),
    Finish(Vec<Note>),
}

/// State of the loading thread.
struct Draft {
    store: Arc<OpenStore>,
    table: Arc<OpenTable>,
    description: Arc<TableDescription>,
    generation: u64,
    keyspaces: Vec<Keyspace>,
    written: Written,
}

impl EmbeddedBulk {
    /// Starts a load of an empty table. May block.
    pub(super) fn begin(store: &Arc<OpenStore>, table: Arc<OpenTable>) -> Result<Self, StoreError> {
        let state = table.state()?;
        if !state.is_empty(&store.engine)? {
            return Err(table.not_empty());
        }
        drop(state);
        let (record, keyspaces) = table.draft(&store.engine)?;
        let description = Arc::new(record.description);
        let draft = Draft {
            store: Arc::clone(store),
            table,
            description: Arc::clone(&description),
            generation: record.generation,
            keyspaces,
            written: Written::default(),
        };
        let (feed, rows) = mpsc::channel(WAITING_BATCHES);
        let (settle, outcome) = oneshot::channel();
        std::thread::spawn(move || {
            // An abandoned load has no receiver for its outcome.
            let _ = settle.send(draft.run(rows));
        });
        Ok(Self { table: description, ascent: KeyOrder::default(), feed, outcome })
    }

    /// Returns the reason why the thread no longer accepts messages.
    async fn failure(&mut self) -> StoreError {
        const LOST: StoreError = StoreError::TaskLost { doing: "load in bulk" };
        match (&mut self.outcome).await {
            Ok(Err(error)) => error,
            Ok(Ok(_)) | Err(_) => LOST,
        }
    }
}

#[async_trait]
impl Bulk for EmbeddedBulk {
    fn atomicity(&self) -> Atomicity {
        Atomicity::Table
    }

    async fn write(&mut self, batch: MutationBatch) -> Result<(), StoreError> {
        family_places(&batch.flat, &self.table)?;
        self.ascent.check(&batch)?;
        match self.feed.send(Feed::Rows(batch)).await {
            Ok(()) => Ok(()),
            Err(_) => Err(self.failure().await),
        }
    }

    async fn finish(mut self: Box<Self>, notes: Vec<Note>) -> Result<Written, StoreError> {
        if self.feed.send(Feed::Finish(notes)).await.is_err() {
            return Err(self.failure().await);
        }
        let outcome = (&mut self.outcome).await;
        outcome.unwrap_or(Err(StoreError::TaskLost { doing: "finish a bulk load" }))
    }
}

impl Draft {
    fn run(mut self, feed: mpsc::Receiver<Feed>) -> Result<Written, StoreError> {
        let filled = self.fill(feed).and_then(|notes| match notes {
            Some(notes) => self.adopt(&notes),
            None => Err(StoreError::TaskLost { doing: "wait for the end of a bulk load" }),
        });
        if filled.is_err() {
            self.store.engine.discard(std::mem::take(&mut self.keyspaces));
        }
        filled
    }

    /// Writes all rows received. Returns the notes that were sent at the end, or `None` if the load was abandoned.
    fn fill(&mut self, mut feed: mpsc::Receiver<Feed>) -> Result<Option<Vec<Note>>, StoreError> {
        let start = self.keyspaces.iter().map(Keyspace::start_ingestion).collect::<Result<Vec<_>, _>>();
        let mut ingestions = start.map_err(engine_error("begin a bulk load"))?;
        let sequence = self.store.next_sequence();
        loop {
            let mut batch = match feed.blocking_recv() {
                Some(Feed::Rows(batch)) => batch,
                Some(Feed::Finish(notes)) => {
                    for ingestion in ingestions {
                        ingestion.finish().map_err(engine_error("finish a bulk load"))?;
                    }
                    return Ok(Some(notes));
                }
                None => return Ok(None),
            };
            stamp(&mut batch, self.store.clock.now_ms(), |_, _, _| Ok(None))?;
            let places = family_places(&batch.flat, &self.description)?;
            // Looked up for each batch: a region that has been split in the meantime no longer counts.
            let regions = Arc::clone(&self.table.state()?.regions);
            let packing = Packing { flat: &batch.flat, places: &places, sequence, regions: &regions };
            let tally = packing.pack(|place, key, value| {
                ingestions[place].write(key, value).map_err(engine_error("write rows of a bulk load"))
            })?;
            self.written.absorb(regions.written(&tally));
        }
    }

    fn adopt(&mut self, notes: &[Note]) -> Result<Written, StoreError> {
        let mut change = self.store.catalog.change();
        change.put_notes(self.table.id, notes);
        let filled = self.keyspaces.clone();
        self.table.adopt(&self.store.engine, self.generation, filled, &self.written, change)?;
        Ok(std::mem::take(&mut self.written))
    }
}

impl fmt::Debug for EmbeddedBulk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedBulk").field("table", &self.table.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{a_cell, create, open};
    use super::*;

    fn keyspaces_of_tables(store: &OpenStore) -> Vec<String> {
        let names = store.engine.db().list_keyspace_names();
        names.iter().map(ToString::to_string).filter(|name| name.starts_with("1.")).collect()
    }

    #[tokio::test]
    async fn a_load_that_is_refused_leaves_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(open(folder.path()));
        let name = create(&store, "t");
        let bulk = EmbeddedBulk::begin(&store, store.table(&name).unwrap()).unwrap();
        store.write(&name, a_cell()).unwrap();
        assert!(matches!(Box::new(bulk).finish(vec![]).await, Err(StoreError::NotEmpty { .. })));
        assert_eq!(keyspaces_of_tables(&store), ["1.0.f"]);
    }

    #[test]
    fn the_files_of_an_interrupted_load_are_gone_when_the_store_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let name = create(&store, "t");
        drop(store.table(&name).unwrap().draft(&store.engine).unwrap());
        assert_eq!(keyspaces_of_tables(&store).len(), 2);
        drop(store);
        assert_eq!(keyspaces_of_tables(&open(folder.path())), ["1.0.f"]);
    }
}
