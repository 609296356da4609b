//! Scans over many files, in place, and with limits.

use std::num::NonZeroU32;

use futures_util::{FutureExt, StreamExt, TryStreamExt};
use keystride::{KeyRange, SplitPoints};
use keystride_store::{
    AfterTruncate, Compare, EmbeddedStore, FamilyName, Filter, Missing, MutationBatch, Order, Pace, Reading,
    RowBatch, Scan, Selection, Store, StoreError, TableReader, Write,
};

use crate::home::{batch, open, open_to_read, open_with_log, table, with_log};

#[tokio::test]
async fn what_lies_in_many_files_reads_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = table("log", &["a"]);
    log.families[0].versions = 3;
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::default()).await.unwrap();
    for round in 0..12_i64 {
        let start = usize::try_from(round).unwrap() * 10;
        store.write(&log.name, batch(start..start + 100, round)).await.unwrap();
        store.flush(&log.name).await.unwrap();
    }
    let selection = Selection { versions: 9.try_into().unwrap(), ..Selection::default() };
    let scan = Scan { selection, ..Scan::of(KeyRange::all()) };
    let batches: Vec<RowBatch> = store.scan(&log.name, scan).await.unwrap().try_collect().await.unwrap();
    let times: Vec<Vec<i64>> = batches
        .iter()
        .flat_map(RowBatch::rows)
        .map(|row| row.cells().map(|cell| cell.ts).collect())
        .collect();
    assert_eq!(times.len(), 210);
    assert_eq!(times[0], [0]);
    assert_eq!(times[15], [1, 0]);
    assert_eq!(times[105], [10, 9, 8]);
    assert_eq!(times[209], [11]);
}

#[tokio::test]
async fn what_is_read_in_place_is_there_at_once_and_nothing_ahead_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open_to_read(folder.path(), Reading::InPlace).await;
    let (store, log) = with_log(store, &SplitPoints::default()).await;
    let mut rows = MutationBatch::new();
    for row in 0..1_000 {
        rows.put(format!("{row:05}").as_bytes(), b"a", b"q", 1, &[b'v'; 1_000]).unwrap();
    }
    store.write(&log.name, Write::of(rows)).await.unwrap();
    let mut scan = store.scan(&log.name, Scan::of(KeyRange::all())).await.unwrap();
    let mut given = 0;
    for _ in 0..8 {
        let batch = scan.next().now_or_never().expect("it is read by whoever asks").unwrap().unwrap();
        assert!(batch.byte_count() < 70_000, "{} bytes", batch.byte_count());
        given += batch.len() as u64;
        assert_eq!(store.rows_read(), given);
    }
    assert!(given > 250, "{given} rows");
    let mut scan = store.scan(&log.name, Scan::of(KeyRange::prefix(b"x"))).await.unwrap();
    assert!(scan.next().now_or_never().expect("its end is known at once").is_none());
}

#[tokio::test]
async fn rows_read_in_place_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["02000"]).unwrap()).await;
    store.write(&log.name, batch(0..5_000, 1)).await.unwrap();
    let range = |start: &str, stop: &str| KeyRange::new(start, Some(stop.into()));
    let ranges = vec![range("00010", "01500"), range("01990", "02010"), range("03000", "9")];
    let scans = [Order::Ascending, Order::Descending].into_iter().flat_map(|order| {
        let limits = [None, Some(0), Some(1), Some(2_000)].into_iter();
        let ranges = ranges.clone();
        limits.map(move |limit| Scan { order, limit, ..Scan::of_ranges(ranges.clone()) })
    });
    let read = async |store: EmbeddedStore| {
        let mut keys = Vec::new();
        for scan in scans.clone() {
            let batches = store.scan(&log.name, scan).await.unwrap();
            keys.push(keys_of(&batches.try_collect::<Vec<_>>().await.unwrap()));
        }
        keys
    };
    let ahead = read(store).await;
    assert_eq!(ahead.iter().map(Vec::len).collect::<Vec<_>>(), [3_510, 0, 1, 2_000, 3_510, 0, 1, 2_000]);
    assert_eq!(read(open_to_read(folder.path(), Reading::InPlace).await).await, ahead);
}

fn keys_of(batches: &[RowBatch]) -> Vec<Vec<u8>> {
    batches.iter().flat_map(RowBatch::rows).map(|row| row.key().to_vec()).collect()
}

#[tokio::test]
async fn a_scan_in_place_that_finds_nothing_takes_breaks() {
    let folder = tempfile::tempdir().unwrap();
    let store = open_to_read(folder.path(), Reading::InPlace).await;
    let (store, log) = with_log(store, &SplitPoints::default()).await;
    store.write(&log.name, batch(0..40_000, 1)).await.unwrap();
    let filter = Some(Filter::Any(Vec::new()));
    let selection = Selection { filter, ..Selection::default() };
    let scan = Scan { selection, ..Scan::of(KeyRange::all()) };
    let mut scan = store.scan(&log.name, scan).await.unwrap();
    assert!(scan.next().now_or_never().is_none(), "who asks may do something else");
    assert!(store.rows_read() < 40_000);
    assert!(scan.next().await.is_none());
    assert_eq!(store.rows_read(), 40_000);
}

#[tokio::test]
async fn the_only_row_asked_for_is_found_far_behind_others() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..20_000, 1)).await.unwrap();
    let mut last = MutationBatch::new();
    last.put(b"z", b"a", b"q", 1, b"another").unwrap();
    store.write(&log.name, Write::of(last)).await.unwrap();
    let filter = Filter::Column {
        family: FamilyName::new("a").unwrap(),
        qualifier: b"q".to_vec(),
        comparison: Compare::Equal,
        value: b"another".to_vec(),
        missing: Missing::Fails,
    };
    drop(store);
    for reading in [Reading::Ahead, Reading::InPlace] {
        let store = open_to_read(folder.path(), reading).await;
        let selection = Selection { filter: Some(filter.clone()), ..Selection::default() };
        let scan = Scan { selection, limit: Some(1), ..Scan::of(KeyRange::all()) };
        let batches: Vec<RowBatch> = store.scan(&log.name, scan).await.unwrap().try_collect().await.unwrap();
        assert_eq!(batches.iter().map(RowBatch::len).collect::<Vec<_>>(), [1]);
    }
}

#[tokio::test]
async fn a_merge_of_sixteen_scans_with_a_limit_reads_little() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    let mut rows = MutationBatch::new();
    for bucket in 0..16 {
        for row in 0..200 {
            rows.put(format!("{bucket:02}|{row:05}").as_bytes(), b"a", b"q", 1, b"").unwrap();
        }
    }
    store.write(&log.name, Write::of(rows)).await.unwrap();
    for bucket in 0..16 {
        let prefix = KeyRange::prefix(format!("{bucket:02}|").as_bytes());
        let scan = Scan { limit: Some(6), ..Scan::of(prefix) };
        let mut rows = store.scan(&log.name, scan).await.unwrap();
        assert_eq!(rows.next().await.unwrap().unwrap().len(), 6);
    }
    assert_eq!(store.rows_read(), 96);
}

#[tokio::test]
async fn a_scan_left_alone_goes_on_after_its_last_row() {
    for reading in [Reading::Ahead, Reading::InPlace] {
        let folder = tempfile::tempdir().unwrap();
        let store = open_to_read(folder.path(), reading).await;
        let (store, log) = with_log(store, &SplitPoints::new(["00100"]).unwrap()).await;
        let ranges = [("00010", "00050"), ("00090", "00110"), ("00120", "00121"), ("00200", "00300")];
        let ranges = ranges.map(|(start, stop)| KeyRange::new(start, Some(stop.into())));
        let mut expected: Vec<_> = (0..400)
            .map(|row| format!("{row:05}").into_bytes())
            .filter(|key| ranges.iter().any(|range| range.contains(key)))
            .collect();
        for order in [Order::Ascending, Order::Descending] {
            for limit in [None, Some(70)] {
                store.write(&log.name, batch(0..400, 1)).await.unwrap();
                let eleven = NonZeroU32::new(11).unwrap();
                let pace = Pace { first_rows: eleven, max_rows: eleven, ..Pace::default() };
                let scan = Scan { order, limit, pace, ..Scan::of_ranges(ranges.to_vec()) };
                let mut scan = store.scan(&log.name, scan).await.unwrap();
                let (mut given, mut ts) = (Vec::new(), 1);
                while let Some(rows) = scan.try_next().await.unwrap() {
                    given.extend(keys_of(std::slice::from_ref(&rows)));
                    // Everything is replaced, and moved to files twice.
                    ts += 1;
                    store.write(&log.name, batch(0..400, ts)).await.unwrap();
                    store.flush(&log.name).await.unwrap();
                    store.flush(&log.name).await.unwrap();
                }
                let count = limit.map_or(expected.len(), |_| 70);
                assert_eq!(given, expected[..count], "{reading:?}, {order:?}, {limit:?}");
            }
            expected.reverse();
        }
    }
}

#[tokio::test]
async fn a_scan_left_alone_goes_on_in_the_table_as_it_is_then() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00100"]).unwrap()).await;
    store.write(&log.name, batch(0..400, 1)).await.unwrap();
    let mut scans = Vec::new();
    for _ in 0..2 {
        let mut scan = store.scan(&log.name, Scan::of(KeyRange::all())).await.unwrap();
        assert_eq!(scan.try_next().await.unwrap().unwrap().len(), 16);
        scans.push(scan);
    }
    let [mut truncated, mut dropped] = scans.try_into().ok().unwrap();
    store.truncate(&log.name, AfterTruncate::OneRegion).await.unwrap();
    store.write(&log.name, batch(10..20, 1)).await.unwrap();
    for _ in 0..2 {
        store.flush(&log.name).await.unwrap();
    }
    let rest = truncated.try_next().await.unwrap().unwrap();
    assert_eq!(keys_of(&[rest]), [b"00016", b"00017", b"00018", b"00019"]);
    assert!(truncated.try_next().await.unwrap().is_none());
    store.drop_table(&log.name).await.unwrap();
    assert!(matches!(dropped.try_next().await, Err(StoreError::UnknownTable { .. })));
}
