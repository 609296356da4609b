//! The tables of `examples/` with their rows.

use std::fs;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::Arc;

use keystride::{Design, SplitPoints};
use keystride_store::{Family, FamilyName, Store, TableDescription, TableName};
use keystride_table::Table;
use keystride_table::input::{InputOptions, InputReader, Next, Source};

const SEEDS: [&str; 5] = ["seed-000", "seed-001", "seed-002", "seed-003", "seed-004a"];
/// Those of the first days: a few thousand suffice to be looked at.
pub(crate) const FLIGHTS: usize = 4_000;

/// Makes the tables, and one without a design.
pub(crate) async fn add_to(store: &Arc<dyn Store>) {
    for seed in SEEDS {
        let rows = fs::read(example(&format!("{seed}/input.csv"))).unwrap();
        add(store, &format!("{seed}/design.toml"), Cursor::new(rows)).await;
    }
    for design in ["flights/design.toml", "flights/time-first.toml"] {
        add(store, design, Cursor::new(flights(FLIGHTS))).await;
    }
    let plain = Family::new(FamilyName::new("f").unwrap());
    let plain = TableDescription::new(TableName::new("plain").unwrap(), [plain]);
    store.create(&plain, &SplitPoints::new(["b", "c"]).unwrap()).await.unwrap();
}

pub(crate) fn example(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).join(path)
}

/// The text of a design of `examples/`.
pub(crate) fn design_text(path: &str) -> String {
    fs::read_to_string(example(path)).unwrap()
}

/// The first flights as CSV, after the line of their names.
pub(crate) fn flights(rows: usize) -> String {
    let packed = fs::read(example("flights/flights.csv.zst")).unwrap();
    let text = String::from_utf8(zstd::decode_all(&packed[..]).unwrap()).unwrap();
    text.split_inclusive('\n').take(rows + 1).collect()
}

/// An empty table by the text of a design.
pub(crate) async fn create_by(store: &Arc<dyn Store>, design: &str) -> Table {
    let design = Design::from_toml(design).unwrap();
    let points = design.split_points(&mut []).unwrap();
    Table::create(Arc::clone(store), design, &points).await.unwrap()
}

pub(crate) fn reader(table: &Table, rows: impl Read + Send + 'static) -> InputReader {
    let sources = vec![Source::reader("rows.csv", rows)];
    InputReader::open(Arc::new(table.design().clone()), sources, InputOptions::default()).unwrap()
}

async fn add(store: &Arc<dyn Store>, design: &str, rows: impl Read + Send + 'static) {
    put(&create_by(store, &design_text(design)).await, rows).await;
}

/// Stores the rows of a CSV file.
pub(crate) async fn put(table: &Table, rows: impl Read + Send + 'static) {
    let mut reader = reader(table, rows);
    let (mut row, mut rows) = (reader.new_row(), Vec::new());
    loop {
        match reader.next(&mut row).unwrap() {
            Next::End => break,
            Next::Row => rows.push(row.clone()),
            // Some are there to be rejected.
            Next::Rejected(_) => {}
        }
    }
    table.put_rows(&rows).await.unwrap();
}
