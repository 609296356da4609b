//! Real rows go into HBase while its regions split and move, servers are killed, or the program is: then all of them
//! are there, each once, as a folder has them.

use keystride_hbase::{Admin, Client, TableName};
use keystride_hbase_harness::{ServerCluster, ServerOptions, quick, shared_or_skip};
use serde_json::Value;

use super::example;
use super::on_hbase::{Both, Loading, demand_same, flights};

const ROWS: usize = 12_000;

/// Pieces in which a load is fed.
const PIECES: usize = 12;

/// Rows are some 700 bytes: so each piece is many batches.
const SMALL: [&str; 2] = ["--batch", "64KiB"];

/// The design of the flights, by which no version of a cell is lost that was written twice.
fn design() -> String {
    let text = std::fs::read_to_string(example("flights/design.toml")).unwrap();
    let families = "families.f = { compression = \"gz\", encoding = \"fast-diff\" }";
    assert!(text.contains(families));
    text.replace(families, "families.f = { versions = 3 }")
}

/// The head of the flights, in pieces.
fn pieces() -> Vec<String> {
    let text = flights(ROWS);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.chunks(lines.len().div_ceil(PIECES)).map(<[_]>::concat).collect()
}

/// Demands that the cluster's table is what a folder's is after the same rows.
async fn demand_whole(both: &Both, report: &Value) {
    let beside = both.load(&both.beside(), &pieces().concat(), &["--way", "batches"]);
    for figure in ["records", "rows", "cells", "bytes", "repeats", "replaced", "rejected"] {
        assert_eq!(report[figure], beside[figure], "{figure}");
    }
    assert_eq!(report["records"], ROWS);
    assert_eq!(both.count(&both.cluster()), both.count(&both.beside()));
    let found = both.cells(&both.cluster(), report);
    demand_same(&found, &both.cells(&both.beside(), &beside));
    assert_eq!(both.version_count().await, found.lines().count() - 1, "a cell was written twice");
}

/// Moves a region, or splits one; whether the cluster did it. It refuses to touch one that is on its way.
async fn change(client: &Client, admin: &Admin, table: &TableName, at: usize) -> Option<&'static str> {
    if at % 3 == 2 {
        let row = format!("{}N{}", at % 8, at % 7);
        return admin.split_table(table, row.as_bytes()).await.is_ok().then_some("split");
    }
    let servers = admin.cluster_status().await.unwrap().servers;
    let regions = client.regions(table).await.unwrap();
    let (region, here) = &regions[at * 5 % regions.len()];
    let mut others = servers.iter().map(|load| &load.server).filter(|server| Some(*server) != here.as_ref());
    let to = others.nth(at % 2).unwrap();
    admin.move_region(region, Some(to)).await.is_ok().then_some("moved")
}

/// Feeds a piece from a thread that may wait for the load.
async fn feed(mut load: Loading, piece: String) -> Loading {
    let fed = tokio::task::spawn_blocking(move || {
        load.feed(&piece);
        load
    });
    fed.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_load_is_whole_while_regions_split_and_move() {
    let Some(hbase) = shared_or_skip("a_load_is_whole_while_regions_split_and_move") else { return };
    let both = Both::new(hbase.address(), "stirred", &design());
    let (client, admin, table) = (both.client(), both.client().admin(), both.table());
    let mut load = both.start_load(&both.cluster(), &SMALL);
    let mut done = Vec::new();
    for (at, piece) in pieces().into_iter().enumerate() {
        let (fed, changed) = tokio::join!(feed(load, piece), change(&client, &admin, &table, at));
        load = fed;
        done.extend(changed);
    }
    let report = load.report();
    assert!(done.contains(&"moved") && done.contains(&"split"), "{done:?}");
    demand_whole(&both, &report).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_load_is_whole_when_a_region_server_is_killed_in_its_middle() {
    if quick("a_load_is_whole_when_a_region_server_is_killed_in_its_middle") {
        return;
    }
    let options = ServerOptions { region_server_count: 2, heap_mib: 384, ..ServerOptions::default() };
    let cluster = ServerCluster::start(&options).unwrap();
    let both = Both::new(cluster.address(), "killed", &design());
    let mut load = both.start_load(&both.cluster(), &SMALL);
    let pieces = pieces();
    let (first, rest) = pieces.split_at(PIECES / 2);
    load = feed(load, first.concat()).await;
    both.stored_records(1).await;
    cluster.region_server(0).kill().unwrap();
    load = feed(load, rest.concat()).await;
    demand_whole(&both, &load.report()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_load_that_was_killed_goes_on_and_is_whole() {
    let Some(hbase) = shared_or_skip("a_load_that_was_killed_goes_on_and_is_whole") else { return };
    let both = Both::new(hbase.address(), "resumed", &design());
    let pieces = pieces();
    let mut stored = 0;
    for kill_at in [PIECES / 4, PIECES / 2] {
        let args = if stored == 0 { &SMALL[..] } else { &[SMALL[0], SMALL[1], "--resume"] };
        let mut load = both.start_load(&both.cluster(), args);
        load = feed(load, pieces[..kill_at].concat()).await;
        stored = both.stored_records(stored + 1).await;
        load.kill();
    }
    let report = both.load(&both.cluster(), &pieces.concat(), &[&SMALL[..], &["--resume"]].concat());
    let resumed_from = report["resumed_from"].as_u64().unwrap();
    assert!(resumed_from >= stored && resumed_from < ROWS as u64, "{resumed_from} after {stored}");
    demand_whole(&both, &report).await;
}
