//! What was written lasts, and what was removed stays removed.

use std::sync::Arc;
use std::time::Duration;

use keystride::{Key, SplitPoints};
use keystride_store::{
    AfterTruncate, Durability, EmbeddedOptions, EmbeddedStore, ManualClock, MutationBatch, Selection, Store,
    TableReader, Write,
};

use crate::home::{batch, open, open_with_log, row_count, table};

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
    assert_eq!(store.regions(&log.name).await.unwrap(), before);
    assert_eq!(row_count(&store, &log.name).await, 300);
    assert_eq!(store.note(&log.name, "n").await.unwrap().unwrap(), b"7");
}

#[tokio::test]
async fn all_is_there_again_without_a_close() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
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
