//! Where a cluster's first servers are: the one that has hbase:meta, and the active master.

#[cfg(test)]
mod fuzz;
mod rpc;

use crate::conn::Pool;
use crate::zookeeper::{Ensemble, ZooKeeperError, ZooKeeperRegistry};
use crate::{ClusterAddress, Error, ServerName};

use rpc::RpcRegistry;

/// How the cluster is found.
#[derive(Debug)]
pub(crate) enum Registry {
    /// By asking its own servers.
    Rpc(RpcRegistry),
    /// By its znodes.
    ZooKeeper(ZooKeeperRegistry),
}

impl Registry {
    pub(crate) fn new(address: &ClusterAddress) -> Self {
        match address {
            ClusterAddress::Servers(seeds) => Self::Rpc(RpcRegistry::new(seeds.clone())),
            ClusterAddress::ZooKeeper { servers, base_znode } => {
                Self::ZooKeeper(ZooKeeperRegistry::new(Ensemble::new(servers.clone()), base_znode))
            }
        }
    }

    /// The server that has hbase:meta.
    pub(crate) async fn meta_server(&self, pool: &Pool) -> Result<ServerName, Error> {
        match self {
            Self::Rpc(registry) => registry.meta_server(pool).await,
            Self::ZooKeeper(registry) => known(registry.meta_server().await, "no server has hbase:meta yet"),
        }
    }

    /// The active master.
    pub(crate) async fn active_master(&self, pool: &Pool) -> Result<ServerName, Error> {
        match self {
            Self::Rpc(registry) => registry.active_master(pool).await,
            Self::ZooKeeper(registry) => {
                known(registry.active_master().await, "there is no active master now")
            }
        }
    }

    /// The cluster's id.
    pub(crate) async fn cluster_id(&self, pool: &Pool) -> Result<String, Error> {
        match self {
            Self::Rpc(registry) => registry.cluster_id(pool).await,
            Self::ZooKeeper(registry) => known(registry.cluster_id().await, "it has no id yet"),
        }
    }
}

fn known<T>(answer: Result<Option<T>, ZooKeeperError>, unknown: &str) -> Result<T, Error> {
    let reason = match answer {
        Ok(Some(found)) => return Ok(found),
        Ok(None) => unknown.into(),
        Err(error) => error.to_string(),
    };
    Err(Error::NoCluster { reason })
}
