//! Administration: operations on whole tables, by the master and by the region servers that have their regions.
//!
//! `tables` creates tables, `modify` changes them, `describe` reads their descriptors, `regions` splits and merges,
//! `placement` assigns regions to servers, `storage` flushes and compacts. `load` and `cluster` report the load of
//! servers, `switches` controls the balancer and similar chores. `namespaces`, `snapshots` and `replication` do what
//! they say. Below them, `master` and `server` make calls, `procedure` waits for procedures, `open` for open regions.

mod cluster;
mod describe;
#[cfg(test)]
mod fuzz;
mod load;
mod master;
mod modify;
mod namespaces;
mod open;
mod placement;
mod procedure;
#[cfg(test)]
mod real;
mod regions;
mod replication;
mod server;
mod snapshots;
mod states;
mod storage;
mod switches;
mod tables;

use std::time::Duration;

use crate::Client;

pub use cluster::{ClusterStatus, RegionInTransition, ServerStatus, TableRegions};
pub use load::{CompactionState, RegionLoad, ServerLoads};
pub use states::RegionStatus;
pub use storage::Compaction;
pub use switches::{Balanced, Switch};
pub use tables::AfterTruncate;

/// Administrative operations on a cluster. It is cheap to clone.
///
/// A change is made once, even if the request has to be sent several times. Its future completes when the change is
/// complete; there is no time limit. Dropping the future does not stop the change.
#[derive(Debug, Clone)]
pub struct Admin {
    client: Client,
    master_timeout: Duration,
}

impl Admin {
    /// Sets how long to look for the active master.
    #[must_use]
    pub fn with_master_timeout(self, limit: Duration) -> Self {
        Self { master_timeout: limit.min(self.master_timeout), ..self }
    }
}

impl Client {
    /// The cluster's administrative operations.
    pub fn admin(&self) -> Admin {
        Admin { client: self.clone(), master_timeout: self.options().master_timeout }
    }
}
