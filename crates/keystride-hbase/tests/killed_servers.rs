//! Servers are killed in the middle of loads and scans, and no row is lost, doubled or out of order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use keystride_hbase::{
    Client, Error, FamilyDescriptor, FamilyName, Get, Mutation, Scan, Table, TableDescriptor, TableName,
    WriterOptions,
};
use keystride_hbase_harness::{ServerCluster, ServerOptions, quick};

const ROWS: u32 = 60_000;

/// A row somewhere in the table.
fn key(at: u32) -> String {
    format!("{:08x}", at.wrapping_mul(2_654_435_761))
}

fn cluster() -> ServerCluster {
    let options =
        ServerOptions { region_server_count: 3, master_count: 2, heap_mib: 384, ..ServerOptions::default() };
    ServerCluster::start(&options).unwrap()
}

/// A table of 16 regions.
async fn table(cluster: &ServerCluster) -> Table {
    let client = Client::new(&format!("hbase+rpc://{}", cluster.address().master())).unwrap();
    let mut descriptor = TableDescriptor::new(TableName::new("t").unwrap());
    descriptor.set_family(FamilyDescriptor::new(FamilyName::new("f").unwrap()));
    let splits: Vec<String> = (1..16).map(|at| format!("{at:x}0000000")).collect();
    client.admin().create_table(&descriptor, &splits).await.unwrap();
    client.table(descriptor.name)
}

/// Loads all rows; `midway` happens when half of them were pushed.
async fn load(table: &Table, value: &str, midway: impl FnOnce()) {
    let mut writer = table.writer(WriterOptions { buffer_bytes: 200_000, lanes: 4 });
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

/// Reads all rows, which ascend; `midway` happens after the first of them.
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
    let table = table(&cluster).await;
    load(&table, "1", || cluster.region_server(0).kill().unwrap()).await;
    scan(&table, "1", || cluster.region_server(1).kill().unwrap()).await;
    cluster.region_server(0).start_again().unwrap();
    cluster.region_server(1).start_again().unwrap();

    // The working master goes, and the other takes over: rows don't need it, tables do.
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
    let table = table(&cluster).await;
    let regions = table.client().regions(table.name()).await?;
    let silent = cluster.region_server(2);
    let port = silent.address().rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(0_u16);
    let is_elsewhere = |server: &Option<keystride_hbase::ServerName>| {
        server.as_ref().is_some_and(|server| server.port != port)
    };
    let (region, _) = regions.iter().find(|(_, server)| is_elsewhere(server)).unwrap();
    let row = if region.start.is_empty() { b"0".to_vec() } else { region.start.to_vec() };
    table.mutate(Mutation::put(&row).value("f", "n", "v")).await?;
    silent.pause().unwrap();
    for _ in 0..100 {
        assert!(!table.get(&Get::new(&row)).await?.is_empty());
    }
    silent.resume().unwrap();
    Ok(())
}
