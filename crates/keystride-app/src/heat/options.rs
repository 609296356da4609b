//! How tables are watched.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use keystride_store::{Clock, StoreAddress, SystemClock, TableReader, Writers};
use xxhash_rust::xxh3::xxh3_64;

use crate::user_folders::state_folder;

/// How tables are watched.
#[derive(Debug, Clone)]
pub struct HeatOptions {
    /// How often counters are read: 1 to 60 s, and at least 3 s for a cluster, whose servers count no faster. A period
    /// outside of that is taken to its nearest end. It is the width of the finest columns.
    pub period: Duration,
    /// The time of columns.
    pub clock: Arc<dyn Clock>,
    /// The folder in which the past of the tables is kept, one file for each; `None` keeps it in memory only. It must be of
    /// this store alone: see [`heat_folder`].
    ///
    /// A file has the columns of minutes and longer, which a table has in memory too, at most about 64 MiB; mostly far
    /// less. Who begins to watch while another program uses the folder is told so by
    /// [`HeatWatch::not_kept`](super::HeatWatch::not_kept).
    pub folder: Option<PathBuf>,
}

/// The period for a cluster, and for a store that nobody else has open.
const OF_CLUSTER: Duration = Duration::from_secs(10);
const ALONE: Duration = Duration::from_secs(2);

impl HeatOptions {
    /// Returns those that suit a store: 10 s for a cluster, 2 s for an embedded store, the machine's clock, and no folder.
    pub fn of(store: &dyn TableReader) -> Self {
        let period = if is_alone(store) { ALONE } else { OF_CLUSTER };
        Self { period, clock: Arc::new(SystemClock), folder: None }
    }

    /// Returns the period for what passes through this program: it costs no server anything.
    pub(super) fn period_of_traffic(&self) -> Duration {
        self.period_for(true).min(ALONE)
    }

    /// Returns the period for counters in this process, or for those of a cluster.
    pub(super) fn period_for(&self, is_here: bool) -> Duration {
        let shortest = if is_here { 1 } else { 3 };
        self.period.clamp(Duration::from_secs(shortest), Duration::from_mins(1))
    }
}

/// Returns the folder in which the heat maps of a store are kept: one below keystride's folder in `$XDG_STATE_HOME`, else in
/// `~/.local/state`, by the id of the cluster or the path of the store's folder. `None` if the environment has neither, or
/// the cluster does not say its id.
pub async fn heat_folder(store: &dyn TableReader, address: &StoreAddress) -> Option<PathBuf> {
    let name = match address {
        StoreAddress::Embedded(folder) => {
            let path = std::path::absolute(folder).ok()?;
            let path = path.canonicalize().unwrap_or(path);
            format!("embedded-{:016x}", xxh3_64(path.as_os_str().as_encoded_bytes()))
        }
        _ => {
            format!("hbase-{:016x}", xxh3_64(store.cluster_id().await.ok()??.as_bytes()))
        }
    };
    Some(state_folder()?.join("heat").join(name))
}

/// Whether the counters are in this process.
pub(super) fn is_alone(store: &dyn TableReader) -> bool {
    store.writers() == Writers::Alone
}
