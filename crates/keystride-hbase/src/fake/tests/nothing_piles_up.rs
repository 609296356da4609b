//! What a client keeps after long use.

use std::time::Duration;

use super::{Cluster, ends, quick, read, scanned, table, write};
use crate::{Client, ClientOptions, Error, FamilyDescriptor, FamilyName, Mutation, Scan, TableDescriptor};

// Bug 15: regions of dropped tables were never removed from the cache.
#[tokio::test]
async fn tables_that_were_made_and_dropped_leave_no_regions_behind() {
    let cluster = Cluster::start(2).await;
    let client = cluster.client();
    for round in 0..20 {
        let name = format!("t{round}");
        cluster.state().create(&name, &["d", "m"]);
        let table = table(&client, &name);
        for row in ["a", "e", "n"] {
            write(&table, row, row).await.unwrap();
        }
        cluster.state().tables.remove(&*name);
        for row in ["a", "e", "n"] {
            assert!(read(&table, row).await.is_err());
        }
    }
    let metrics = client.metrics();
    assert_eq!(metrics.cached_regions, 0);
    assert!(metrics.connections <= 4, "{}", metrics.connections);
}

/// Creates a table, writes, reads and scans it, with one scan only in part, and drops it.
async fn use_for_a_while(client: &Client, name: &str) {
    let (admin, table) = (client.admin(), table(client, name));
    let mut described = TableDescriptor::new(table.name().clone());
    described.set_family(FamilyDescriptor::new(FamilyName::new("f").unwrap()));
    ends(admin.create_table(&described, &["d", "m"])).await.unwrap();
    let puts = ["a", "e", "n"].map(|row| Mutation::put(row).value("f", "q", row).into());
    assert!(ends(table.batch(puts.to_vec())).await.iter().all(Result::is_ok));
    assert_eq!(read(&table, "e").await.unwrap(), "e");
    assert_eq!(ends(scanned(&table, Scan::all())).await.unwrap().len(), 3);
    assert!(ends(table.scan(Scan::all().rows_per_call(1)).next_rows()).await.unwrap().is_some());
    ends(admin.disable_table(table.name())).await.unwrap();
    ends(admin.delete_table(table.name())).await.unwrap();
    assert!(matches!(read(&table, "a").await, Err(Error::NoTable { .. })));
}

#[tokio::test]
async fn tables_used_and_dropped_in_turn_leave_nothing_behind() {
    let cluster = Cluster::start(2).await;
    let client = cluster.client();
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let mut tasks_first = None;
    for round in 0..300 {
        for name in [format!("t{round}"), "again".into()] {
            use_for_a_while(&client, &name).await;
        }
        let metrics = client.metrics();
        // Three services on two servers.
        assert!(metrics.connections <= 6, "{} in round {round}", metrics.connections);
        // Dropped scans may still be running, each with a region and a call.
        assert!(metrics.cached_regions <= 6, "{} in round {round}", metrics.cached_regions);
        let most = *tasks_first.get_or_insert_with(tasks) + 8;
        assert!(tasks() <= most, "{} tasks in round {round}", tasks());
    }
    ends(async {
        while !cluster.state().scanners.is_empty() || client.locator().table_count() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(client.metrics().cached_regions, 0);
}

#[tokio::test]
async fn servers_that_came_and_went_leave_no_connections_behind() {
    let mut cluster = Cluster::with_table().await;
    let client = cluster.client();
    let table = table(&client, "t");
    for _ in 0..10 {
        write(&table, "n", "n").await.unwrap();
        cluster.restart(1).await;
        cluster.state().reassign();
    }
    assert_eq!(read(&table, "n").await.unwrap(), "n");
    assert!(client.metrics().connections <= 4);
}

#[tokio::test]
async fn connections_that_nobody_uses_are_closed_and_made_anew() {
    let cluster = Cluster::with_table().await;
    let options = ClientOptions { idle_close: Duration::from_millis(5), ..quick() };
    let client = cluster.client_with(options);
    let table = table(&client, "t");
    for round in 0..5 {
        write(&table, "a", &round.to_string()).await.unwrap();
        cluster.until_connections(0).await;
    }
    assert_eq!(client.metrics().connections, 0);
    assert_eq!(read(&table, "a").await.unwrap(), "4");
    // Closed idle connections are not errors to recover from.
    assert_eq!(client.metrics().retries, 0);
}

#[tokio::test]
async fn what_is_left_of_closed_connections_goes_when_another_is_made() {
    let cluster = Cluster::with_table().await;
    let options = ClientOptions { idle_close: Duration::from_millis(5), ..quick() };
    let client = cluster.client_with(options);
    let table = table(&client, "t");
    for row in ["a", "n", "a", "n"] {
        write(&table, row, row).await.unwrap();
        cluster.until_connections(0).await;
    }
    assert_eq!(client.pool().len(), 1);
}

#[tokio::test]
async fn a_call_that_comes_just_when_its_connection_closes_is_made() {
    let cluster = Cluster::with_table().await;
    let options = ClientOptions { idle_close: Duration::from_nanos(1), ..quick() };
    let client = cluster.client_with(options);
    let table = table(&client, "t");
    for round in 0..200 {
        write(&table, "a", &round.to_string()).await.unwrap();
    }
    assert_eq!(client.metrics().retries, 0);
}

#[tokio::test]
async fn a_client_that_is_dropped_closes_its_connections() {
    let cluster = Cluster::with_table().await;
    let client = cluster.client();
    write(&table(&client, "t"), "a", "v").await.unwrap();
    drop(client);
    cluster.until_connections(0).await;
}

#[tokio::test]
async fn a_client_that_never_found_meta_closes_its_connections_too() {
    let cluster = Cluster::with_table().await;
    cluster.state().meta_at = None;
    let table = table(&cluster.client(), "t");
    let reading = tokio::spawn(async move { read(&table, "a").await });
    cluster.until_busy(3).await;
    reading.abort();
    assert!(reading.await.is_err_and(|error| error.is_cancelled()));
    cluster.until_connections(0).await;
}

#[tokio::test]
async fn values_of_many_megabytes_come_and_go() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    let value = "x".repeat(9 << 20);
    write(&table, "a", &value).await.unwrap();
    let rows = ends(futures_util::future::join_all((0..4).map(|_| read(&table, "a")))).await;
    assert!(rows.into_iter().all(|row| row.unwrap() == value));
}
