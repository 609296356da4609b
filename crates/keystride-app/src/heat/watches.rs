//! The tables that are watched.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use keystride_heat::live::Axis;
use keystride_store::{StoreError, TableName, TableReader};

use super::archive::Archive;
use super::counting::Counted;
use super::options::is_alone;
use super::watch::{Running, Source};
use super::{CountingStore, HeatArea, HeatOptions, HeatWatch};

/// The watched tables of one store: one watch per table, whoever asks for it.
#[derive(Debug)]
pub struct HeatWatches {
    store: Arc<dyn TableReader>,
    options: HeatOptions,
    archive: Mutex<Option<Archive>>,
    watches: Mutex<BTreeMap<TableName, Slot>>,
    traffic: Option<TrafficWatches>,
}

/// The watches of what passes through a store of this program.
#[derive(Debug)]
struct TrafficWatches {
    counted: Arc<Counted>,
    archive: Mutex<Option<Archive>>,
    watches: Mutex<BTreeMap<TableName, HeatWatch>>,
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
        Self { store, options, archive, watches: Mutex::default(), traffic: None }
    }

    /// Watches no table yet; of those that are watched, also what passes through this store: see [`Self::traffic`].
    pub fn counting(store: &Arc<CountingStore>, options: HeatOptions) -> Self {
        let folder = options.folder.as_deref().map(|folder| folder.join("traffic"));
        let traffic = TrafficWatches {
            counted: Arc::clone(&store.layer.counted),
            archive: Mutex::new(folder.as_deref().map(Archive::begin)),
            watches: Mutex::default(),
        };
        Self { traffic: Some(traffic), ..Self::new(Arc::clone(store) as Arc<dyn TableReader>, options) }
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
        let source = Source::Regions(Arc::clone(&self.store));
        let watch = HeatWatch::begin(source, table.clone(), &self.options, archive);
        self.traffic(table);
        let slot = if is_alone(&*self.store) {
            Slot::Kept(watch.clone())
        } else {
            Slot::Shared(Arc::downgrade(watch.running()))
        };
        watches.insert(table.clone(), slot);
        watch
    }

    /// Returns the watch of a table if there is one; none begins.
    pub fn watched(&self, table: &TableName) -> Option<HeatWatch> {
        lock(&self.watches).get(table).and_then(Slot::watch).filter(|watch| !watch.has_ended())
    }

    /// Returns the watch of what passes through this program, which begins with that of the table; `None` if nothing is
    /// counted. It costs no server anything, so it goes on until the table is dropped.
    pub fn traffic(&self, table: &TableName) -> Option<HeatWatch> {
        let traffic = self.traffic.as_ref()?;
        let mut watches = lock(&traffic.watches);
        if let Some(watch) = watches.get(table).filter(|watch| !watch.has_ended()) {
            return Some(watch.clone());
        }
        let archive = lock(&traffic.archive).as_ref().map(Archive::sender);
        let source = Source::Traffic(Arc::downgrade(&traffic.counted.of(table)));
        let watch = HeatWatch::begin(source, table.clone(), &self.options, archive);
        watches.retain(|_, watch| !watch.has_ended());
        watches.insert(table.clone(), watch.clone());
        Some(watch)
    }

    /// Whether all that happens to the tables passes through this program.
    pub fn sees_all(&self) -> bool {
        self.traffic.is_some() && is_alone(&*self.store)
    }

    /// Keeps boundaries of buckets in what is counted of a table from now on.
    pub fn keep_borders(&self, table: &TableName, borders: &Axis) {
        if let Some(traffic) = &self.traffic {
            traffic.counted.of(table).lock().set_borders(borders);
        }
    }

    /// Returns keys that passed through this program, each with the number of rows that it stands for: see
    /// [`Traffic::keys`](keystride_heat::live::Traffic::keys).
    pub fn keys_behind(&self, table: &TableName, area: &HeatArea) -> Vec<(Vec<u8>, f64)> {
        let Some(traffic) = &self.traffic else { return Vec::new() };
        let table = traffic.counted.of(table);
        let traffic = table.lock();
        let keys = traffic.keys(area.metric, area.times_ms.clone(), area.keys.start(), area.keys.stop());
        keys.into_iter().map(|(key, rows)| (key.to_vec(), rows)).collect()
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
        let traffic = self.traffic.as_ref();
        let of_traffic = traffic.map(|traffic| std::mem::take(&mut *lock(&traffic.watches)));
        of_traffic.iter().flat_map(BTreeMap::values).for_each(HeatWatch::stop);
        drop(of_traffic);
        let archives =
            [lock(&self.archive).take(), traffic.and_then(|traffic| lock(&traffic.archive).take())];
        for archive in archives.into_iter().flatten() {
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
