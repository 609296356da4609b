//! The tables that are watched.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use keystride_store::{StoreError, TableName, TableReader};

use super::archive::Archive;
use super::options::is_alone;
use super::watch::Running;
use super::{HeatOptions, HeatWatch};

/// The watched tables of one store: one watch per table, whoever asks for it.
#[derive(Debug)]
pub struct HeatWatches {
    store: Arc<dyn TableReader>,
    options: HeatOptions,
    archive: Mutex<Option<Archive>>,
    watches: Mutex<BTreeMap<TableName, Slot>>,
}

/// A watch as it is kept for the next one who asks.
#[derive(Debug)]
enum Slot {
    /// Reading costs nothing, so it goes on.
    Kept(HeatWatch),
    /// It goes on while somebody has it.
    Shared(Weak<Running>),
}

impl HeatWatches {
    /// Watches no table yet.
    pub fn new(store: Arc<dyn TableReader>, options: HeatOptions) -> Self {
        let archive = Mutex::new(options.folder.as_deref().map(Archive::begin));
        Self { store, options, archive, watches: Mutex::default() }
    }

    /// Returns the watch of a table, which begins if there is none. Must be called within a Tokio runtime.
    ///
    /// A table that is not there has a watch that ends at once; [`HeatWatch::failure`] tells why.
    pub fn watch(&self, table: &TableName) -> HeatWatch {
        let mut watches = lock(&self.watches);
        if let Some(watch) = watches.get(table).and_then(Slot::watch).filter(|watch| !watch.has_ended()) {
            return watch;
        }
        watches.retain(|_, slot| slot.watch().is_some_and(|watch| !watch.has_ended()));
        let archive = lock(&self.archive).as_ref().map(Archive::sender);
        let watch = HeatWatch::begin(Arc::clone(&self.store), table.clone(), &self.options, archive);
        let slot = if is_alone(&*self.store) {
            Slot::Kept(watch.clone())
        } else {
            Slot::Shared(Arc::downgrade(watch.running()))
        };
        watches.insert(table.clone(), slot);
        watch
    }

    /// Begins to watch all tables of a store that nobody else has open, so that their past is there when somebody looks.
    /// Nothing happens for a cluster, whose servers would be asked for it.
    ///
    /// # Errors
    ///
    /// Only if the tables can't be listed.
    pub async fn watch_all(&self) -> Result<(), StoreError> {
        if is_alone(&*self.store) {
            for table in self.store.list().await? {
                self.watch(&table);
            }
        }
        Ok(())
    }

    /// Ends all watches, and waits until their past is written. Without that, the last minutes may be missing when the
    /// program ends.
    pub async fn close(&self) {
        let watches = std::mem::take(&mut *lock(&self.watches));
        watches.values().filter_map(Slot::watch).for_each(|watch| watch.stop());
        drop(watches);
        let archive = lock(&self.archive).take();
        if let Some(archive) = archive {
            // It fails only if the runtime ends meanwhile.
            let _ = tokio::task::spawn_blocking(|| archive.close()).await;
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot {
    fn watch(&self) -> Option<HeatWatch> {
        match self {
            Self::Kept(watch) => Some(watch.clone()),
            Self::Shared(running) => running.upgrade().map(HeatWatch::of),
        }
    }
}
