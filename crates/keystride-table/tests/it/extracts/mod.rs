//! Extracts to folders of files.

mod columns;
mod cut_off;
mod existing;
mod partitions;
mod texts;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMillisecondType, UInt32Type};
use arrow_array::{Array, RecordBatch};
use keystride::{Row, Value};
use keystride_store::{LATEST, MemoryStore, MutationBatch, Store, Write};
use keystride_table::Table;
use keystride_table::extract::{Day, Extract, Extracted};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::flights;

/// Final files under a folder, by their names from there.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|file| format!("{name}/{file}")));
        } else if !name.starts_with('.') {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// All rows of a partition.
pub(crate) fn read_back(folder: &Path) -> Vec<RecordBatch> {
    let parquet = files(folder).into_iter().filter(|file| file.ends_with(".parquet"));
    parquet.flat_map(|file| batches(&folder.join(file))).collect()
}

fn batches(file: &Path) -> Vec<RecordBatch> {
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(fs::File::open(file).unwrap()).unwrap().build().unwrap();
    reader.map(Result::unwrap).collect()
}

fn row_count(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}

async fn stored_flights() -> Table {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    flights::table(&store).await
}

fn of_day(table: &Table, day: &str) -> Extract {
    Extract::of_day(Day::parse(day, table.design(), 0).unwrap())
}

/// `(seconds, carrier, flight, delay, distance)` of flights.
type Told = (i64, String, i64, Option<i32>, u32);

fn told(batches: &[RecordBatch]) -> Vec<Told> {
    let mut told = Vec::new();
    for batch in batches {
        let column = |name: &str| batch.column_by_name(name).unwrap();
        for row in 0..batch.num_rows() {
            let delays = column("dep_delay").as_primitive::<Int32Type>();
            told.push((
                column("time").as_primitive::<TimestampMillisecondType>().value(row) / 1_000,
                column("carrier").as_string::<i32>().value(row).to_owned(),
                column("flight").as_primitive::<Int64Type>().value(row),
                delays.is_valid(row).then(|| delays.value(row)),
                column("distance").as_primitive::<UInt32Type>().value(row),
            ));
        }
    }
    told.sort();
    told
}

fn told_rows(rows: &[Row]) -> Vec<Told> {
    fn int<N: TryFrom<i128>>(row: &Row, field: usize) -> Option<N> {
        match row.get(field) {
            Some(Value::Int(number)) => N::try_from(number).ok(),
            _ => None,
        }
    }
    let tell = |row: &Row| {
        let Some(Value::Text(carrier)) = row.get(1) else { panic!("{row:?} has no carrier") };
        (int(row, 0).unwrap(), carrier.to_owned(), int(row, 2).unwrap(), int(row, 6), int(row, 7).unwrap())
    };
    let mut told: Vec<Told> = rows.iter().map(tell).collect();
    told.sort();
    told
}

/// 2013-03-09 in New York, in seconds.
const NINTH: std::ops::Range<i128> = 1_362_805_200..1_362_891_600;

fn on_the_ninth(table: &Table) -> Vec<Row> {
    let is_ninth = |row: &Row| matches!(row.get(0), Some(Value::Int(time)) if NINTH.contains(&time));
    flights::rows(table.design()).into_iter().filter(is_ninth).collect()
}

/// A row whose key is none of the design's, in the last bucket.
async fn stumbling_block(table: &Table) -> impl AsyncFnOnce(&Table) {
    let mut batch = MutationBatch::new();
    batch.put(b"7?", b"f", b"dest", 5, b"").unwrap();
    table.store().write(table.name(), Write::of(batch)).await.unwrap();
    async |table: &Table| {
        let mut batch = MutationBatch::new();
        batch.delete_family(b"7?", b"f", LATEST).unwrap();
        table.store().write(table.name(), Write::of(batch)).await.unwrap();
    }
}

/// Hidden files under a folder, by their names alone.
fn hidden(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            found.extend(hidden(&entry.path()));
        } else if name.starts_with('.') {
            found.push(name);
        }
    }
    found
}

fn check_whole(table: &Table, folder: &Path, extracted: &Extracted) {
    let batches: Vec<RecordBatch> =
        extracted.partitions.iter().flat_map(|(name, _)| read_back(&folder.join(name))).collect();
    assert_eq!(told(&batches), told_rows(&flights::rows(table.design())));
    for (name, _) in &extracted.partitions {
        let hidden = fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().file_name());
        let hidden: Vec<_> = hidden.filter(|name| name.to_string_lossy().starts_with('.')).collect();
        assert!(hidden.is_empty(), "{hidden:?}");
    }
}
