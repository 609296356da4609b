//! Scans.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use keystride_hbase::{
    Client, ClientOptions, Comparator, Compare, FamilyDescriptor, FamilyName, Filter, Mutation, Operation,
    Order, ReadType, Regex, Row, Scan, Selection, Table, TableDescriptor, TimeRange,
};
use scratch::Scratch;

fn key(at: u32) -> String {
    format!("{at:05}")
}

/// Writes rows from `00000` on, each with a value of this many bytes.
async fn fill(table: &Table, count: u32, bytes: usize) {
    let puts = (0..count).map(|at| {
        let put = Mutation::put(key(at)).value_at("f", "a", 1, at.to_string());
        Operation::from(put.value_at("f", "b", 1, vec![b'x'; bytes]))
    });
    for outcome in table.batch(puts.collect()).await {
        outcome.unwrap();
    }
}

async fn rows(table: &Table, scan: Scan) -> Vec<Row> {
    table.scan(scan).try_collect().await.unwrap()
}

async fn keys(table: &Table, scan: Scan) -> Vec<String> {
    rows(table, scan).await.iter().map(|row| String::from_utf8_lossy(row.key()).into_owned()).collect()
}

fn range(from: u32, to: u32) -> Vec<String> {
    (from..to).map(key).collect()
}

#[tokio::test]
async fn servers_may_read_their_files_in_any_way() {
    let Some(scratch) = Scratch::new("servers_may_read_in_any_way") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"00100"]).await;
            fill(&table, 200, 20).await;
            scratch.admin.flush_table(table.name()).await.unwrap();
            for read_type in [ReadType::Default, ReadType::Stream, ReadType::Positional] {
                let scan = Scan::range(key(50), key(150)).read_type(read_type);
                assert_eq!(keys(&table, scan).await, range(50, 150), "{read_type:?}");
                let back =
                    keys(&table, Scan::range(key(50), key(150)).read_type(read_type).order(Order::Reverse));
                assert_eq!(back.await.len(), 100);
            }
        })
        .await;
}

#[tokio::test]
async fn rows_come_in_order_over_all_regions_both_ways() {
    let Some(scratch) = Scratch::new("rows_come_in_order_both_ways") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"00100", b"00101", b"00900"]).await;
            fill(&table, 1_000, 200).await;
            let forward = rows(&table, Scan::all()).await;
            assert_eq!(forward.len(), 1_000);
            for scan in [
                Scan::all().rows_per_call(7),
                Scan::all().bytes_per_call(3_000),
                Scan::all().first_rows(1),
                Scan::all().rows_per_call(1_000).bytes_per_call(1),
            ] {
                assert!(rows(&table, scan.clone()).await == forward, "{scan:?}");
                let mut backward = rows(&table, scan.clone().order(Order::Reverse)).await;
                backward.reverse();
                assert!(backward == forward, "{scan:?} backwards");
            }
        })
        .await;
}

#[tokio::test]
async fn ends_of_a_range_are_inclusive_or_exclusive_as_requested() {
    let Some(scratch) = Scratch::new("ends_of_a_range_are_inclusive_or_exclusive_as_requested") else {
        return;
    };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"00005", b"00010"]).await;
            fill(&table, 20, 1).await;
            let scan = Scan::range(key(5), key(10));
            assert_eq!(keys(&table, scan.clone()).await, range(5, 10));
            assert_eq!(keys(&table, scan.clone().include_stop(true)).await, range(5, 11));
            assert_eq!(keys(&table, scan.clone().include_start(false)).await, range(6, 10));
            let mut backward = keys(&table, scan.order(Order::Reverse)).await;
            backward.reverse();
            assert_eq!(backward, range(5, 10));
            assert_eq!(keys(&table, Scan::range(key(5), key(5))).await, range(0, 0));
            assert_eq!(keys(&table, Scan::range(key(5), key(5)).include_stop(true)).await, range(5, 6));
            for (stop_too, rows) in [(false, range(0, 0)), (true, range(5, 6))] {
                let one = Scan::range(key(5), key(5)).include_stop(stop_too).order(Order::Reverse);
                assert_eq!(keys(&table, one).await, rows);
            }
            assert_eq!(keys(&table, Scan::range(key(9), key(5))).await, range(0, 0));
            assert_eq!(keys(&table, Scan::prefix("0001")).await, range(10, 20));
            assert_eq!(keys(&table, Scan::range("", key(3))).await, range(0, 3));
            assert_eq!(keys(&table, Scan::range(key(18), "")).await, range(18, 20));
        })
        .await;
}

#[tokio::test]
async fn a_limit_cuts_over_regions_and_ends_at_the_server() {
    let Some(scratch) = Scratch::new("a_limit_cuts_over_regions") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"00003", b"00006"]).await;
            fill(&table, 10, 1).await;
            for limit in 0..12 {
                let count = u32::try_from(limit.min(10)).unwrap();
                assert_eq!(keys(&table, Scan::all().limit(limit)).await, range(0, count));
                let mut last = keys(&table, Scan::all().limit(limit).order(Order::Reverse)).await;
                last.reverse();
                assert_eq!(last, range(10 - count, 10));
            }
            let mut scanner = table.scan(Scan::all().limit(4).with_metrics());
            while scanner.next_rows().await.unwrap().is_some() {}
            // A scan that starts again within a region reads some rows twice.
            let looked_at = scanner.metrics().rows_scanned;
            assert!(looked_at == 4 || (looked_at > 4 && scratch.client.metrics().retries > 0), "{looked_at}");
        })
        .await;
}

#[tokio::test]
async fn rows_in_parts_are_whole_when_put_together() {
    let Some(scratch) = Scratch::new("rows_in_parts_are_whole") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"00001"]).await;
            for row in 0..3 {
                let put = (0..25)
                    .fold(Mutation::put(key(row)), |put, at| put.value_at("f", key(at), 1, vec![1; 500]));
                table.mutate(put).await.unwrap();
            }
            let whole = rows(&table, Scan::all().bytes_per_call(2_000)).await;
            assert_eq!(whole.iter().map(|row| row.cells().count()).collect::<Vec<_>>(), [25, 25, 25]);
            let parts = rows(&table, Scan::all().in_parts_of(10)).await;
            assert_eq!(
                parts.iter().map(|row| row.cells().count()).collect::<Vec<_>>(),
                [10, 10, 5, 10, 10, 5, 10, 10, 5]
            );
            let first: Vec<Row> = rows(&table, Scan::all().in_parts_of(10).limit(1)).await;
            assert_eq!(first.len(), 3);
        })
        .await;
}

#[tokio::test]
async fn a_row_larger_than_an_answer_is_whole_both_ways() {
    let Some(scratch) = Scratch::new("a_row_larger_than_an_answer") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"00002"]).await;
            for row in 0..4 {
                let put = (0..5)
                    .fold(Mutation::put(key(row)), |put, at| put.value_at("f", key(at), 1, vec![1; 1 << 20]));
                table.mutate(put).await.unwrap();
            }
            // By default an answer has 2 MiB.
            for (order, first) in [(Order::Forward, 0), (Order::Reverse, 3)] {
                let whole = rows(&table, Scan::all().order(order)).await;
                assert_eq!(whole.iter().map(|row| row.cells().count()).collect::<Vec<_>>(), [5; 4]);
                assert_eq!(whole[0].key(), key(first).as_bytes());
            }
        })
        .await;
}

#[tokio::test]
async fn a_scan_chooses_versions_times_and_columns_as_a_get_does() {
    let Some(scratch) = Scratch::new("a_scan_chooses_versions") else { return };
    scratch
        .run(async {
            let mut family = FamilyDescriptor::new(FamilyName::new("f").unwrap());
            family.set_versions(5);
            let mut descriptor = TableDescriptor::new(scratch.name("t"));
            descriptor.set_family(family);
            scratch.admin.create_table(&descriptor, &["00001"]).await.unwrap();
            let table = scratch.client.table(descriptor.name);
            for (row, ts) in (0..3).flat_map(|row| (1..=5).map(move |ts| (row, ts))) {
                let put = ["a", "b", "c"]
                    .iter()
                    .fold(Mutation::put(key(row)), |put, q| put.value_at("f", q, ts, "v"));
                table.mutate(put).await.unwrap();
            }
            let counts = async |selection: Selection| {
                let mut all = Vec::new();
                for order in [Order::Forward, Order::Reverse] {
                    let rows = rows(&table, Scan::all().select(selection.clone()).order(order)).await;
                    all.extend(rows.iter().map(|row| row.cells().count()));
                }
                all
            };
            assert_eq!(counts(Selection::all()).await, [3; 6]);
            assert_eq!(counts(Selection::all().versions(2)).await, [6; 6]);
            let times = TimeRange::new(2, 5).unwrap();
            assert_eq!(counts(Selection::all().versions(9).time_range(times)).await, [9; 6]);
            assert_eq!(counts(Selection::all().column("f", "b").versions(9)).await, [5; 6]);
            assert_eq!(counts(Selection::all().cells_per_family(2, 0)).await, [2; 6]);
        })
        .await;
}

#[tokio::test]
async fn many_scans_go_on_at_once_and_can_be_left() {
    let Some(scratch) = Scratch::new("many_scans_go_on_at_once") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"00500"]).await;
            fill(&table, 1_000, 100).await;
            let mut scans: Vec<_> =
                (0..50).map(|at| table.scan(Scan::range(key(at * 10), "").rows_per_call(20))).collect();
            for (at, scan) in scans.iter_mut().enumerate() {
                let first = scan.next().await.unwrap().unwrap();
                assert_eq!(first.key(), key(u32::try_from(at).unwrap() * 10).as_bytes());
            }
            drop(scans.split_off(10));
            for (at, scan) in scans.into_iter().enumerate() {
                let rest: Vec<Row> = scan.try_collect().await.unwrap();
                assert_eq!(rest.len(), 999 - at * 10);
            }
        })
        .await;
}

#[tokio::test]
async fn a_scan_of_a_missing_table_fails() {
    let Some(scratch) = Scratch::new("a_scan_of_a_missing_table_fails") else { return };
    let mut scanner = scratch.client.table(scratch.name("nowhere")).scan(Scan::all());
    assert!(matches!(scanner.next().await, Some(Err(keystride_hbase::Error::NoTable { .. }))));
    assert!(scanner.next().await.is_none());
}

#[tokio::test]
async fn a_scan_that_finds_nothing_for_long_reports_its_cursor() {
    let Some(scratch) = Scratch::new("a_scan_says_how_far_it_is") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            // Java tries all ways to split the letters, some millions for each row, before it finds no match.
            let keys: Vec<String> = (0..60).map(|at| format!("{}{at:03}", "a".repeat(20))).collect();
            let puts = keys.iter().map(|key| Mutation::put(key).value("f", "q", "").into()).collect();
            assert!(table.batch(puts).await.iter().all(Result::is_ok));
            let slow = Filter::row(Compare::Equal, Comparator::regex(Regex::new(r"^(a+)+\1!$")));

            // Servers answer within half of that time, with or without rows.
            let options =
                ClientOptions::default().with(|options| options.rpc_timeout = Duration::from_secs(1));
            let address = format!("hbase+rpc://{}", scratch.master());
            let impatient = Client::with_options(&address.parse().unwrap(), options).table(scratch.name("t"));
            let mut scanner = impatient.scan(Scan::all().filter(slow).with_cursor());
            assert!(scanner.next_rows().await.unwrap().is_none());
            let cursor = scanner.cursor().unwrap();
            assert!(keys.iter().any(|key| key.as_bytes() == cursor), "{cursor:?}");
        })
        .await;
}
