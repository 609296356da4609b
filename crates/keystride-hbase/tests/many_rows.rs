//! A table of many small rows is read to its end in both orders.
//!
//! `KEYSTRIDE_MANY_ROWS` sets another number of rows.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use futures_util::{StreamExt, TryStreamExt, stream};
use keystride_hbase::{Mutation, Operation, Order, Scan, Table};
use scratch::Scratch;

const USUAL_ROWS: u32 = 1_000_000;
const BATCH: u32 = 5_000;
/// Odd, so that no two rows have the same key.
const SPREAD: u32 = 2_654_435_761;

/// A key of four bytes, spread over the table.
fn key(row: u32) -> [u8; 4] {
    row.wrapping_mul(SPREAD).to_be_bytes()
}

fn row_count() -> u32 {
    std::env::var("KEYSTRIDE_MANY_ROWS").map_or(USUAL_ROWS, |count| count.parse().unwrap())
}

async fn load(table: &Table, count: u32) {
    let put = |row: u32| Operation::from(Mutation::put(key(row)).value_at("f", "", 1, row.to_be_bytes()));
    let batches = (0..count).step_by(BATCH as usize).map(|first| async move {
        let puts = (first..count.min(first + BATCH)).map(put).collect();
        table.batch(puts).await.into_iter().collect::<Result<Vec<_>, _>>().map(drop)
    });
    stream::iter(batches).buffer_unordered(4).try_collect::<()>().await.unwrap();
}

/// The numbers of all rows, in the order of the scan.
async fn read(table: &Table, order: Order) -> Vec<u32> {
    let mut scanner = table.scan(Scan::all().order(order).rows_per_call(10_000));
    let mut rows = Vec::new();
    while let Some(some) = scanner.next_rows().await.unwrap() {
        for row in some {
            let number = u32::from_be_bytes(row.value(b"f", b"").unwrap().try_into().unwrap());
            assert_eq!(row.key(), key(number));
            rows.push(number);
        }
    }
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn many_rows_are_the_same_from_both_ends() {
    let Some(scratch) = Scratch::new("many_rows_are_the_same") else { return };
    scratch
        .run(async {
            let count = row_count();
            let splits: Vec<[u8; 1]> = (1..8).map(|at| [at * 32]).collect();
            let table = scratch.table("t", &splits.iter().map(<[u8; 1]>::as_slice).collect::<Vec<_>>()).await;
            load(&table, count).await;
            let forward = read(&table, Order::Forward).await;
            assert_eq!(forward.len(), count as usize);
            assert!(forward.is_sorted_by_key(|&row| key(row)) && forward.iter().all(|&row| row < count));
            let mut backward = read(&table, Order::Reverse).await;
            backward.reverse();
            // Not printed on failure: there are too many.
            assert!(backward == forward, "{} rows backwards", backward.len());
        })
        .await;
}
