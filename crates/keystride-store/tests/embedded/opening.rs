//! Stores that are open already, closed or newer.

use futures_util::StreamExt;
use keystride::{KeyRange, SplitPoints};
use keystride_store::{EmbeddedOptions, EmbeddedStore, Scan, Store, StoreError, TableReader};

use crate::home::{batch, open, open_with_log};

#[tokio::test]
async fn a_store_is_opened_once_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path()).await;
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    assert!(
        matches!(&refused, StoreError::Locked { folder: named, holder: Some(holder) }
        if named == folder.path() && holder.process == std::process::id()),
        "{refused}"
    );
    first.close().await.unwrap();
    open(folder.path()).await;
}

#[tokio::test]
async fn a_closed_store_refuses_everything_but_another_close() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
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
