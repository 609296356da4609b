//! Finding a cluster: the server of hbase:meta and the active master.

#[cfg(test)]
mod fuzz;
mod rpc;

use std::sync::Arc;

use crate::conn::Pool;
use crate::proto::table_state::State;
use crate::wait::Waits;
use crate::zookeeper::{Ensemble, ZooKeeperError, ZooKeeperRegistry};
use crate::{ClusterAddress, Error, FoundServer, ServerName, TableName};

use rpc::RpcRegistry;

#[derive(Debug)]
pub(crate) enum Registry {
    /// By asking its masters or region servers.
    Rpc(RpcRegistry),
    /// By reading its znodes.
    ZooKeeper(ZooKeeperRegistry),
}

impl Registry {
    pub(crate) fn new(address: &ClusterAddress, waits: &Arc<Waits>) -> Self {
        match address {
            ClusterAddress::Servers(seeds) => Self::Rpc(RpcRegistry::new(seeds.clone())),
            ClusterAddress::ZooKeeper { servers, base_znode } => {
                let ensemble = Ensemble::new(servers.clone()).watched_by(Arc::clone(waits));
                Self::ZooKeeper(ZooKeeperRegistry::new(ensemble, base_znode))
            }
        }
    }

    pub(crate) async fn meta_server(&self, pool: &Pool) -> Result<ServerName, Error> {
        match self {
            Self::Rpc(registry) => registry.meta_server(pool).await,
            Self::ZooKeeper(registry) => known(registry.meta_server().await, "no server has hbase:meta yet"),
        }
    }

    pub(crate) async fn active_master(&self, pool: &Pool) -> Result<ServerName, Error> {
        match self {
            Self::Rpc(registry) => registry.active_master(pool).await,
            Self::ZooKeeper(registry) => {
                known(registry.active_master().await, "there is no active master now")
            }
        }
    }

    /// Whether a table is enabled, if ZooKeeper knows: it has the state only before HBase 2.
    pub(crate) async fn table_state(&self, table: &TableName) -> Result<Option<State>, Error> {
        match self {
            Self::Rpc(_) => Ok(None),
            Self::ZooKeeper(registry) => registry.table_state(table).await.map_err(not_found),
        }
    }

    pub(crate) async fn cluster_id(&self, pool: &Pool) -> Result<String, Error> {
        match self {
            Self::Rpc(registry) => registry.cluster_id(pool).await,
            Self::ZooKeeper(registry) => known(registry.cluster_id().await, "it has no id yet"),
        }
    }
}

fn known<T>(answer: Result<Option<T>, ZooKeeperError>, unknown: &str) -> Result<T, Error> {
    match answer {
        Ok(Some(found)) => Ok(found),
        Ok(None) => Err(Error::NoCluster { reason: unknown.into() }),
        Err(error) => Err(not_found(error)),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it ends here")]
fn not_found(error: ZooKeeperError) -> Error {
    match error.hbase_server() {
        Some(server) => Error::WrongServer { server: server.clone(), found: FoundServer::HBase },
        None => Error::NoCluster { reason: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use crate::zookeeper::fake::{self, Behavior};
    use crate::{Client, Recovery};

    /// The error of asking for the cluster's id at an address with a single server.
    async fn cluster_id_error(scheme: &str, server: Behavior) -> String {
        let server = fake::start(server).await;
        let error = Client::new(&format!("{scheme}://{server}")).unwrap().cluster_id().await.unwrap_err();
        assert!(error.is_unreachable() && error.recovery() == Recovery::GiveUp, "{error:?}");
        error.to_string().replace(&server.to_string(), "SERVER")
    }

    #[tokio::test]
    async fn a_server_of_the_wrong_kind_is_recognized() {
        assert_eq!(
            cluster_id_error("hbase+rpc", Behavior::Serve([("/", Bytes::new())].into())).await,
            "SERVER is ZooKeeper: use hbase://SERVER"
        );
        let old = cluster_id_error("hbase+rpc", Behavior::OldHBase).await;
        assert!(old.contains("masters do from HBase 2.4 on, region servers from 2.5 on"), "{old}");
        let hbase = cluster_id_error("hbase", Behavior::OldHBase).await;
        assert!(hbase.starts_with("SERVER is HBase, not ZooKeeper: use hbase://ZOOKEEPER"), "{hbase}");
    }
}
