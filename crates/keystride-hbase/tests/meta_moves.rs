//! hbase:meta moves between servers while it is used.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use keystride_hbase::{Client, Get, Mutation, RegionInfo, ServerName, Table, TableName};
use scratch::{Scratch, demand_rows, fill, row};

const MOVES: usize = 3;

async fn meta(client: &Client) -> (RegionInfo, ServerName) {
    let meta = TableName::new("hbase:meta").unwrap();
    let (region, server) = client.regions(&meta).await.unwrap().swap_remove(0);
    (region, server.unwrap())
}

/// Writes and reads until it is told to stop. Looks up all regions each time.
async fn work(table: Table, stop: Arc<AtomicBool>, rounds: Arc<AtomicU32>) {
    while !stop.load(Ordering::Relaxed) {
        let round = rounds.load(Ordering::Relaxed);
        let key = row(round % 40);
        table.client().forget_regions(table.name());
        table.mutate(Mutation::put(&key).value("f", "round", round.to_be_bytes())).await.unwrap();
        let found = table.get(&Get::new(&key)).await.unwrap();
        assert_eq!(found.value(b"f", b"round"), Some(&round.to_be_bytes()[..]));
        rounds.fetch_add(1, Ordering::Relaxed);
    }
}

/// Moves hbase:meta to another server.
async fn move_meta(scratch: &Scratch) {
    let (region, from) = meta(&scratch.client).await;
    let servers = scratch.admin.cluster_status().await.unwrap().servers;
    let to = servers.iter().map(|status| &status.server).find(|&server| *server != from).unwrap();
    scratch.admin.move_region(&region, Some(to)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_and_writes_go_on_while_meta_moves() {
    let Some(scratch) = Scratch::new("reads_and_writes_go_on_while_meta_moves") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"010", b"020"]).await;
            fill(&table, 40).await;
            let (stop, rounds) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
            let working = tokio::spawn(work(table.clone(), Arc::clone(&stop), Arc::clone(&rounds)));
            for _ in 0..MOVES {
                let before = rounds.load(Ordering::Relaxed);
                move_meta(&scratch).await;
                while rounds.load(Ordering::Relaxed) < before + 5 && !working.is_finished() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
            stop.store(true, Ordering::Relaxed);
            working.await.unwrap();
            demand_rows(&table, 40).await;
            assert_eq!(scratch.starts("t").await, [&b""[..], b"010", b"020"]);
        })
        .await;
}
