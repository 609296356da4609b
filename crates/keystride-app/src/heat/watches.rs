//! The tables that are watched.

use std::sync::Arc;

use keystride_heat::live::Axis;
use keystride_store::{StoreError, TableName, TableReader};

use super::counting::Counted;
use super::options::is_alone;
use super::watch::Source;
use super::watched::Watched;
use super::{CountingStore, HeatArea, HeatOptions, HeatWatch};

/// The watched tables of one store: one watch per table, whoever asks for it.
#[derive(Debug)]
pub struct HeatWatches {
    store: Arc<dyn TableReader>,
    options: HeatOptions,
    regions: Watched,
    traffic: Option<TrafficWatches>,
}

/// The watches of what passes through a store of this program.
#[derive(Debug)]
struct TrafficWatches {
    counted: Arc<Counted>,
    watched: Watched,
}

impl HeatWatches {
    /// Watches no table yet.
    pub fn new(store: Arc<dyn TableReader>, options: HeatOptions) -> Self {
        let regions = Watched::kept_in(options.folder.as_deref());
        Self { store, options, regions, traffic: None }
    }

    /// Watches no table yet; of those that are watched, also what passes through this store: see [`Self::traffic`].
    pub fn counting(store: &Arc<CountingStore>, options: HeatOptions) -> Self {
        let folder = options.folder.as_deref().map(|folder| folder.join("traffic"));
        let traffic = TrafficWatches {
            counted: Arc::clone(&store.layer.counted),
            watched: Watched::kept_in(folder.as_deref()),
        };
        Self { traffic: Some(traffic), ..Self::new(Arc::clone(store) as Arc<dyn TableReader>, options) }
    }

    /// Returns the watch of a table, which begins if there is none. Must be called within a Tokio runtime.
    ///
    /// A table that is not there has a watch that ends at once; [`HeatWatch::failure`] tells why.
    pub fn watch(&self, table: &TableName) -> HeatWatch {
        self.regions.watch(table, is_alone(&*self.store), |archive| {
            self.traffic(table);
            let source = Source::Regions(Arc::clone(&self.store));
            HeatWatch::begin(source, table.clone(), &self.options, archive)
        })
    }

    /// Returns the watch of a table if there is one; none begins.
    pub fn watched(&self, table: &TableName) -> Option<HeatWatch> {
        self.regions.living(table)
    }

    /// Returns the watch of what passes through this program, which begins with that of the table; `None` if nothing is
    /// counted. It costs no server anything, so it goes on until the table is dropped.
    pub fn traffic(&self, table: &TableName) -> Option<HeatWatch> {
        let traffic = self.traffic.as_ref()?;
        Some(traffic.watched.watch(table, true, |archive| {
            let source = Source::Traffic(Arc::downgrade(&traffic.counted.of(table)));
            HeatWatch::begin(source, table.clone(), &self.options, archive)
        }))
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

    /// Ends the watches of a table that is dropped, and forgets its past.
    pub fn forget(&self, table: &TableName) {
        self.regions.forget(table);
        if let Some(traffic) = &self.traffic {
            traffic.watched.forget(table);
        }
    }

    /// Ends all watches, and waits until their past is written. Without that, the last minutes may be missing when the
    /// program ends.
    pub async fn close(&self) {
        self.regions.close().await;
        if let Some(traffic) = &self.traffic {
            traffic.watched.close().await;
        }
    }
}
