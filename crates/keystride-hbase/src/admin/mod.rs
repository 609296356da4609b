//! What is done to tables as a whole: by the master, and by the servers that have their regions.
//!
//! `tables` makes them, `modify` changes them and `describe` tells what they are, `regions` says where they are cut,
//! `placement` which server has what, and `storage` what of them is in files. `load` and `cluster` tell what servers have
//! to do, `switches` who may move regions. `namespaces`, `snapshots` and `replication` are about those. Below them,
//! `master` and `server` make calls, `procedure` waits for what those began, `open` for regions to be served.

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

/// The side of a cluster that is about tables instead of rows. It is cheap to clone.
///
/// Changes are made once, however often they have to be asked for, and are done when their future is: it takes as long
/// as it takes. Dropping the future leaves the change going on.
#[derive(Debug, Clone)]
pub struct Admin {
    client: Client,
    master_timeout: Duration,
}

impl Admin {
    /// The same, which looks for the active master no longer than `limit`.
    #[must_use]
    pub fn with_master_timeout(self, limit: Duration) -> Self {
        Self { master_timeout: limit.min(self.master_timeout), ..self }
    }
}

impl Client {
    /// The cluster's administration.
    pub fn admin(&self) -> Admin {
        Admin { client: self.clone(), master_timeout: self.options().master_timeout }
    }
}
