//! Regions split, merge, move and are balanced during writes and scans. No row is lost, duplicated or out of order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use keystride_hbase::{
    Admin, Error, Get, Mutation, Order, RegionInfo, Row, Scan, Switch, Table, WriterOptions,
};
use scratch::Scratch;
use tokio::sync::watch;
use tokio::time::timeout;

const ROWS: u32 = 30_000;

fn key(at: u32) -> String {
    format!("{:08x}", at.wrapping_mul(2_654_435_761))
}

/// How often regions were changed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Stirred {
    moved: u32,
    split: u32,
    merged: u32,
    balanced: u32,
}

impl Stirred {
    fn is_of_all_kinds(self) -> bool {
        [self.moved, self.split, self.merged, self.balanced].iter().all(|&count| count > 0)
    }
}

/// Moves, splits, merges and balances regions until it is told to stop, and reports what it did. Ignores what HBase
/// refuses, such as changes of regions in transition, and what takes too long.
async fn stir(admin: Admin, table: Table, told: watch::Sender<Stirred>, stop: Arc<AtomicBool>) {
    let servers = admin.cluster_status().await.unwrap().servers;
    for turn in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let regions: Vec<RegionInfo> = table
            .client()
            .regions(table.name())
            .await
            .unwrap()
            .into_iter()
            .map(|(region, _)| region)
            .collect();
        let at = some_of(turn, regions.len());
        match turn % 5 {
            0 | 1 => {
                let to = &servers[some_of(turn + 1, servers.len())].server;
                let moved = done(admin.move_region(&regions[at], Some(to))).await;
                told.send_modify(|done| done.moved += moved);
            }
            2 if regions.len() < 16 => {
                let row = format!("{:08x}", (turn + 1).wrapping_mul(2_246_822_519));
                let split = done(Box::pin(admin.split_table(table.name(), row.as_bytes()))).await;
                told.send_modify(|done| done.split += split);
            }
            3 if regions.len() > 4 => {
                let first = at.min(regions.len() - 2);
                let merged = done(Box::pin(admin.merge_regions(&regions[first..first + 2], false))).await;
                told.send_modify(|done| done.merged += merged);
            }
            4 => {
                let balanced = done(admin.balance()).await;
                told.send_modify(|done| done.balanced += balanced);
            }
            _ => {}
        }
    }
}

/// 1 for a change that succeeded in time.
async fn done<T>(change: impl Future<Output = Result<T, Error>>) -> u32 {
    timeout(Duration::from_secs(5), change).await.is_ok_and(|outcome| outcome.is_ok()).into()
}

fn some_of(seed: u32, below: usize) -> usize {
    (seed.wrapping_mul(2_654_435_761) >> 7) as usize % below
}

/// Writes all rows, and reads them in both orders.
async fn write_and_read(table: &Table, value: &str) {
    let mut writer = table.writer(WriterOptions::default().with(|options| {
        options.buffer_bytes = 100_000;
        options.lanes = 4;
    }));
    for at in 0..ROWS {
        writer.push(Mutation::put(key(at)).value_at("f", "n", 1, value)).await.unwrap();
    }
    writer.flush().await;
    let failures = writer.failures();
    assert!(failures.is_empty(), "{} failed: {}", failures.len(), failures[0].1);
    for order in [Order::Forward, Order::Reverse] {
        check(table, order, value).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_stay_whole_while_regions_move_split_merge_and_are_balanced() {
    let Some(scratch) = Scratch::new("rows_stay_whole") else { return };
    scratch
        .run(async {
            let splits: Vec<String> = (1..8).map(|at| format!("{:x}0000000", at * 2)).collect();
            let table = scratch.table("t", &splits.iter().map(String::as_bytes).collect::<Vec<_>>()).await;
            let was_on = scratch.admin.set_switch(Switch::Balancer, true).await.unwrap();
            let (told, stirred) = watch::channel(Stirred::default());
            let stop = Arc::new(AtomicBool::new(false));
            let stirring = tokio::spawn(stir(
                scratch.admin.clone(),
                scratch.client.table(table.name().clone()),
                told,
                Arc::clone(&stop),
            ));
            let begun = Instant::now();
            for round in 0.. {
                write_and_read(&table, &round.to_string()).await;
                let is_late = begun.elapsed() > Duration::from_mins(3);
                if is_late || stirring.is_finished() || (round > 0 && stirred.borrow().is_of_all_kinds()) {
                    break;
                }
            }
            stop.store(true, Ordering::Relaxed);
            let ended = stirring.await;
            scratch.admin.set_switch(Switch::Balancer, was_on).await.unwrap();
            ended.unwrap();
            assert!(stirred.borrow().is_of_all_kinds(), "{:?}", *stirred.borrow());
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

/// Creates a table, writes and scans it, with one scan only in part, and drops it.
async fn use_for_a_while(scratch: &Scratch, what: &str) {
    let table = scratch.table(what, &[b"m"]).await;
    let puts = ["a", "b", "x"].map(|row| Mutation::put(row).value("f", "n", "v").into());
    assert!(table.batch(puts.to_vec()).await.iter().all(Result::is_ok));
    let mut scanner = table.scan(Scan::all().rows_per_call(1));
    assert_eq!(scanner.next_rows().await.unwrap().unwrap().len(), 1);
    let rows: Vec<Row> = table.scan(Scan::all()).try_collect().await.unwrap();
    assert_eq!(rows.len(), 3);
    scratch.admin.disable_table(table.name()).await.unwrap();
    scratch.admin.delete_table(table.name()).await.unwrap();
    assert!(matches!(table.get(&Get::new("a")).await, Err(Error::NoTable { .. })));
}

#[tokio::test]
async fn tables_that_are_made_used_and_dropped_in_turn_leave_nothing_behind() {
    let Some(scratch) = Scratch::new("tables_made_used_and_dropped") else { return };
    scratch
        .run(async {
            let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
            use_for_a_while(&scratch, "again").await;
            let (first, tasks_first) = (scratch.client.metrics(), tasks());
            for round in 0..6 {
                for what in [format!("t{round}"), "again".into()] {
                    use_for_a_while(&scratch, &what).await;
                }
            }
            let last = scratch.client.metrics();
            // A table may be on servers without connections so far: up to three, with two services each, and tasks of
            // the dropped scan.
            assert!(last.cached_regions <= first.cached_regions + 2, "{first:?} {last:?}");
            assert!(last.connections <= first.connections + 6, "{first:?} {last:?}");
            assert!(tasks() <= tasks_first + 16, "{} tasks, {tasks_first} before", tasks());
        })
        .await;
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
