//! Finding a cluster through its znodes.

use bytes::Bytes;

use super::znode::{self, BadZnode};
use super::{Ensemble, ZooKeeperError};
use crate::proto::table_state::State;
use crate::{ServerName, TableName};

/// How many other base znodes an error suggests at most.
const MAX_OTHERS: usize = 8;

/// A cluster's registry in ZooKeeper.
///
/// A ZooKeeper server may lag behind the others, so answers can be slightly out of date.
#[derive(Debug, Clone)]
pub(crate) struct ZooKeeperRegistry {
    ensemble: Ensemble,
    base_znode: Box<str>,
}

impl ZooKeeperRegistry {
    /// A cluster whose znodes are under `base_znode`, HBase's `zookeeper.znode.parent`. An empty path means the
    /// default, `/hbase`.
    pub(crate) fn new(ensemble: Ensemble, base_znode: &str) -> Self {
        let base_znode = match base_znode.trim_matches('/') {
            "" => "/hbase".into(),
            path => format!("/{path}").into(),
        };
        Self { ensemble, base_znode }
    }

    /// The server of hbase:meta. `None` while there is none.
    pub(crate) async fn meta_server(&self) -> Result<Option<ServerName>, ZooKeeperError> {
        Ok(self.read("meta-region-server", znode::meta_server).await?.flatten())
    }

    /// The active master. `None` while there is none.
    pub(crate) async fn active_master(&self) -> Result<Option<ServerName>, ZooKeeperError> {
        self.read("master", znode::master).await
    }

    /// The cluster's id. `None` until its first master has started.
    pub(crate) async fn cluster_id(&self) -> Result<Option<String>, ZooKeeperError> {
        self.read("hbaseid", znode::cluster_id).await
    }

    /// Whether a table is enabled. `None` from HBase 2 on, which keeps the state in hbase:meta.
    pub(crate) async fn table_state(&self, table: &TableName) -> Result<Option<State>, ZooKeeperError> {
        self.read(&format!("table/{table}"), znode::table_state).await
    }

    async fn read<T>(
        &self,
        name: &str,
        decode: fn(Bytes) -> Result<T, BadZnode>,
    ) -> Result<Option<T>, ZooKeeperError> {
        let path = format!("{}/{name}", self.base_znode);
        match self.ensemble.data(&path).await? {
            // HBase creates some znodes empty and fills them later.
            Some(value) if value.is_empty() => Ok(None),
            Some(value) => {
                decode(value).map(Some).map_err(|error| ZooKeeperError::BadZnode { path: path.into(), error })
            }
            None if self.ensemble.exists(&self.base_znode).await? => Ok(None),
            None => Err(self.no_base().await),
        }
    }

    async fn no_base(&self) -> ZooKeeperError {
        // Ignoring an error here is right: the names only improve the message of the error being reported.
        let children = self.ensemble.children("/").await.ok().flatten().unwrap_or_default();
        let mut others: Vec<_> = children.iter().filter(|name| name.contains("hbase")).collect();
        others.sort_unstable();
        others.truncate(MAX_OTHERS);
        let others = others.iter().map(|name| format!("/{}", name.escape_debug())).collect();
        ZooKeeperError::NoBase { base: self.base_znode.clone(), others }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{self, Behavior};
    use super::*;

    async fn registry(tree: &[(&'static str, &'static [u8])], base_znode: &str) -> ZooKeeperRegistry {
        let tree = tree.iter().map(|&(path, value)| (path, Bytes::from_static(value))).collect();
        let server = fake::start(Behavior::Serve(tree)).await;
        ZooKeeperRegistry::new(Ensemble::new(vec![server]), base_znode)
    }

    #[tokio::test]
    async fn a_cluster_is_read_from_its_znodes() {
        let meta = b"\xff\0\0\0\x01xPBUF\x0a\x0f\x0a\x03rs1\x10\x94\x7d\x18\x80\xd0\x95\xff\xbc\x31";
        let tree = [
            ("/hbase", &b""[..]),
            ("/hbase/meta-region-server", meta),
            ("/hbase/master", b"PBUF\x0a\x07\x0a\x02m1\x10\x80\x7d"),
            ("/hbase/hbaseid", b"PBUF\x0a\x02id"),
        ];
        for base in ["", "/", "/hbase", "/hbase/"] {
            let registry = registry(&tree, base).await;
            let meta = registry.meta_server().await.unwrap().unwrap();
            assert_eq!(meta.to_string(), "rs1,16020,1700000000000");
            let master = registry.active_master().await.unwrap().unwrap();
            assert_eq!(master.to_string(), "m1,16000,0");
            assert_eq!(registry.cluster_id().await, Ok(Some("id".into())));
        }
    }

    #[tokio::test]
    async fn a_starting_cluster_has_no_servers_yet() {
        let registry = registry(&[("/hbase", b""), ("/hbase/master", b"")], "/hbase").await;
        assert_eq!(registry.meta_server().await, Ok(None));
        assert_eq!(registry.active_master().await, Ok(None));
        assert_eq!(registry.cluster_id().await, Ok(None));
    }

    #[tokio::test]
    async fn without_the_base_znode_others_are_suggested() {
        let tree: [(_, &[u8]); 3] = [("/hbase-unsecure", b""), ("/hbase-secure", b""), ("/zookeeper", b"")];
        let error = registry(&tree, "/hbase").await.cluster_id().await.unwrap_err();
        let others = vec!["/hbase-secure".into(), "/hbase-unsecure".into()];
        assert_eq!(error, ZooKeeperError::NoBase { base: "/hbase".into(), others });
    }

    #[tokio::test]
    async fn a_value_that_is_not_hbases_is_named() {
        let registry = registry(&[("/hbase", b""), ("/hbase/master", b"\xff")], "/hbase").await;
        let error = registry.active_master().await.unwrap_err();
        let ZooKeeperError::BadZnode { path, .. } = error else { panic!("{error}") };
        assert_eq!(&*path, "/hbase/master");
    }

    #[test]
    fn futures_can_be_sent_to_other_threads() {
        fn assert_send<T: Send>(_: T) {}
        let registry = ZooKeeperRegistry::new(Ensemble::new(vec![]), "");
        assert_send(registry.meta_server());
        assert_send(registry.active_master());
        assert_send(registry.cluster_id());
    }
}
