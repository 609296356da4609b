//! Rows of many sets of columns in one table: each is read by its own, and of bad cells the first is told.

use std::error::Error;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use futures_util::TryStreamExt;
use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_store::{LATEST, MutationBatch, Write};
use keystride_table::extract::{Extract, Partition};
use keystride_table::{Query, Table};
use proptest::prelude::*;

use crate::extracts::read_back;
use crate::stores::{put, read, stores, table};

const DESIGN: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\", \"g\"]\n[fields]\n\
    id = { type = \"int\" }\na = { type = \"string\" }\nb = { type = \"int\" }\nc = { type = \"i32\" }\n\
    d = { type = \"string\", max_len = 3 }\nbefore = { type = \"string\" }\nab = { from = \"left(a,1)\" }\n\
    [key]\nparts = [{ field = \"id\", pad = 6 }]\n\
    [columns]\nb = { family = \"g\" }\nc = { as = \"be\" }\nd = { family = \"g\" }";

fn design() -> Design {
    Design::from_toml(DESIGN).unwrap()
}

/// A row that has the fields whose bits are set.
fn row(id: usize, bits: u8, text: &str, number: i32) -> Row {
    let mut row = Row::new(7);
    row.set(0, Value::Int(id.try_into().unwrap()));
    let values = [
        Value::Text(text),
        Value::Int(i128::from(number) * 4_000_000_000),
        Value::Int(number.into()),
        Value::Text("é"),
        Value::Text(""),
    ];
    for (at, value) in values.into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1) {
        row.set(at + 1, value);
    }
    row
}

/// The rows of an extract's files, by their ids.
fn extracted(batches: &[RecordBatch]) -> Vec<Row> {
    let mut rows = Vec::new();
    for batch in batches {
        for at in 0..batch.num_rows() {
            let mut row = Row::new(7);
            for (field, column) in
                batch.columns().iter().enumerate().filter(|(_, column)| column.is_valid(at))
            {
                row.set(
                    field,
                    match field {
                        0 | 2 => Value::Int(column.as_primitive::<Int64Type>().value(at).into()),
                        3 => Value::Int(column.as_primitive::<Int32Type>().value(at).into()),
                        _ => Value::Text(column.as_string::<i32>().value(at)),
                    },
                );
            }
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| match row.get(0) {
        Some(Value::Int(id)) => id,
        _ => -1,
    });
    rows
}

async fn check(rows: &[Row], predicate: Option<&str>) {
    let (stores, folder) = stores().await;
    for (place, store) in stores.iter().enumerate() {
        let table = table(store, &design(), &SplitPoints::default()).await;
        put(&table, rows).await;
        let predicate = predicate.map(|text| Predicate::parse(text, table.design()).unwrap());
        let is_wanted = |row: &&Row| predicate.as_ref().is_none_or(|one| one.matches(table.design(), row));
        let wanted: Vec<Row> = rows.iter().filter(is_wanted).cloned().collect();
        let query = Query { predicate: predicate.clone(), ..Query::default() };
        let found: Vec<Row> = read(&table, &query).await.into_iter().map(|(_, row)| row).collect();
        assert_eq!(found, wanted);
        let files = folder.path().join(format!("{place}"));
        let extract = Extract { predicate, ..Extract::default() };
        table.extract(&extract, &files).await.unwrap();
        assert_eq!(extracted(&read_back(&files)), wanted);
    }
}

fn block_on(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap().block_on(work);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn rows_are_read_with_the_columns_they_have(
        made in prop::collection::vec((0..32u8, "[a-c]{0,2}", any::<i32>()), 1..120),
        predicate in prop::sample::select(vec![None, Some("b > 0"), Some("ab = 'a'"), Some("a = 'a' or c < 0")]),
    ) {
        let rows: Vec<Row> =
            made.iter().enumerate().map(|(id, (bits, text, number))| row(id, *bits, text, *number)).collect();
        block_on(check(&rows, predicate));
    }
}

/// What went wrong, and why.
fn told(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {}", told(cause)))
}

async fn refused(table: &Table, predicate: Option<&str>) -> [String; 2] {
    let predicate = predicate.map(|text| Predicate::parse(text, table.design()).unwrap());
    let query = Query { predicate: predicate.clone(), ..Query::default() };
    let by_query = table.query(&query).unwrap().try_next().await;
    let folder = tempfile::tempdir().unwrap();
    let by_extract = table.extract(&Extract { predicate, ..Extract::default() }, folder.path()).await;
    [told(&by_query.err().unwrap()), told(&by_extract.unwrap_err())]
}

/// Puts cells past the design: keys, families, qualifiers and values.
async fn put_cells(table: &Table, cells: &[(&str, &str, &str, &[u8])]) {
    let mut batch = MutationBatch::new();
    for (key, family, qualifier, value) in cells {
        batch.put(key.as_bytes(), family.as_bytes(), qualifier.as_bytes(), LATEST, value).unwrap();
    }
    table.store().write(table.name(), Write::of(batch)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_bad_cells_the_first_is_told_whatever_is_looked_at() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(), &SplitPoints::default()).await;
        let cells = [("f", "a", "x"), ("f", "c", "no"), ("g", "b", "01"), ("g", "d", "long")];
        put_cells(&table, &cells.map(|(f, q, value)| ("000001", f, q, value.as_bytes()))).await;
        // The cell of `a` is a value that is not wanted, in a row that has to hold values all the same.
        for predicate in [None, Some("left(a,1) = 'y' and b > 0"), Some("not (d = 'x') or a = 'x'")] {
            for told in refused(&table, predicate).await {
                let cell = "column \"c\": \"no\" has 2 bytes, and its values have 4";
                assert!(told.contains(cell), "{predicate:?}: {told}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_cell_is_told_also_of_a_row_that_is_not_wanted() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(), &SplitPoints::default()).await;
        put_cells(&table, &[("000001", "f", "a", b"x"), ("000001", "f", "c", b"no")]).await;
        for told in refused(&table, Some("left(a,1) = 'y'")).await {
            assert!(told.contains("column \"c\""), "{told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_bad_rows_the_first_is_told_also_when_its_text_is_not_utf8() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(), &SplitPoints::default()).await;
        let cells: [(&str, &str, &[u8]); 4] = [
            ("000001", "a", "é".as_bytes()),
            ("000002", "a", b"\xc3"),
            ("000003", "a", b"z"),
            ("000003", "c", b"no"),
        ];
        put_cells(&table, &cells.map(|(key, q, value)| (key, "f", q, value))).await;
        for predicate in [None, Some("id < 3"), Some("left(a,1) = 'x'")] {
            for told in refused(&table, predicate).await {
                assert!(told.contains("000002") && told.contains("UTF-8"), "{predicate:?}: {told}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_text_is_told_whatever_comes_after_it_in_other_partitions() {
    const DAYS: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
        at = { type = \"time\", unit = \"s\" }\na = { type = \"string\" }\nb = { type = \"time\", unit = \"s\" }\n\
        [key]\nparts = [{ field = \"at\", pad = 10 }]";
    let (stores, folder) = stores().await;
    for (place, store) in stores.iter().enumerate() {
        let table = table(store, &Design::from_toml(DAYS).unwrap(), &SplitPoints::default()).await;
        let beyond = (i64::MAX / 100).to_string();
        let cells: [(&str, &str, &[u8]); 4] = [
            ("0000000001", "a", b"x"),
            ("0000000002", "a", b"\xff"),
            ("0000090000", "a", b"y"),
            ("0000180000", "b", beyond.as_bytes()),
        ];
        put_cells(&table, &cells.map(|(key, q, value)| (key, "f", q, value))).await;
        let extract = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
        let error = table.extract(&extract, &folder.path().join(format!("{place}"))).await.unwrap_err();
        assert!(told(&error).contains("0000000002"), "{}", told(&error));
        let later = Extract { predicate: Predicate::parse("at > 2", table.design()).ok(), ..extract };
        let error = table.extract(&later, &folder.path().join(format!("{place}-later"))).await.unwrap_err();
        assert!(told(&error).starts_with("row \"0000180000\", field \"b\": 92233720368547758 s is beyond"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_times_beyond_a_column_the_first_column_is_told() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
        at = { type = \"time\", unit = \"s\" }\nb = { type = \"time\", unit = \"s\" }\n\
        c = { type = \"time\", unit = \"s\" }\n[key]\nparts = [{ field = \"at\", as = \"be\" }]";
    let (stores, folder) = stores().await;
    for (place, store) in stores.iter().enumerate() {
        let table = table(store, &Design::from_toml(toml).unwrap(), &SplitPoints::default()).await;
        let mut row = Row::new(3);
        (0..3).for_each(|field| row.set(field, Value::Int((i64::MAX / 100).into())));
        put(&table, &[row]).await;
        for (number, (fields, first)) in
            [(vec![0, 1, 2], "at"), (vec![1, 0], "b"), (vec![2, 1, 0], "c"), (vec![0, 2], "at")]
                .into_iter()
                .enumerate()
        {
            let extract = Extract { fields: Some(fields), ..Extract::default() };
            let folder = folder.path().join(format!("{place}-{number}"));
            let error = table.extract(&extract, &folder).await.unwrap_err();
            assert!(told(&error).contains(&format!("field \"{first}\":")), "{first}: {}", told(&error));
        }
    }
}
