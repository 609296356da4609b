//! Replication peers are added, changed and removed, and receive what is written.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::time::Duration;

use keystride_hbase::{
    Client, FamilyDescriptor, FamilyName, Get, Mutation, ReplicatedTables, ReplicationPeer, ReplicationScope,
    Table, TableDescriptor, TableName, TableSelection,
};
use keystride_hbase_harness::{Cluster, ClusterOptions, Site, quick};
use scratch::{fill, keys};

/// A cluster of one server that replicates changes ten times a second.
fn start() -> Cluster {
    let site = Site::new().with("replication.source.sleepforretries", 100);
    let options = ClusterOptions::small(site);
    Cluster::start(&options).unwrap()
}

fn client(cluster: &Cluster) -> Client {
    Client::new(&format!("hbase+rpc://{}", cluster.address().master())).unwrap()
}

fn name() -> TableName {
    TableName::new("t").unwrap()
}

/// A table with a replicated family and another one.
async fn table(client: &Client) -> Table {
    let mut table = TableDescriptor::new(name());
    let mut replicated = FamilyDescriptor::new(FamilyName::new("f").unwrap());
    replicated.set_replication_scope(ReplicationScope::Global);
    table.set_family(replicated).set_family(FamilyDescriptor::new(FamilyName::new("own").unwrap()));
    client.admin().create_table(&table, &["5"]).await.unwrap();
    client.table(name())
}

/// Reads a row until it has the wanted value.
async fn arrives(table: &Table, row: &str, wanted: Option<&str>) {
    let arrival = async {
        while table.get(&Get::new(row)).await.unwrap().value(b"f", b"q") != wanted.map(str::as_bytes) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(2), arrival).await.unwrap();
}

/// Adds a peer, checks it, disables or enables it, changes it, and removes it.
async fn comes_and_goes(here: &Client, mut peer: ReplicationPeer) {
    let admin = here.admin();
    admin.add_replication_peer(&peer).await.unwrap();
    assert_eq!(admin.replication_peers().await.unwrap(), std::slice::from_ref(&peer));
    let again = admin.add_replication_peer(&peer).await.unwrap_err();
    assert!(again.to_string().contains("already exists"), "{again}");

    if peer.is_enabled {
        admin.disable_replication_peer(peer.id()).await.unwrap();
    } else {
        admin.enable_replication_peer(peer.id()).await.unwrap();
    }
    peer.is_enabled = !peer.is_enabled;
    assert_eq!(admin.replication_peers().await.unwrap(), std::slice::from_ref(&peer));

    peer.bandwidth = Some(1 << 20);
    peer.configuration.insert("ours".into(), "1".into());
    peer.replicated = ReplicatedTables::AllBut(TableSelection {
        namespaces: ["hbase".to_owned()].into(),
        tables: [(TableName::new("other").unwrap(), Vec::new())].into(),
    });
    admin.update_replication_peer(&peer).await.unwrap();
    assert_eq!(admin.replication_peers().await.unwrap(), std::slice::from_ref(&peer));

    admin.remove_replication_peer(peer.id()).await.unwrap();
    assert!(admin.replication_peers().await.unwrap().is_empty());
    let missing = admin.remove_replication_peer(peer.id()).await.unwrap_err();
    assert!(missing.to_string().contains("ReplicationPeerNotFoundException"), "{missing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_cluster_is_sent_what_is_written_here() {
    if quick("another_cluster_is_sent_what_is_written_here") {
        return;
    }
    let (source, sink) = (start(), start());
    let (here, there) = (client(&source), client(&sink));
    let key = format!("{}:/hbase", sink.address().zookeeper().unwrap());

    for (at, (is_serial, is_enabled)) in
        [(false, true), (false, false), (true, true), (true, false)].into_iter().enumerate()
    {
        let families = ["f", "g"].map(|family| FamilyName::new(family).unwrap()).to_vec();
        let tables = [(name(), families)].into();
        let mut peer = ReplicationPeer::new(&format!("peer{at}"), &key);
        peer.replicated = ReplicatedTables::Only(TableSelection { tables, ..TableSelection::default() });
        (peer.is_serial, peer.is_enabled) = (is_serial, is_enabled);
        comes_and_goes(&here, peer).await;
    }

    let (table, copy) = (table(&here).await, table(&there).await);
    let mut peer = ReplicationPeer::new("copy", &key);
    peer.replicated = ReplicatedTables::only_table(name());
    let admin = here.admin();
    admin.add_replication_peer(&peer).await.unwrap();
    fill(&table, 1_000).await;
    table.mutate(Mutation::put("own").value("own", "q", "stays")).await.unwrap();
    table.mutate(Mutation::put("last").value("f", "q", "v")).await.unwrap();
    arrives(&copy, "last", Some("v")).await;

    admin.disable_replication_peer("copy").await.unwrap();
    table.mutate(Mutation::delete("last")).await.unwrap();
    table.mutate(Mutation::put("later").value("f", "q", "w")).await.unwrap();
    assert_eq!(copy.get(&Get::new("last")).await.unwrap().value(b"f", b"q"), Some(&b"v"[..]));
    admin.enable_replication_peer("copy").await.unwrap();
    arrives(&copy, "later", Some("w")).await;
    arrives(&copy, "last", None).await;
    let mut written = keys(&table).await;
    written.retain(|key| key != "own");
    assert_eq!(keys(&copy).await, written);
    assert_eq!(written.len(), 1_001);
}
