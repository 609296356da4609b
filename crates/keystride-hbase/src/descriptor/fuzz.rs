//! Malformed descriptors.

use prost::Message;

use super::{
    FamilyDescriptor, NamespaceDescriptor, ReplicatedTables, ReplicationPeer, SnapshotDescriptor,
    SplitPolicy, TableDescriptor,
};
use crate::fuzz::Fuzz;
use crate::{FamilyName, TableName, proto};

fn table() -> TableDescriptor {
    let mut family = FamilyDescriptor::new(FamilyName::new("cf").unwrap());
    family.set_versions(3).set_ttl_seconds(Some(86_400)).set_mob(true).set_row_prefix_bloom(8);
    let mut table = TableDescriptor::new(TableName::new("ops:log").unwrap());
    table.set_family(family).set_split_policy(Some(&SplitPolicy::KeyPrefix { length: 4 }));
    table.set_max_file_bytes(Some(1 << 33)).set_region_replication(2);
    table.configuration.insert("hbase.store.engine.class".into(), "x.Y".into());
    table
}

#[test]
fn an_accepted_table_is_encoded_unchanged() {
    Fuzz::of("table").and([table().to_proto().encode_to_vec()]).run(|input| {
        let Ok(message) = proto::TableSchema::decode(input) else { return };
        let table = match TableDescriptor::from_proto(message) {
            Ok(table) => table,
            Err(error) => return drop(error.to_string()),
        };
        drop((table.max_file_bytes(), table.durability(), table.split_policy(), table.priority()));
        for family in table.families() {
            drop((family.versions(), family.bloom(), family.row_prefix_bloom(), family.ttl_seconds()));
        }
        assert_eq!(TableDescriptor::from_proto(table.to_proto()), Ok(table));
    });
}

#[test]
fn an_accepted_snapshot_or_namespace_is_encoded_unchanged() {
    let mut snapshot = SnapshotDescriptor::new("s-1", TableName::new("ops:log").unwrap()).unwrap();
    (snapshot.ttl_seconds, snapshot.created_ms) = (Some(3_600), Some(1_700_000_000_000));
    let mut namespace = NamespaceDescriptor::new("ops").unwrap();
    namespace.configuration.insert("hbase.namespace.quota.maxtables".into(), "10".into());
    let messages = [snapshot.to_proto().encode_to_vec(), namespace.to_proto().encode_to_vec()];
    Fuzz::of("snapshot").and(messages).run(|input| {
        if let Ok(Ok(snapshot)) =
            proto::SnapshotDescription::decode(input).map(SnapshotDescriptor::from_proto)
        {
            assert_eq!(SnapshotDescriptor::from_proto(snapshot.to_proto()), Ok(snapshot));
        }
        if let Ok(Ok(namespace)) =
            proto::NamespaceDescriptor::decode(input).map(NamespaceDescriptor::from_proto)
        {
            assert_eq!(NamespaceDescriptor::from_proto(namespace.to_proto()), Ok(namespace));
        }
    });
}

#[test]
fn an_accepted_replication_peer_is_encoded_unchanged() {
    let mut peer = ReplicationPeer::new("backup", "zk1,zk2:2181:/hbase");
    peer.replicated = ReplicatedTables::only_table(TableName::new("ops:log").unwrap());
    peer.bandwidth = Some(1 << 20);
    Fuzz::of("peer").and([peer.described().encode_to_vec()]).run(|input| {
        let message = proto::ReplicationPeerDescription::decode(input);
        if let Ok(Ok(peer)) = message.map(ReplicationPeer::from_proto) {
            assert_eq!(ReplicationPeer::from_proto(peer.described()), Ok(peer));
        }
    });
}
