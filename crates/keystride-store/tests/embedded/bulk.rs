//! Bulk loads are there as a whole or not at all.

use std::sync::Arc;

use keystride::SplitPoints;
use keystride_store::{
    EmbeddedOptions, EmbeddedStore, LATEST, ManualClock, Selection, Store, StoreError, TableReader,
};

use crate::home::{copy_folder, open, open_with_log, row_count, rows, table};

#[tokio::test]
async fn a_bulk_load_that_was_finished_lasts_and_one_that_was_not_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let [finished, begun] = ["finished", "begun"].map(|name| table(name, &["a", "b"]));
    let store = open(folder.path()).await;
    for table in [&finished, &begun] {
        store.create(table, &SplitPoints::default()).await.unwrap();
    }
    let mut bulk = store.bulk(&finished.name).await.unwrap().unwrap();
    bulk.write(rows(0..100, 1)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    let mut bulk = store.bulk(&begun.name).await.unwrap().unwrap();
    bulk.write(rows(0..100, 1)).await.unwrap();
    // Neither is the load finished nor its work undone, as if the program had been killed.
    std::mem::forget(bulk);
    store.sync().await.unwrap();
    let copy = tempfile::tempdir().unwrap();
    copy_folder(folder.path(), copy.path());

    let store = open(copy.path()).await;
    assert_eq!(row_count(&store, &finished.name).await, 100);
    assert_eq!(row_count(&store, &begun.name).await, 0);
    let mut bulk = store.bulk(&begun.name).await.unwrap().unwrap();
    bulk.write(rows(0..30, 1)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    assert_eq!(row_count(&store, &begun.name).await, 30);
}

#[tokio::test]
async fn a_bulk_load_does_not_bring_back_a_dropped_table() {
    for count in [0, 10] {
        let folder = tempfile::tempdir().unwrap();
        let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
        let mut bulk = store.bulk(&log.name).await.unwrap().unwrap();
        store.drop_table(&log.name).await.unwrap();
        if count > 0 {
            bulk.write(rows(0..count, 1)).await.unwrap();
        }
        let refused = bulk.finish(vec![]).await;
        assert!(matches!(refused, Err(StoreError::UnknownTable { .. })), "{refused:?}");
        drop(store);
        assert!(open(folder.path()).await.list().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn cells_of_a_bulk_load_without_a_time_get_the_stores() {
    let folder = tempfile::tempdir().unwrap();
    let options = EmbeddedOptions { clock: Arc::new(ManualClock::at(1_000)), ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    let log = table("log", &["a"]);
    store.create(&log, &SplitPoints::default()).await.unwrap();
    let mut bulk = store.bulk(&log.name).await.unwrap().unwrap();
    bulk.write(rows(0..1, LATEST)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    let got = store.get(&log.name, &[b"00000"], &Selection::default()).await.unwrap();
    assert_eq!(got.row(0).cell(b"a", b"q").unwrap().ts, 1_000);
}
