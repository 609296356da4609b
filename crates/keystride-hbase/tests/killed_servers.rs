//! Servers are killed during loads and scans. No row is lost, duplicated or out of order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use keystride_hbase::{
    Admin, Client, Error, FamilyDescriptor, FamilyName, Get, Mutation, Scan, ServerName, Table,
    TableDescriptor, TableName, WriterOptions,
};
use keystride_hbase_harness::{Server, ServerCluster, ServerOptions, quick};

const ROWS: u32 = 200_000;
const FEW_ROWS: u32 = 500;

/// A row key spread over the table.
fn key(at: u32) -> String {
    format!("{:08x}", at.wrapping_mul(2_654_435_761))
}

fn cluster() -> ServerCluster {
    let options =
        ServerOptions { region_server_count: 3, master_count: 2, heap_mib: 384, ..ServerOptions::default() };
    ServerCluster::start(&options).unwrap()
}

fn client(cluster: &ServerCluster) -> Client {
    Client::new(&format!("hbase+rpc://{}", cluster.address().master())).unwrap()
}

fn described(name: &TableName) -> TableDescriptor {
    let mut descriptor = TableDescriptor::new(name.clone());
    descriptor.set_family(FamilyDescriptor::new(FamilyName::new("f").unwrap()));
    descriptor
}

/// A table of this many regions, 16 at most.
async fn table(cluster: &ServerCluster, regions: u32) -> Table {
    let (client, descriptor) = (client(cluster), described(&TableName::new("t").unwrap()));
    let splits: Vec<String> = (1..regions).map(|at| format!("{:x}0000000", at * 16 / regions)).collect();
    client.admin().create_table(&descriptor, &splits).await.unwrap();
    client.table(descriptor.name)
}

/// Loads all rows; `midway` runs after half of them.
async fn load(table: &Table, value: &str, midway: impl FnOnce()) {
    let mut writer = table.writer(WriterOptions::default().with(|options| {
        options.buffer_bytes = 400_000;
        options.lanes = 4;
    }));
    let mut midway = Some(midway);
    for at in 0..ROWS {
        if at == ROWS / 2 {
            midway.take().unwrap()();
        }
        writer.push(Mutation::put(key(at)).value_at("f", "n", 1, value)).await.unwrap();
    }
    writer.flush().await;
    let failures = writer.failures();
    assert!(failures.is_empty(), "{} rows failed, the first with {}", failures.len(), failures[0].1);
}

/// Reads all rows in order; `midway` runs after the first one.
async fn scan(table: &Table, value: &str, midway: impl FnOnce()) {
    let mut scanner = table.scan(Scan::all().rows_per_call(500));
    let mut midway = Some(midway);
    let mut last = Vec::new();
    let mut count = 0;
    while let Some(rows) = scanner.next_rows().await.unwrap() {
        for row in rows {
            assert!(row.key() > &last[..]);
            assert_eq!(row.value(b"f", b"n"), Some(value.as_bytes()));
            last = row.key().to_vec();
            count += 1;
        }
        if let Some(midway) = midway.take() {
            midway();
        }
    }
    assert_eq!(count, ROWS);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_costs_time_and_no_row() -> Result<(), Error> {
    if quick("a_killed_server_costs_time_and_no_row") {
        return Ok(());
    }
    let cluster = cluster();
    let table = table(&cluster, 16).await;
    load(&table, "1", || cluster.region_server(0).kill().unwrap()).await;
    scan(&table, "1", || cluster.region_server(1).kill().unwrap()).await;
    cluster.region_server(0).start_again().unwrap();
    cluster.region_server(1).start_again().unwrap();

    // The active master is killed and the backup master takes over: tables need it, rows don't.
    let first = cluster.active_master().unwrap();
    load(&table, "2", || first.kill().unwrap()).await;
    scan(&table, "2", || ()).await;
    let admin = table.client().admin();
    assert_eq!(admin.table_names().await?, [table.name().clone()]);
    admin.flush_table(table.name()).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_silent_does_not_hang_the_others() -> Result<(), Error> {
    if quick("a_server_that_is_silent_does_not_hang_the_others") {
        return Ok(());
    }
    let cluster = cluster();
    let table = table(&cluster, 16).await;
    let regions = table.client().regions(table.name()).await?;
    let silent = cluster.region_server(2);
    let port = silent.address().rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(0_u16);
    let first_row = |is_wanted: &dyn Fn(&ServerName) -> bool| {
        let (region, _) = regions.iter().find(|(_, server)| server.as_ref().is_some_and(is_wanted)).unwrap();
        if region.start.is_empty() { b"0".to_vec() } else { region.start.to_vec() }
    };
    let (here, there) = (first_row(&|server| server.port == port), first_row(&|server| server.port != port));
    for row in [&here, &there] {
        table.mutate(Mutation::put(row).value("f", "n", "v")).await?;
    }
    silent.pause().unwrap();
    let waiting = tokio::spawn({
        let (table, here) = (table.clone(), here.clone());
        async move { table.get(&Get::new(here)).await }
    });
    let mut writer = table.writer(WriterOptions::default());
    for _ in 0..100 {
        assert!(!table.get(&Get::new(&there)).await?.is_empty());
        assert_eq!(
            table.scan(Scan::range(&there, [&there[..], &[0]].concat())).try_collect::<Vec<_>>().await?.len(),
            1
        );
        writer.push(Mutation::put(&there).value("f", "n", "w")).await?;
        writer.flush().await;
    }
    assert!(writer.failures().is_empty());
    // Nothing has come from the silent server so far.
    assert!(!waiting.is_finished());
    silent.resume().unwrap();
    assert!(!waiting.await.unwrap()?.is_empty());
    Ok(())
}

/// Reads one row after the other until it is told to stop.
async fn read_on(table: Table, stop: Arc<AtomicBool>, reads: Arc<AtomicU32>) {
    while !stop.load(Ordering::Relaxed) {
        let at = reads.fetch_add(1, Ordering::Relaxed) % FEW_ROWS;
        let row = table.get(&Get::new(key(at))).await.unwrap();
        assert_eq!(row.value(b"f", b"n"), Some(&b"1"[..]), "row {at}");
    }
}

/// Waits for a condition.
async fn until<F: Future<Output = bool>>(what: &str, is_so: impl Fn() -> F) {
    let begun = Instant::now();
    while !is_so().await {
        assert!(begun.elapsed() < Duration::from_mins(2), "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The name of the region server at a port, once the master knows it.
async fn named(admin: &Admin, server: &Server<'_>) -> ServerName {
    let is_it = |name: &ServerName| server.address().ends_with(&format!(":{}", name.port));
    let find = async || {
        let status = admin.cluster_status().await.unwrap();
        status.servers.into_iter().map(|status| status.server).find(is_it)
    };
    until("the server reports", async || find().await.is_some()).await;
    find().await.unwrap()
}

// A restarted server is a new one to the cluster: in the end, none of the first ones is left.
#[tokio::test(flavor = "multi_thread")]
async fn reads_go_on_while_every_server_is_replaced() -> Result<(), Error> {
    if quick("reads_go_on_while_every_server_is_replaced") {
        return Ok(());
    }
    let options =
        ServerOptions { region_server_count: 2, master_count: 1, heap_mib: 384, ..ServerOptions::default() };
    let cluster = ServerCluster::start(&options).unwrap();
    let (table, admin) = (table(&cluster, 4).await, client(&cluster).admin());
    let put = |at| Mutation::put(key(at)).value_at("f", "n", 1, "1").into();
    assert!(table.batch((0..FEW_ROWS).map(put).collect()).await.iter().all(Result::is_ok));
    let (stop, reads) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let reading = tokio::spawn(read_on(table.clone(), Arc::clone(&stop), Arc::clone(&reads)));
    for index in 0..2 {
        let server = cluster.region_server(index);
        let was = named(&admin, &server).await;
        server.kill().unwrap();
        let before = reads.load(Ordering::Relaxed);
        until("all rows are read from the other server", async || {
            reading.is_finished() || reads.load(Ordering::Relaxed) >= before + FEW_ROWS
        })
        .await;
        server.start_again().unwrap();
        let now = named(&admin, &server).await;
        assert_ne!(now, was);
        for (region, _) in table.client().regions(table.name()).await? {
            // The master has just learned that the previous server at that port is dead, and may not yet know the new
            // one.
            let moved = async || match admin.move_region(&region, Some(&now)).await {
                Err(Error::RegionElsewhere { .. }) => false,
                moved => moved.map(|()| true).unwrap(),
            };
            until("the region moves", moved).await;
        }
    }

    // The only master is killed; what is asked of it meanwhile is done when it is back.
    cluster.master(0).kill().unwrap();
    let second = TableName::new("second").unwrap();
    let making = tokio::spawn({
        let (admin, descriptor) = (admin.clone(), described(&second));
        async move { admin.create_table(&descriptor, &["m"]).await }
    });
    cluster.master(0).start_again().unwrap();
    making.await.unwrap()?;
    assert_eq!(admin.table_names().await?, [second, table.name().clone()]);
    stop.store(true, Ordering::Relaxed);
    reading.await.unwrap();
    Ok(())
}
