//! What an embedded store does beyond what every store must do: it lasts, it is locked, it lets go of old cells.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use keystride::{Key, KeyRange, SplitPoints};
use keystride_store::{
    AfterTruncate, Durability, EmbeddedOptions, EmbeddedStore, Family, FamilyName, ManualClock,
    MutationBatch, RowBatch, Scan, Selection, Store, StoreError, TableDescription, TableName, Write,
};

fn table(name: &str, families: &[&str]) -> TableDescription {
    let families = families.iter().map(|name| Family::new(FamilyName::new(name).unwrap()));
    TableDescription::new(TableName::new(name).unwrap(), families)
}

fn batch(rows: std::ops::Range<usize>, ts: i64) -> Write {
    let mut batch = MutationBatch::new();
    for row in rows {
        batch.put(format!("{row:05}").as_bytes(), b"a", b"q", ts, b"value").unwrap();
    }
    Write::of(batch)
}

async fn open(folder: &Path) -> EmbeddedStore {
    EmbeddedStore::open(folder, EmbeddedOptions::default()).await.unwrap()
}

async fn row_count(store: &dyn Store, table: &TableName) -> usize {
    let rows = store.scan(table, Scan::of(KeyRange::all())).await.unwrap();
    let batches: Vec<RowBatch> = rows.try_collect().await.unwrap();
    batches.iter().map(RowBatch::len).sum()
}

#[tokio::test]
async fn all_is_there_again_after_a_close() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("ns:log", &["a", "b"]).with_attribute("keystride.design", "[table]");
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::new(["00100"]).unwrap()).await.unwrap();
    store.split(&log.name, &Key::new(*b"00200").unwrap()).await.unwrap();
    store.write(&log.name, batch(0..300, 1).with_note("n", *b"7")).await.unwrap();
    let before = store.regions(&log.name).await.unwrap();
    store.close().await.unwrap();

    let store = open(folder.path()).await;
    assert_eq!(store.describe(&log.name).await.unwrap(), log);
    assert_eq!(row_count(&store, &log.name).await, 300);
    assert_eq!(store.note(&log.name, "n").await.unwrap().unwrap(), b"7");
    let after = store.regions(&log.name).await.unwrap();
    let places = |regions: &[keystride_store::Region]| {
        regions.iter().map(|region| (region.id.clone(), region.range.clone())).collect::<Vec<_>>()
    };
    assert_eq!(places(&after), places(&before));
    assert_eq!(after[0].counts.rows_written, 0, "counts begin anew");
}

#[tokio::test]
async fn all_is_there_again_without_a_close() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::default()).await.unwrap();
    store.write(&log.name, batch(0..50, 1)).await.unwrap();
    drop(store);
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 50);
}

#[tokio::test]
async fn what_was_removed_stays_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (dropped, emptied) = (table("dropped", &["a"]), table("emptied", &["a"]));
    let store = open(folder.path()).await;
    for table in [&dropped, &emptied] {
        store.create(table, &SplitPoints::new(["m"]).unwrap()).await.unwrap();
        store.write(&table.name, batch(0..10, 1).with_note("n", *b"x")).await.unwrap();
    }
    store.drop_table(&dropped.name).await.unwrap();
    store.truncate(&emptied.name, AfterTruncate::OneRegion).await.unwrap();
    drop(store);
    let store = open(folder.path()).await;
    assert_eq!(store.list().await.unwrap(), std::slice::from_ref(&emptied.name));
    assert_eq!(row_count(&store, &emptied.name).await, 0);
    assert_eq!(store.regions(&emptied.name).await.unwrap().len(), 1);
    assert_eq!(store.note(&emptied.name, "n").await.unwrap(), None);
    store.create(&dropped, &SplitPoints::default()).await.unwrap();
    assert_eq!(row_count(&store, &dropped.name).await, 0);
    assert_eq!(store.note(&dropped.name, "n").await.unwrap(), None);
}

#[tokio::test]
async fn a_later_write_wins_over_one_from_before_the_store_was_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    for (round, value) in [b"first".as_slice(), b"second", b"third"].into_iter().enumerate() {
        let store = open(folder.path()).await;
        if round == 0 {
            store.create(&log, &SplitPoints::default()).await.unwrap();
        }
        let mut batch = MutationBatch::new();
        batch.put(b"r", b"a", b"q", 5, value).unwrap();
        store.write(&log.name, Write::of(batch)).await.unwrap();
        store.flush(&log.name).await.unwrap();
        let row = store.get(&log.name, &[b"r"], &Selection::default()).await.unwrap();
        assert_eq!(row.row(0).cell(b"a", b"q").unwrap().value, value);
    }
}

#[tokio::test]
async fn a_bulk_load_that_was_finished_lasts_and_one_that_was_not_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let [finished, begun] = ["finished", "begun"].map(|name| table(name, &["a", "b"]));
    let store = open(folder.path()).await;
    for table in [&finished, &begun] {
        store.create(table, &SplitPoints::default()).await.unwrap();
    }
    let mut bulk = store.bulk(&finished.name).await.unwrap().unwrap();
    bulk.write(batch(0..100, 1).batch).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    let mut bulk = store.bulk(&begun.name).await.unwrap().unwrap();
    bulk.write(batch(0..100, 1).batch).await.unwrap();
    // Neither is the load finished nor its work undone, as if the program had been killed.
    std::mem::forget(bulk);
    store.sync().await.unwrap();
    let copy = tempfile::tempdir().unwrap();
    copy_folder(folder.path(), copy.path());

    let store = open(copy.path()).await;
    assert_eq!(row_count(&store, &finished.name).await, 100);
    assert_eq!(row_count(&store, &begun.name).await, 0);
    let mut bulk = store.bulk(&begun.name).await.unwrap().unwrap();
    bulk.write(batch(0..30, 1).batch).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    assert_eq!(row_count(&store, &begun.name).await, 30);
}

/// fjall gives a new keyspace the number of a deleted one, and what it writes about the new one may then count as
/// older than the deletion: opened again, it knows nothing of the new one, or does not open at all.
#[tokio::test]
async fn a_table_made_after_another_was_dropped_is_there_when_the_store_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let families = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let (old, new) = (table("old", &families), table("new", &families));
    open(folder.path()).await.create(&old, &SplitPoints::default()).await.unwrap();
    open(folder.path()).await.drop_table(&old.name).await.unwrap();
    let store = open(folder.path()).await;
    store.create(&new, &SplitPoints::default()).await.unwrap();
    let mut rows = MutationBatch::new();
    for family in families {
        rows.put(b"r", family.as_bytes(), b"q", 1, b"v").unwrap();
    }
    store.write(&new.name, Write::of(rows)).await.unwrap();
    drop(store);
    let store = open(folder.path()).await;
    let rows = store.get(&new.name, &[b"r"], &Selection::default()).await.unwrap();
    assert_eq!(rows.cell_count(), families.len());
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), &to).unwrap();
        }
    }
}

#[tokio::test]
async fn a_store_is_opened_once_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path()).await;
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    assert!(matches!(&refused, StoreError::Locked { folder: named } if named == folder.path()), "{refused}");
    first.close().await.unwrap();
    open(folder.path()).await;
}

#[tokio::test]
async fn a_closed_store_refuses_everything_but_another_close() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::default()).await.unwrap();
    store.write(&log.name, batch(0..500, 1)).await.unwrap();
    let mut under_way = store.scan(&log.name, Scan::of(KeyRange::all())).await.unwrap();
    let mut rows = under_way.next().await.unwrap().unwrap().len();
    store.close().await.unwrap();
    store.close().await.unwrap();
    assert!(matches!(store.list().await, Err(StoreError::Closed)));
    assert!(matches!(store.write(&log.name, batch(0..1, 1)).await, Err(StoreError::Closed)));
    assert!(matches!(store.sync().await, Err(StoreError::Closed)));
    while let Some(batch) = under_way.next().await {
        rows += batch.unwrap().len();
    }
    assert_eq!(rows, 500, "a scan under way goes on");
}

#[tokio::test]
async fn a_store_of_a_newer_format_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).await.close().await.unwrap();
    let marker = folder.path().join("keystride-store");
    std::fs::write(&marker, "keystride store format 2\n").unwrap();
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    assert!(matches!(refused, StoreError::NewerFormat { found: 2, newest: 1, .. }));
    std::fs::write(&marker, "keystride store format 1\n").unwrap();
    open(folder.path()).await;
}

#[tokio::test]
async fn a_table_may_have_65_536_regions() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let points: Vec<[u8; 2]> = (1..=u16::MAX).map(u16::to_be_bytes).collect();
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::new(&points).unwrap()).await.unwrap();
    let mut batch = MutationBatch::new();
    for point in points.iter().step_by(7) {
        batch.put(point, b"a", b"q", 1, b"").unwrap();
    }
    let written = store.write(&log.name, Write::of(batch)).await.unwrap();
    assert_eq!(written.regions.len(), points.len().div_ceil(7));
    assert_eq!(row_count(&store, &log.name).await, points.len().div_ceil(7));
    drop(store);
    let regions = open(folder.path()).await.regions(&log.name).await.unwrap();
    assert_eq!(regions.len(), 65_536);
}

#[tokio::test]
async fn writes_acknowledged_at_intervals_are_brought_to_disk_on_request_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let durability = Durability::Interval(Duration::from_millis(5));
    let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    store.create(&log, &SplitPoints::default()).await.unwrap();
    store.write(&log.name, batch(0..100, 1)).await.unwrap();
    store.sync().await.unwrap();
    store.write(&log.name, batch(100..200, 1)).await.unwrap();
    drop(store);
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 200);
}

#[tokio::test]
async fn cells_vanish_when_the_clock_passes_their_time() {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::at(1_000_000);
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    let mut log = table("log", &["a"]);
    log.families[0].ttl_seconds = Some(10);
    store.create(&log, &SplitPoints::default()).await.unwrap();
    store.write(&log.name, batch(0..5, 1_000_000)).await.unwrap();
    store.write(&log.name, batch(5..8, 1_000_001)).await.unwrap();
    for (now_ms, visible) in [(1_010_000, 8), (1_010_001, 3), (1_010_002, 0)] {
        clock.set(now_ms);
        assert_eq!(row_count(&store, &log.name).await, visible, "at {now_ms}");
    }
}

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
async fn a_merge_of_sixteen_scans_with_a_limit_reads_little() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::default()).await.unwrap();
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
