//! A store that counts the rows that pass through it.

mod bulk;
mod layer;
mod rows;
mod tables;

use std::sync::Arc;

use keystride_store::{Layered, Store};

pub(super) use tables::{Counted, OfTable};

/// Another store, whose rows are counted by ranges of keys as they are written and read: see
/// [`Traffic`](keystride_heat::live::Traffic). Only what passes through here is counted, and a write counts when the
/// store is given it. Rows that the store counts itself, and those that it changes on a condition, are not seen.
pub type CountingStore = Layered<Counting>;

/// What counts the rows of a [`CountingStore`].
#[derive(Debug, Default)]
pub struct Counting {
    pub(super) counted: Arc<Counted>,
}

impl Counting {
    /// Counts what passes to and from a store.
    pub fn over(store: Arc<dyn Store>) -> CountingStore {
        Layered { store, layer: Self::default() }
    }
}
