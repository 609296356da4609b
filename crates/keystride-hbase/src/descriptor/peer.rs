//! Replication peers.

use std::collections::{BTreeMap, BTreeSet};

use super::attributes::{Configuration, configuration_from_proto, configuration_to_proto};
use crate::name::text;
use crate::proto::replication_state::State;
use crate::{FamilyName, NameError, TableName, proto};

/// A replication peer: a cluster that receives the changes of families with [`ReplicationScope::Global`].
///
/// ```
/// # use keystride_hbase::{ReplicationPeer, ReplicatedTables, TableName};
/// let mut peer = ReplicationPeer::new("backup", "zk1,zk2,zk3:2181:/hbase");
/// peer.replicated = ReplicatedTables::only_table(TableName::new("ops:log")?);
/// assert!(peer.is_enabled && !peer.is_serial);
/// # Ok::<(), keystride_hbase::NameError>(())
/// ```
///
/// [`ReplicationScope::Global`]: crate::ReplicationScope::Global
#[derive(Debug, Clone, PartialEq)]
pub struct ReplicationPeer {
    id: Box<str>,
    /// The peer's ZooKeeper: hosts, port and base znode, such as `zk1,zk2:2181:/hbase`.
    pub cluster_key: String,
    /// Whether changes are sent now. While it is disabled they are kept.
    pub is_enabled: bool,
    /// Whether the changes of a row arrive in order even when its region moves.
    pub is_serial: bool,
    /// Bandwidth limit of each server in bytes per second; `None` for no limit.
    pub bandwidth: Option<u64>,
    /// Which tables are replicated.
    pub replicated: ReplicatedTables,
    /// Settings of this peer.
    pub configuration: Configuration,
    /// Fields unknown to this client, kept as they were read.
    rest: proto::ReplicationPeer,
}

/// Which tables a peer receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplicatedTables {
    /// All except these.
    AllBut(TableSelection),
    /// Only these.
    Only(TableSelection),
}

/// A set of tables and families.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableSelection {
    /// Namespaces, with all their tables.
    pub namespaces: BTreeSet<String>,
    /// Tables and their families; an empty list means all families.
    pub tables: BTreeMap<TableName, Vec<FamilyName>>,
}

const NAMESPACE: &str = "namespace";
const FAMILY: &str = "family";

impl ReplicationPeer {
    /// A peer that receives all changes from now on. HBase refuses ids with a `-`.
    pub fn new(id: &str, cluster_key: &str) -> Self {
        Self {
            id: id.into(),
            cluster_key: cluster_key.into(),
            is_enabled: true,
            is_serial: false,
            bandwidth: None,
            replicated: ReplicatedTables::AllBut(TableSelection::default()),
            configuration: Configuration::new(),
            rest: proto::ReplicationPeer::default(),
        }
    }

    /// The peer's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn state(&self) -> proto::ReplicationState {
        let state = if self.is_enabled { State::Enabled } else { State::Disabled };
        proto::ReplicationState { state: state.into() }
    }

    pub(crate) fn to_proto(&self) -> proto::ReplicationPeer {
        let peer = proto::ReplicationPeer {
            clusterkey: Some(self.cluster_key.clone()),
            bandwidth: self.bandwidth.and_then(|bandwidth| i64::try_from(bandwidth).ok()),
            serial: Some(self.is_serial),
            configuration: configuration_to_proto(&self.configuration),
            ..self.rest.clone()
        };
        match &self.replicated {
            ReplicatedTables::AllBut(selection) => proto::ReplicationPeer {
                replicate_all: Some(true),
                exclude_namespaces: selection.namespaces(),
                exclude_table_cfs: selection.tables(),
                ..peer
            },
            ReplicatedTables::Only(selection) => proto::ReplicationPeer {
                replicate_all: Some(false),
                namespaces: selection.namespaces(),
                table_cfs: selection.tables(),
                ..peer
            },
        }
    }

    /// The peer as a server lists it.
    #[cfg(test)]
    pub(super) fn described(&self) -> proto::ReplicationPeerDescription {
        proto::ReplicationPeerDescription {
            id: self.id.to_string(),
            state: self.state(),
            config: self.to_proto(),
        }
    }

    pub(crate) fn from_proto(described: proto::ReplicationPeerDescription) -> Result<Self, NameError> {
        let proto::ReplicationPeerDescription { id, state, config: peer } = described;
        let [only, but] = [
            TableSelection::from_proto(&peer.namespaces, &peer.table_cfs)?,
            TableSelection::from_proto(&peer.exclude_namespaces, &peer.exclude_table_cfs)?,
        ];
        // Old servers only list the tables, which means all if there are none.
        let is_all = peer.replicate_all.unwrap_or(only == TableSelection::default());
        Ok(Self {
            id: id.into(),
            cluster_key: peer.clusterkey.unwrap_or_default(),
            is_enabled: state.state() == State::Enabled,
            is_serial: peer.serial.unwrap_or_default(),
            bandwidth: peer
                .bandwidth
                .and_then(|bandwidth| u64::try_from(bandwidth).ok())
                .filter(|&most| most > 0),
            replicated: if is_all { ReplicatedTables::AllBut(but) } else { ReplicatedTables::Only(only) },
            configuration: configuration_from_proto(peer.configuration),
            rest: proto::ReplicationPeer {
                replication_endpoint_impl: peer.replication_endpoint_impl,
                data: peer.data,
                remote_wal_dir: peer.remote_wal_dir,
                ..Default::default()
            },
        })
    }
}

impl ReplicatedTables {
    /// Only one table, with all its families.
    pub fn only_table(table: TableName) -> Self {
        Self::Only(TableSelection {
            tables: BTreeMap::from([(table, Vec::new())]),
            ..TableSelection::default()
        })
    }
}

impl TableSelection {
    fn namespaces(&self) -> Vec<bytes::Bytes> {
        self.namespaces.iter().map(|name| name.clone().into()).collect()
    }

    fn tables(&self) -> Vec<proto::TableCf> {
        let table = |(table, families): (&TableName, &Vec<FamilyName>)| proto::TableCf {
            table_name: Some(table.to_proto()),
            families: families.iter().map(|family| family.as_bytes().to_vec().into()).collect(),
        };
        self.tables.iter().map(table).collect()
    }

    fn from_proto(namespaces: &[bytes::Bytes], tables: &[proto::TableCf]) -> Result<Self, NameError> {
        let namespaces = namespaces.iter().map(|name| text(NAMESPACE, name).map(str::to_owned));
        let families = |table: &proto::TableCf| -> Result<Vec<FamilyName>, NameError> {
            table.families.iter().map(|family| FamilyName::new(text(FAMILY, family)?)).collect()
        };
        let tables = tables.iter().filter_map(|table| {
            let name = table.table_name.as_ref()?;
            Some(TableName::from_proto(name).and_then(|name| Ok((name, families(table)?))))
        });
        Ok(Self {
            namespaces: namespaces.collect::<Result<_, _>>()?,
            tables: tables.collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_that_was_read_is_written_back_whole() {
        let config = proto::ReplicationPeer {
            clusterkey: Some("zk:2181:/hbase".into()),
            replication_endpoint_impl: Some("a.b.Endpoint".into()),
            data: vec![proto::BytesBytesPair { first: "k".into(), second: "v".into() }],
            configuration: vec![proto::NameStringPair { name: "a.b".into(), value: "c".into() }],
            table_cfs: vec![proto::TableCf {
                table_name: Some(TableName::new("ns:t").unwrap().to_proto()),
                families: vec!["f".into(), "g".into()],
            }],
            namespaces: vec!["other".into()],
            bandwidth: Some(1_000),
            replicate_all: Some(false),
            serial: Some(true),
            remote_wal_dir: Some("hdfs://x".into()),
            ..Default::default()
        };
        let state = proto::ReplicationState { state: State::Disabled.into() };
        let message = proto::ReplicationPeerDescription { id: "1".into(), state, config };
        let peer = ReplicationPeer::from_proto(message.clone()).unwrap();
        assert!(peer.is_serial && !peer.is_enabled && peer.bandwidth == Some(1_000));
        assert_eq!(peer.described(), message);
    }

    #[test]
    fn a_peer_without_replicate_all_replicates_all_if_no_table_is_named() {
        let mut peer = ReplicationPeer::new("1", "zk:2181:/hbase");
        let mut message = peer.described();
        message.config.replicate_all = None;
        assert_eq!(ReplicationPeer::from_proto(message.clone()).unwrap(), peer);
        peer.replicated = ReplicatedTables::only_table(TableName::new("t").unwrap());
        message.config.table_cfs = peer.to_proto().table_cfs;
        assert_eq!(ReplicationPeer::from_proto(message).unwrap(), peer);
    }

    #[test]
    fn an_invalid_name_is_an_error() {
        let mut message = ReplicationPeer::new("1", "zk:2181:/hbase").described();
        message.config.exclude_namespaces = vec![b"\xff".to_vec().into()];
        assert!(ReplicationPeer::from_proto(message).is_err());
    }
}
