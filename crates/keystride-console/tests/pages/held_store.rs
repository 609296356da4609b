//! A store whose scans wait until a test lets them go on.

use std::sync::Arc;

use async_trait::async_trait;
use keystride_store::{Layer, Layered, RowStream, Scan, Store, StoreError, TableName};
use tokio::sync::watch;

/// What holds the scans of a store.
#[derive(Debug)]
pub(crate) struct Held {
    is_held: watch::Sender<bool>,
}

impl Held {
    pub(crate) fn over(store: Arc<dyn Store>) -> Layered<Self> {
        Layered { store, layer: Self { is_held: watch::Sender::new(false) } }
    }

    /// Scans that begin from now on wait until what this returns is dropped.
    pub(crate) fn hold(&self) -> Hold<'_> {
        self.is_held.send_replace(true);
        Hold(self)
    }
}

/// While it is there, scans wait.
#[derive(Debug)]
pub(crate) struct Hold<'a>(&'a Held);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.is_held.send_replace(false);
    }
}

#[async_trait]
impl Layer for Held {
    async fn scan(&self, store: &dyn Store, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        // The sender is part of the store, so it is there.
        let _ = self.is_held.subscribe().wait_for(|is_held| !is_held).await;
        store.scan(table, scan).await
    }
}
