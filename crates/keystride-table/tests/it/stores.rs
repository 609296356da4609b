//! Stores to try, and rows to put into them.

use std::sync::Arc;

use futures_util::TryStreamExt;
use keystride::{Design, Row, SplitPoints};
use keystride_store::{
    Durability, EmbeddedOptions, EmbeddedStore, LATEST, MemoryStore, MutationBatch, Store, Write,
};
use keystride_table::{Query, RowWriter, Rows, Table};

/// Every home there is; the folder lives as long as its store.
pub(crate) async fn stores() -> (Vec<Arc<dyn Store>>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let lazily = Durability::Interval(std::time::Duration::from_secs(5));
    let options = EmbeddedOptions { durability: lazily, ..EmbeddedOptions::default() };
    let embedded = EmbeddedStore::open(folder.path().join("store"), options).await.unwrap();
    (vec![Arc::new(MemoryStore::default()), Arc::new(embedded)], folder)
}

pub(crate) async fn table(store: &Arc<dyn Store>, design: &Design, points: &SplitPoints) -> Table {
    Table::create(Arc::clone(store), design.clone(), points).await.unwrap()
}

/// Puts rows; a bucket that is no function of its row is taken from the row's place.
pub(crate) async fn put(table: &Table, rows: &[Row]) {
    let mut writer = RowWriter::new(table.codec());
    let mut batch = MutationBatch::new();
    for (place, row) in rows.iter().enumerate() {
        writer.supply(place as u64);
        writer.write(row, LATEST, &mut batch).unwrap();
    }
    table.store().write(table.name(), Write::of(batch)).await.unwrap();
}

pub(crate) async fn read(table: &Table, query: &Query) -> Vec<(Vec<u8>, Row)> {
    let mut stream = table.query(query).unwrap();
    let mut found = Vec::new();
    while let Some(rows) = stream.try_next().await.unwrap() {
        found.extend(owned(&rows));
    }
    found
}

pub(crate) fn owned(rows: &Rows) -> Vec<(Vec<u8>, Row)> {
    rows.iter().map(|row| (row.key().to_vec(), row.to_row())).collect()
}
