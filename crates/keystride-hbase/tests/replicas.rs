//! Reads from replicas.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::time::Duration;

use keystride_hbase::{
    Admin, Client, ClientOptions, Error, FamilyDescriptor, FamilyName, Get, Mutation, RegionStatus, Scan,
    Table, TableDescriptor, TableName, TimelineRow,
};
use keystride_hbase_harness::{ServerCluster, ServerOptions, Site, quick};
use scratch::{Scratch, keys, keys_of};

/// A table of two regions with two replicas each, and flushed rows. A replica knows the files from when it was opened.
async fn with_replicas(admin: &Admin, client: &Client, name: TableName) -> Result<Table, Error> {
    let mut descriptor = TableDescriptor::new(name.clone());
    descriptor.set_region_replication(2).set_family(FamilyDescriptor::new(FamilyName::new("f").unwrap()));
    admin.create_table(&descriptor, &["m"]).await?;
    let table = client.table(name);
    for row in ["a", "n", "x"] {
        table.mutate(Mutation::put(row).value("f", "q", row)).await?;
    }
    admin.flush_table(table.name()).await?;
    admin.disable_table(table.name()).await?;
    admin.enable_table(table.name()).await?;
    Ok(table)
}

/// Reads a row until a replica answers.
async fn stale(table: &Table, row: &str) -> TimelineRow {
    loop {
        let found = table.get_timeline(&Get::new(row)).await.unwrap();
        if found.is_stale {
            return found;
        }
    }
}

#[tokio::test]
async fn replicas_are_scanned_by_their_id() {
    let Some(scratch) = Scratch::new("replicas_are_scanned_by_their_id") else { return };
    scratch
        .run(async {
            let table = with_replicas(&scratch.admin, &scratch.client, scratch.name("t")).await.unwrap();
            assert_eq!(keys(&table).await, ["a", "n", "x"]);
            assert_eq!(keys_of(&table, Scan::all().from_replica(1)).await.unwrap(), ["a", "n", "x"]);
            assert_eq!(keys_of(&table, Scan::all().timeline()).await.unwrap(), ["a", "n", "x"]);
            let plain = scratch.table("plain", &[]).await;
            let none = keys_of(&plain, Scan::all().from_replica(1)).await;
            assert!(matches!(none, Err(Error::BadRequest { .. })), "{none:?}");
            plain.mutate(Mutation::put("r").value("f", "q", "v")).await.unwrap();
            assert_eq!(keys_of(&plain, Scan::all().timeline()).await.unwrap(), ["r"]);
        })
        .await;
}

#[tokio::test]
async fn a_timeline_get_of_a_table_without_replicas_is_a_get() {
    let Some(scratch) = Scratch::new("a_timeline_get_without_copies") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            table.mutate(Mutation::put("r").value("f", "q", "v")).await.unwrap();
            let found = table.get_timeline(&Get::new("r")).await.unwrap();
            assert_eq!((found.row.value(b"f", b"q"), found.is_stale), (Some(&b"v"[..]), false));
        })
        .await;
}

/// A table with a region that is not on the server of hbase:meta, but whose replica is. A master that assigns regions
/// one at a time may put a region and its replica on the same server.
async fn apart(client: &Client) -> Result<(Table, RegionStatus), Error> {
    let meta = client.regions(&TableName::new("hbase:meta").unwrap()).await?.swap_remove(0).1.unwrap();
    let mut number = 0;
    loop {
        let name = TableName::new(&format!("t{number}")).unwrap();
        let table = with_replicas(&client.admin(), client, name).await?;
        let mut regions = client.admin().region_states(table.name()).await?.into_iter();
        let is_apart = |region: &RegionStatus| {
            region.server.as_ref() != Some(&meta) && region.replicas.iter().any(|(_, server)| *server == meta)
        };
        if let Some(region) = regions.find(is_apart) {
            return Ok((table, region));
        }
        number += 1;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_answers_for_a_region_whose_server_is_silent() -> Result<(), Error> {
    if quick("a_replica_answers_for_a_region_whose_server_is_silent") {
        return Ok(());
    }
    // A silent server must not be declared dead, otherwise its region is opened on another one.
    let patient = Site::new()
        .with("hbase.zookeeper.property.maxSessionTimeout", 1_800_000)
        .with("zookeeper.session.timeout", 1_800_000);
    let options =
        ServerOptions { region_server_count: 2, heap_mib: 384, site: patient, ..ServerOptions::default() };
    let cluster = ServerCluster::start(&options).unwrap();
    let address = format!("hbase+rpc://{}", cluster.address().master());
    let millisecond = Duration::from_millis(1);
    let options = ClientOptions::default().with(|options| {
        options.primary_timeout = millisecond;
        options.primary_scan_timeout = millisecond;
        // How soon a replica that did not answer is asked again.
        options.rpc_timeout = Duration::from_secs(10);
    });
    let client = Client::with_options(&address.parse().unwrap(), options);
    let (table, region) = apart(&client).await?;
    // All regions and replicas have answered once, so their locations are cached.
    assert_eq!(keys_of(&table, Scan::all()).await?, ["a", "n", "x"]);
    assert_eq!(keys_of(&table, Scan::all().from_replica(1)).await?, ["a", "n", "x"]);

    let port = format!(":{}", region.server.unwrap().port);
    let silent = cluster.region_servers().find(|server| server.address().ends_with(&port)).unwrap();
    let (start, end) = (region.region.start, region.region.end);
    let keys = if start.is_empty() { &["a"][..] } else { &["n", "x"] };
    silent.pause().unwrap();
    let found = stale(&table, keys[0]).await;
    let mut scanner = table.scan(Scan::range(start, end).timeline());
    let rows = scanner.next_rows().await;
    silent.resume().unwrap();
    assert_eq!(found.row.value(b"f", b"q"), Some(keys[0].as_bytes()));
    let rows: Vec<_> = rows?.into_iter().flatten().map(|row| row.key().to_vec()).collect();
    assert_eq!(rows, keys.iter().map(|key| key.as_bytes()).collect::<Vec<_>>());
    assert!(scanner.is_stale());
    Ok(())
}
