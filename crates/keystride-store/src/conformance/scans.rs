//! Scans: ranges, order, limits, and how much they read.

use futures_util::{StreamExt, TryStreamExt};
use keystride::KeyRange;

use super::Subject;
use super::trial::{Trial, lines_of, range, scan_of};
use crate::{MutationBatch, Order, RowStream, Scan, Selection, StoreError};

/// Rows are returned in key order over all regions, or in reverse order.
pub async fn rows_come_in_the_order_of_their_keys(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "order", &["0100", "0200", "0900"]).await;
    trial.write_rows(300).await;
    let mut expected: Vec<String> = (0..300).map(|row| format!("{row:04}")).collect();
    assert_eq!(trial.keys(scan_of(Selection::default())).await, expected);
    expected.reverse();
    let descending = Scan { order: Order::Descending, ..scan_of(Selection::default()) };
    assert_eq!(trial.keys(descending).await, expected);
}

/// A range includes its start but not its stop, in both orders.
pub async fn a_range_holds_its_start_but_not_its_stop(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "range", &["0003"]).await;
    trial.write_rows(6).await;
    let cases: [(KeyRange, &[&str]); 7] = [
        (range("0001", "0004"), &["0001", "0002", "0003"]),
        (range("", "0001"), &["0000"]),
        (range("00005", "00025"), &["0001", "0002"]),
        (KeyRange::new("0004", None), &["0004", "0005"]),
        (KeyRange::single(b"0003"), &["0003"]),
        (KeyRange::prefix(b"0002"), &["0002"]),
        (range("0002", "0002"), &[]),
    ];
    for (range, expected) in cases {
        assert_eq!(trial.keys(Scan::of(range.clone())).await, expected, "{range}");
        let mut descending = trial.keys(Scan { order: Order::Descending, ..Scan::of(range.clone()) }).await;
        descending.reverse();
        assert_eq!(descending, expected, "{range} descending");
    }
}

/// A scan can read several ranges, which may be adjacent, apart or empty.
pub async fn several_ranges_are_read_in_one_scan(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "ranges", &["0004"]).await;
    trial.write_rows(10).await;
    let ranges = vec![
        range("0001", "0003"),
        range("0003", "0005"),
        range("0005", "0005"),
        range("00061", "00062"),
        KeyRange::new("0008", None),
    ];
    let mut expected = vec!["0001", "0002", "0003", "0004", "0008", "0009"];
    let scan = Scan::of_ranges(ranges);
    assert_eq!(trial.keys(scan.clone()).await, expected);
    expected.reverse();
    assert_eq!(trial.keys(Scan { order: Order::Descending, ..scan }).await, expected);
}

/// Ranges that overlap or do not ascend are rejected.
pub async fn ranges_that_overlap_are_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "overlap").await;
    for ranges in [[range("a", "c"), range("b", "d")], [range("c", "d"), range("a", "b")]] {
        let refused = subject.store.scan(&trial.table, Scan::of_ranges(ranges.to_vec())).await;
        assert!(matches!(refused.map(drop), Err(StoreError::RangesOverlap { index: 1, .. })));
    }
}

/// A limit applies over several ranges and in both orders.
pub async fn a_limit_gives_that_many_rows(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "limit", &["0050"]).await;
    trial.write_rows(100).await;
    for limit in [0, 1, 5, 16, 17, 60, 100, 1_000] {
        let scan = Scan { limit: Some(limit), ..scan_of(Selection::default()) };
        let count = usize::try_from(limit.min(100)).unwrap();
        let first: Vec<String> = (0..count).map(|row| format!("{row:04}")).collect();
        assert_eq!(trial.keys(scan.clone()).await, first);
        let last: Vec<String> = (100 - count..100).rev().map(|row| format!("{row:04}")).collect();
        assert_eq!(trial.keys(Scan { order: Order::Descending, ..scan }).await, last);
    }
    let ranges = vec![range("0001", "0003"), range("0010", "0020")];
    let scan = Scan { limit: Some(3), ..Scan::of_ranges(ranges) };
    assert_eq!(trial.keys(scan).await, ["0001", "0002", "0010"]);
}

/// No more rows are read than the limit.
pub async fn no_more_rows_are_read_than_the_limit(subject: Subject<'_>) {
    let trial = Trial::new(subject, "frugal").await;
    trial.write_rows(1_000).await;
    for order in [Order::Ascending, Order::Descending] {
        let before = subject.store.rows_read();
        let scan = Scan { limit: Some(6), order, ..scan_of(Selection::default()) };
        assert_eq!(trial.keys(scan).await.len(), 6);
        assert_eq!(subject.store.rows_read() - before, 6, "{order:?}");
    }
}

/// A reader that stops after a few rows causes only a few to be read, and dropping the scan ends it.
pub async fn a_reader_who_stops_early_has_caused_little_reading(subject: Subject<'_>) {
    let trial = Trial::new(subject, "early").await;
    trial.write_rows(5_000).await;
    let before = subject.store.rows_read();
    let mut scan = subject.store.scan(&trial.table, scan_of(Selection::default())).await.unwrap();
    let first = scan.try_next().await.unwrap().unwrap();
    assert!(first.len() >= 3);
    drop(scan);
    let read = subject.store.rows_read() - before;
    assert!(read <= 64, "{read} rows were read for the first batch");
}

/// Many scans can be open at the same time, each with its own position.
pub async fn many_scans_are_open_at_once(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "many", &["0050"]).await;
    trial.write_rows(100).await;
    let mut scans: Vec<RowStream> = Vec::new();
    for start in 0..200 {
        let scan = Scan::of(KeyRange::new(format!("{:04}", start % 100), None));
        scans.push(subject.store.scan(&trial.table, scan).await.unwrap());
    }
    let mut rows = vec![0; scans.len()];
    let mut is_open = true;
    while is_open {
        is_open = false;
        for (scan, rows) in scans.iter_mut().zip(&mut rows) {
            if let Some(batch) = scan.next().await {
                *rows += batch.unwrap().len();
                is_open = true;
            }
        }
    }
    let expected: Vec<usize> = (0..200).map(|start| 100 - start % 100).collect();
    assert_eq!(rows, expected);
}

/// A scan over nothing ends immediately and stays at its end.
pub async fn a_scan_over_nothing_ends(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "void", &["m"]).await;
    for scan in [scan_of(Selection::default()), Scan::of_ranges(vec![]), Scan::of(range("x", "x"))] {
        let mut rows = subject.store.scan(&trial.table, scan).await.unwrap().fuse();
        assert!(rows.next().await.is_none());
        assert!(rows.next().await.is_none());
    }
}

/// A row with very many cells is returned whole, and so are its neighbours.
pub async fn a_large_row_comes_whole(subject: Subject<'_>) {
    let trial = Trial::new(subject, "large").await;
    let value = vec![b'v'; 1_000];
    let mut batch = MutationBatch::new();
    for column in 0..3_000 {
        batch.put(b"m", b"a", format!("{column:05}").as_bytes(), 1, &value).unwrap();
    }
    batch.put(b"a", b"a", b"q", 1, b"before").unwrap();
    batch.put(b"z", b"b", b"q", 1, b"after").unwrap();
    trial.try_write(batch).await.unwrap();
    let batches = subject.store.scan(&trial.table, scan_of(Selection::default())).await.unwrap();
    let batches: Vec<_> = batches.try_collect().await.unwrap();
    let cells: Vec<usize> =
        batches.iter().flat_map(|batch| batch.rows().map(|row| row.cell_count())).collect();
    assert_eq!(cells, [1, 3_000, 1]);
    assert_eq!(lines_of(batches.last().unwrap()).last().unwrap(), "z b:q@1=after");
}
