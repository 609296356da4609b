//! What regions count lasts.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use keystride::{Key, SplitPoints};
use keystride_store::{
    AfterTruncate, Durability, EmbeddedOptions, EmbeddedStore, RegionId, Store, TableReader,
};

use crate::home::{batch, open, open_with_log, row_count, rows, rows_of, table, writes};

#[tokio::test]
async fn counts_of_writes_go_on_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00100", "00200"]).unwrap()).await;
    let mut expected = [0, 0, 0];
    drop(store);
    for (round, end) in [10, 150, 300, 300].into_iter().enumerate() {
        let store = open(folder.path()).await;
        assert_eq!(writes(&store, &log.name).await, expected.map(rows_of), "before round {round}");
        store.write(&log.name, batch(0..end, 1)).await.unwrap();
        row_count(&store, &log.name).await;
        for (region, rows) in (0..).zip(&mut expected) {
            *rows += (end.saturating_sub(region * 100)).min(100) as u64;
        }
        assert_eq!(writes(&store, &log.name).await, expected.map(rows_of), "round {round}");
        if round % 2 == 0 {
            store.close().await.unwrap();
        }
    }
}

/// Enough batches that their shares are summed up several times, from several tasks at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn counts_of_many_writers_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let durability = Durability::Interval(Duration::from_hours(1));
    let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::open(folder.path(), options).await.unwrap());
    store.create(&log, &SplitPoints::new(["00002"]).unwrap()).await.unwrap();
    let writers = (0..4).map(|writer| {
        let (store, log) = (Arc::clone(&store), log.name.clone());
        tokio::spawn(async move {
            for number in 0..700 {
                let rows = if number % 7 == 0 { 0..3 } else { writer..writer + 1 };
                store.write(&log, batch(rows, number)).await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let expected = [2 * 600 + 4 * 100 * 2, 2 * 600 + 4 * 100].map(rows_of);
    assert_eq!(writes(&*store, &log.name).await, expected);
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, expected);
}

#[tokio::test]
async fn a_split_divides_counts_and_a_truncation_begins_anew_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let [split, emptied, dropped] = ["split", "emptied", "dropped"].map(|name| table(name, &["a"]));
    let store = open(folder.path()).await;
    for table in [&split, &emptied, &dropped] {
        store.create(table, &SplitPoints::new(["00010"]).unwrap()).await.unwrap();
        store.write(&table.name, batch(0..30, 1)).await.unwrap();
    }
    store.split(&split.name, &Key::new(*b"00020").unwrap()).await.unwrap();
    store.truncate(&emptied.name, AfterTruncate::KeepSplits).await.unwrap();
    store.drop_table(&dropped.name).await.unwrap();
    store.create(&dropped, &SplitPoints::default()).await.unwrap();
    drop(store);

    let store = open(folder.path()).await;
    assert_eq!(writes(&store, &split.name).await, [10, 10, 10].map(rows_of));
    assert_eq!(writes(&store, &emptied.name).await, [0, 0].map(rows_of));
    assert_eq!(writes(&store, &dropped.name).await, [0].map(rows_of));
    for table in [&split, &emptied, &dropped] {
        store.write(&table.name, batch(5..25, 2)).await.unwrap();
    }
    drop(store);
    let store = open(folder.path()).await;
    assert_eq!(writes(&store, &split.name).await, [15, 20, 15].map(rows_of));
    assert_eq!(writes(&store, &emptied.name).await, [5, 15].map(rows_of));
    assert_eq!(writes(&store, &dropped.name).await, [20].map(rows_of));
}

#[tokio::test]
async fn regions_made_by_splits_one_after_another_have_names_of_their_own_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    let mut names: BTreeSet<RegionId> = BTreeSet::new();
    for (point, made) in [(b"00100", 2), (b"00200", 4), (b"00050", 6), (b"00300", 8)] {
        store.split(&log.name, &Key::new(*point).unwrap()).await.unwrap();
        let regions = store.regions(&log.name).await.unwrap();
        names.extend(regions.iter().map(|region| region.id.clone()));
        assert_eq!(names.len(), made);
        if made == 4 {
            drop(store);
            store = open(folder.path()).await;
            assert_eq!(store.regions(&log.name).await.unwrap(), regions);
        }
    }
}

#[tokio::test]
async fn what_follows_a_truncation_starts_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00010"]).unwrap()).await;
    store.write(&log.name, batch(0..30, 1)).await.unwrap();
    store.truncate(&log.name, AfterTruncate::OneRegion).await.unwrap();
    store.truncate(&log.name, AfterTruncate::KeepSplits).await.unwrap();
    assert_eq!(store.regions(&log.name).await.unwrap().len(), 1);
    store.write(&log.name, batch(0..20, 2)).await.unwrap();
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, [rows_of(20)]);
}

#[tokio::test]
async fn counts_of_a_bulk_load_last_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00100", "00900"]).unwrap()).await;
    let mut bulk = store.bulk(&log.name).await.unwrap().unwrap();
    for start in (0..500).step_by(50) {
        bulk.write(rows(start..start + 50, 1)).await.unwrap();
    }
    bulk.finish(vec![]).await.unwrap();
    assert_eq!(writes(&store, &log.name).await, [100, 400, 0].map(rows_of));
    store.write(&log.name, batch(0..1, 2)).await.unwrap();
    drop(store);
    let store = open(folder.path()).await;
    assert_eq!(writes(&store, &log.name).await, [101, 400, 0].map(rows_of));
    store.write(&log.name, batch(0..1, 3)).await.unwrap();
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, [102, 400, 0].map(rows_of));
}

/// What was loaded before a split went to a region that is no more.
#[tokio::test]
async fn a_region_split_during_a_bulk_load_takes_its_counts_along() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00100"]).unwrap()).await;
    let bulk = store.bulk(&log.name).await.unwrap().unwrap();
    store.split(&log.name, &Key::new(*b"00200").unwrap()).await.unwrap();
    let mut bulk = bulk;
    bulk.write(rows(0..250, 1)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    let before = writes(&store, &log.name).await;
    assert_eq!(before, [100, 100, 50].map(rows_of));
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, before);
}
