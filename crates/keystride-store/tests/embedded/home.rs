//! Stores in folders, with a table of numbered rows.

use std::path::Path;

use futures_util::TryStreamExt;
use keystride::{KeyRange, SplitPoints};
use keystride_store::{
    EmbeddedOptions, EmbeddedStore, Family, FamilyName, MutationBatch, Reading, RowBatch, Scan, Store,
    TableDescription, TableName, Write,
};

pub(crate) fn table(name: &str, families: &[&str]) -> TableDescription {
    let families = families.iter().map(|name| Family::new(FamilyName::new(name).unwrap()));
    TableDescription::new(TableName::new(name).unwrap(), families)
}

pub(crate) fn rows(rows: std::ops::Range<usize>, ts: i64) -> MutationBatch {
    let mut batch = MutationBatch::new();
    for row in rows {
        batch.put(format!("{row:05}").as_bytes(), b"a", b"q", ts, b"value").unwrap();
    }
    batch
}

pub(crate) fn batch(range: std::ops::Range<usize>, ts: i64) -> Write {
    Write::of(rows(range, ts))
}

pub(crate) async fn open(folder: &Path) -> EmbeddedStore {
    open_to_read(folder, Reading::default()).await
}

pub(crate) async fn open_to_read(folder: &Path, reading: Reading) -> EmbeddedStore {
    EmbeddedStore::open(folder, EmbeddedOptions { reading, ..EmbeddedOptions::default() }).await.unwrap()
}

/// A store with a table of one family.
pub(crate) async fn open_with_log(folder: &Path, points: &SplitPoints) -> (EmbeddedStore, TableDescription) {
    with_log(open(folder).await, points).await
}

pub(crate) async fn with_log(
    store: EmbeddedStore,
    points: &SplitPoints,
) -> (EmbeddedStore, TableDescription) {
    let log = table("log", &["a"]);
    store.create(&log, points).await.unwrap();
    (store, log)
}

pub(crate) async fn row_count(store: &dyn Store, table: &TableName) -> usize {
    let rows = store.scan(table, Scan::of(KeyRange::all())).await.unwrap();
    let batches: Vec<RowBatch> = rows.try_collect().await.unwrap();
    batches.iter().map(RowBatch::len).sum()
}

/// Rows, cells and bytes written to each region.
pub(crate) async fn writes(store: &dyn Store, table: &TableName) -> Vec<(u64, u64, u64)> {
    let regions = store.regions(table).await.unwrap();
    let counts = regions.into_iter().map(|region| region.counts);
    counts.map(|counts| (counts.rows_written, counts.cells_written, counts.bytes_written)).collect()
}

/// So many rows as [`batch`] writes them.
pub(crate) fn rows_of(rows: u64) -> (u64, u64, u64) {
    (rows, rows, rows * (5 + 1 + 1 + 5))
}

pub(crate) fn copy_folder(from: &Path, to: &Path) {
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
