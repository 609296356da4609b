//! Servers that stop, and restart with new names.

use super::{Cluster, is_lookup, quick, read, table, write};
use crate::{Client, ClusterAddress};

#[tokio::test]
async fn regions_of_a_server_that_ended_are_found_on_another() {
    let mut cluster = Cluster::start(3).await;
    cluster.state().create("t", &["d", "m"]);
    let client = cluster.client();
    let table = table(&client, "t");
    for row in ["a", "e", "n"] {
        write(&table, row, row).await.unwrap();
    }
    cluster.kill(1).await;
    cluster.state().reassign();
    for row in ["a", "e", "n"] {
        assert_eq!(read(&table, row).await.unwrap(), row);
    }
    cluster.kill(0).await;
    cluster.state().reassign();
    for row in ["a", "e", "n"] {
        assert_eq!(read(&table, row).await.unwrap(), row);
    }
}

#[tokio::test]
async fn a_server_that_was_started_again_is_another_one() {
    let mut cluster = Cluster::with_table().await;
    let client = cluster.client();
    let table = table(&client, "t");
    write(&table, "n", "n").await.unwrap();
    cluster.restart(1).await;
    cluster.state().reassign();
    // The client has the right port and the old start code.
    assert_eq!(read(&table, "n").await.unwrap(), "n");
    cluster.restart(0).await;
    cluster.state().reassign();
    assert_eq!(read(&table, "n").await.unwrap(), "n");
}

#[tokio::test]
async fn a_call_waits_for_a_server_that_is_being_replaced() {
    let mut cluster = Cluster::with_table().await;
    let client = cluster.client();
    write(&table(&client, "t"), "n", "n").await.unwrap();
    cluster.kill(1).await;
    let before = cluster.count(is_lookup);
    let row = tokio::spawn({
        let table = table(&client, "t");
        async move { read(&table, "n").await }
    });
    cluster.until(before + 2, is_lookup).await;
    cluster.state().reassign();
    assert_eq!(row.await.unwrap().unwrap(), "n");
}

#[tokio::test]
async fn the_death_of_one_server_does_not_affect_regions_of_others() {
    let mut cluster = Cluster::with_table().await;
    let client = cluster.client();
    let table = table(&client, "t");
    write(&table, "a", "a").await.unwrap();
    write(&table, "n", "n").await.unwrap();
    cluster.kill(1).await;
    let lookups = cluster.count(is_lookup);
    assert_eq!(read(&table, "a").await.unwrap(), "a");
    assert_eq!(cluster.count(is_lookup), lookups);
}

#[tokio::test]
async fn servers_that_were_learned_of_are_asked_when_those_that_were_named_are_gone() {
    let mut cluster = Cluster::start(3).await;
    cluster.state().create("t", &["d", "m"]);
    let named = cluster.state().servers[0].address();
    let client = Client::with_options(&ClusterAddress::Servers(vec![named]), quick());
    let table = table(&client, "t");
    write(&table, "n", "n").await.unwrap();
    cluster.kill(0).await;
    cluster.state().reassign();
    client.forget_regions(table.name());
    // The cached location of hbase:meta and the cached regions are wrong by now.
    assert_eq!(read(&table, "n").await.unwrap(), "n");
}
