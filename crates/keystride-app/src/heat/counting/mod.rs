//! A store that counts the rows that pass through it.

mod bulk;
mod reader;
mod store;
mod tables;

use std::sync::Arc;

use keystride_store::Store;

pub(super) use tables::{Counted, OfTable};

/// Another store, whose rows are counted by ranges of keys as they are written and read: see
/// [`Traffic`](keystride_heat::live::Traffic). Only what passes through here is counted, and a write counts when the
/// store is given it. Rows that the store counts itself, and those that it changes on a condition, are not seen.
#[derive(Debug)]
pub struct CountingStore {
    store: Arc<dyn Store>,
    counted: Arc<Counted>,
}

impl CountingStore {
    /// Counts what passes to and from a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, counted: Arc::default() }
    }

    pub(super) fn counted(&self) -> &Arc<Counted> {
        &self.counted
    }
}
