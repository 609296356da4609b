//! Regions split, merge and move under writers and scans, and no row is lost, doubled or out of order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keystride_hbase::{Admin, Mutation, Order, Scan, Table, WriterOptions};
use scratch::Scratch;

const ROWS: u32 = 30_000;

fn key(at: u32) -> String {
    format!("{:08x}", at.wrapping_mul(2_654_435_761))
}

/// Moves, splits and merges regions until it is told to stop. What HBase refuses, as it does with regions that are on
/// their way, is left.
async fn stir(admin: Admin, table: Table, stop: Arc<AtomicBool>) -> u32 {
    let mut changes = 0;
    let servers = admin.cluster_status().await.unwrap().servers;
    while !stop.load(Ordering::Relaxed) {
        let regions = table.client().regions(table.name()).await.unwrap();
        let at = some_of(changes, regions.len());
        let (region, _) = &regions[at];
        let to = &servers[some_of(changes + 1, servers.len())].server;
        let _refused = match changes % 3 {
            0 | 1 => admin.move_region(region, Some(to)).await.is_ok(),
            _ if regions.len() < 12 => {
                let row = format!("{:08x}", (changes + 1).wrapping_mul(2_246_822_519));
                tokio::time::timeout(
                    std::time::Duration::from_secs(5),
                    admin.split_table(table.name(), row.as_bytes()),
                )
                .await
                .is_ok_and(|split| split.is_ok())
            }
            _ => false,
        };
        changes += 1;
    }
    changes
}

fn some_of(seed: u32, below: usize) -> usize {
    (seed.wrapping_mul(2_654_435_761) >> 7) as usize % below
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_stay_whole_while_regions_move_and_split() {
    let Some(scratch) = Scratch::new("rows_stay_whole") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"40000000", b"80000000", b"c0000000"]).await;
            let stop = Arc::new(AtomicBool::new(false));
            let stirring = tokio::spawn(stir(
                scratch.admin.clone(),
                scratch.client.table(table.name().clone()),
                Arc::clone(&stop),
            ));
            for value in ["1", "2"] {
                let mut writer = table.writer(WriterOptions { buffer_bytes: 100_000, lanes: 4 });
                for at in 0..ROWS {
                    writer.push(Mutation::put(key(at)).value_at("f", "n", 1, value)).await.unwrap();
                }
                writer.flush().await;
                let failures = writer.failures();
                assert!(failures.is_empty(), "{} failed: {}", failures.len(), failures[0].1);
                for order in [Order::Forward, Order::Reverse] {
                    check(&table, order, value).await;
                }
            }
            stop.store(true, Ordering::Relaxed);
            assert!(stirring.await.unwrap() > 0);
        })
        .await;
}

async fn check(table: &Table, order: Order, value: &str) {
    let mut scanner = table.scan(Scan::all().order(order).rows_per_call(300));
    let mut keys: Vec<Vec<u8>> = Vec::new();
    while let Some(rows) = scanner.next_rows().await.unwrap() {
        for row in rows {
            assert_eq!(row.value(b"f", b"n"), Some(value.as_bytes()));
            keys.push(row.key().to_vec());
        }
    }
    if order == Order::Reverse {
        keys.reverse();
    }
    assert_eq!(keys.len(), ROWS as usize);
    assert!(keys.is_sorted_by(|a, b| a < b));
}

#[tokio::test]
async fn a_table_that_is_dropped_and_made_again_is_used_as_the_new_one() {
    let Some(scratch) = Scratch::new("a_table_dropped_and_made_again") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"m"]).await;
            let connections = async {
                table.mutate(Mutation::put("a").value("f", "n", "v")).await.unwrap();
                scratch.client.metrics()
            };
            let first = connections.await;
            for _ in 0..3 {
                scratch.admin.disable_table(table.name()).await.unwrap();
                scratch.admin.delete_table(table.name()).await.unwrap();
                scratch.table("t", &[b"g"]).await;
                table.mutate(Mutation::put("a").value("f", "n", "v")).await.unwrap();
            }
            let last = scratch.client.metrics();
            assert!(last.cached_regions <= first.cached_regions + 1);
            assert!(last.connections <= first.connections + 3);
        })
        .await;
}
