//! Random designs, rows and predicates: a table gives back what looking at every row would.

use std::collections::BTreeMap;
use std::sync::Arc;

use keystride::design::Part;
use keystride::{Design, KeyCodec, Predicate, Row, SplitPoints, Value};
use keystride_store::Store;
use keystride_table::{Query, RowOrder, RowWriter, Table};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Runtime;

use crate::designs::{SmallDesign, SmallField, SmallValue, predicate, small_design};
use crate::stores::{owned, read, stores};

/// Columns beside the key, each in another family or encoding.
const COLUMNS: [(&str, &str, &str); 5] = [
    ("note", "{ type = \"string\", max_len = 2 }", "{ qualifier = \"n\" }"),
    ("level", "{ type = \"i32\" }", "{ family = \"g\", as = \"be\" }"),
    ("size", "{ type = \"int\", min = -9, max = 9 }", "{ as = \"ordered\" }"),
    ("rank", "{ type = \"int\" }", "{ family = \"g\" }"),
    ("rate", "{ type = \"f64\" }", "{ as = \"text\" }"),
];

#[derive(Debug, Clone)]
struct Case {
    design: SmallDesign,
    predicate: String,
    /// One row in so many is stored.
    every: usize,
    limit: u64,
}

fn case() -> impl Strategy<Value = Case> {
    small_design().prop_flat_map(|design| {
        let design = with_columns(design);
        let predicate = predicate(design.fields.clone(), 9, atom);
        (Just(design), predicate, 1..4usize, 0..12u64).prop_map(|(design, predicate, every, limit)| Case {
            design,
            predicate,
            every,
            limit,
        })
    })
}

/// The design with [`COLUMNS`], whose values follow from a row's place.
fn with_columns(mut design: SmallDesign) -> SmallDesign {
    let fields = COLUMNS.map(|(name, kind, _)| format!("{name} = {kind}\n")).concat();
    let columns = COLUMNS.map(|(name, _, column)| format!("{name} = {column}\n")).concat();
    design.toml = design.toml.replace("families = [\"f\"]", "families = [\"f\", \"g\"]");
    design.toml = design.toml.replace("[key]", &format!("{fields}[key]"));
    design.toml.push_str(&format!("[columns]\n{columns}"));
    for (place, (name, ..)) in COLUMNS.iter().enumerate() {
        let values = (0..12).map(|row| column_value(place, row)).collect();
        let declaration = String::new();
        let (name, part) = ((*name).to_owned(), String::new());
        design.fields.push(SmallField { name, declaration, values, part, ends_itself: true });
    }
    design
}

fn column_value(column: usize, row: usize) -> Option<SmallValue> {
    let number = i128::try_from(row * (column + 3) % 7).unwrap() - 3;
    match (column, row % 5) {
        (_, 0) => None,
        (0, _) => Some(SmallValue::Text(["x", "y", "xy", "", "yx"][row % 5].to_owned())),
        _ => Some(SmallValue::Int(number)),
    }
}

/// All rows of the key's fields, with columns.
fn rows(case: &Case) -> Vec<Row> {
    let key_fields = case.design.fields.len() - COLUMNS.len();
    let plain = SmallDesign { fields: case.design.fields[..key_fields].to_vec(), ..case.design.clone() };
    let mut rows = Vec::new();
    for (place, key) in plain.rows().into_iter().enumerate().filter(|(place, _)| place % case.every == 0) {
        let mut row = Row::new(case.design.fields.len());
        for field in 0..key_fields {
            key.get(field).into_iter().for_each(|value| row.set(field, value));
        }
        for column in 0..COLUMNS.len() {
            let field = key_fields + column;
            match column_value(column, place / case.every) {
                Some(SmallValue::Int(number)) if column == 4 => {
                    let number = f64::from(i8::try_from(number).unwrap());
                    row.set(field, Value::F64(number / 4.0));
                }
                Some(value) => row.set(field, value.value()),
                None => {}
            }
        }
        rows.push(row);
    }
    rows
}

fn atom(field: &SmallField, first: Index, second: Index, shape: u8) -> String {
    let values: Vec<_> = field.values.iter().flatten().collect();
    let [first, second] = [first, second].map(|index| values[index.index(values.len())].literal());
    let name = &field.name;
    let is_text = first.starts_with('\'');
    match shape {
        0 => format!("{name} = {first}"),
        1 => format!("{name} in ({first}, {second})"),
        2 => format!("{name} != {first}"),
        3 if is_text => format!("{name} like '{}%'", first.trim_matches('\'')),
        4 => format!("{name} is null"),
        _ if field.declaration.contains("bool") => format!("{name} = {second}"),
        5 => format!("{name} between {first} and {second}"),
        6 => format!("{name} >= {first}"),
        7 => format!("{name} < {first}"),
        _ => format!("{name} is not null"),
    }
}

/// What is stored: by key the row as a reader sees it. Of rows with one key the last remains.
fn stored(codec: &KeyCodec, rows: &[Row]) -> BTreeMap<Vec<u8>, Row> {
    let in_key = codec.design().fields_in_key();
    let mut writer = RowWriter::new(codec);
    let mut stored: BTreeMap<Vec<u8>, Row> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        writer.supply(place as u64);
        let Ok(key) = writer.key(row) else { continue };
        let decoded = codec.decode(key).unwrap().row;
        // Cells of an earlier row of the key stay where the later one has none.
        let mut seen = stored.remove(key).unwrap_or_else(|| Row::new(row.len()));
        for (field, in_key) in in_key.iter().enumerate() {
            if let Some(value) = if *in_key { decoded.get(field) } else { row.get(field) } {
                seen.set(field, value);
            }
        }
        stored.insert(key.to_vec(), seen);
    }
    stored
}

/// The bytes of a key after its leading bucket, and those of the bucket.
fn logical<'a>(codec: &KeyCodec, key: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let bucket = match codec.design().parts()[0] {
        Part::Bucket(_) => codec.decode(key).unwrap().spans[0].end,
        _ => 0,
    };
    (&key[bucket..], &key[..bucket])
}

async fn check(store: Arc<dyn Store>, number: usize, case: &Case) {
    let design =
        Design::from_toml(&case.design.toml).unwrap_or_else(|error| panic!("{error}\n{}", case.design.toml));
    let design = design.renamed(&format!("t{number}")).unwrap();
    let table = Table::create(store, design, &SplitPoints::new(["1", "5", "b"]).unwrap()).await.unwrap();
    let codec = table.codec().clone();
    let rows: Vec<Row> =
        rows(case).into_iter().filter(|row| codec.encoder().encode(row, &mut Vec::new()).is_ok()).collect();
    crate::stores::put(&table, &rows).await;
    let stored = stored(&codec, &rows);
    let predicate = Predicate::parse(&case.predicate, table.design()).unwrap();
    let wanted: Vec<(Vec<u8>, Row)> =
        stored.into_iter().filter(|(_, row)| predicate.matches(table.design(), row)).collect();

    let query = Query::of(predicate.clone());
    assert_eq!(read(&table, &query).await, wanted, "{case:?}");
    assert_eq!(table.count(Some(&predicate)).await.unwrap(), wanted.len() as u64, "{case:?}");

    let some = read(&table, &Query { limit: Some(case.limit), ..query.clone() }).await;
    assert_eq!(some, wanted[..wanted.len().min(usize::try_from(case.limit).unwrap())], "{case:?}");

    let mut by_key = wanted.clone();
    by_key.sort_by(|left, right| logical(&codec, &left.0).cmp(&logical(&codec, &right.0)));
    check_order(&table, case, RowOrder::Key, &by_key).await;
    by_key.reverse();
    check_order(&table, case, RowOrder::KeyReversed, &by_key).await;

    #[cfg(feature = "arrow")]
    for order in [RowOrder::Any, RowOrder::Key, RowOrder::KeyReversed] {
        let query = Query { order, fields: Some(Vec::new()), ..query.clone() };
        let apart = crate::record_batches::read_apart(&table, &query, 4).await;
        assert_eq!(apart.concat().len(), wanted.len(), "{order:?} of {case:?}");
    }

    for (key, row) in wanted.iter().take(3) {
        let found = owned(&table.get(row).await.unwrap());
        assert!(found.contains(&(key.clone(), row.clone())), "{row:?} of {case:?}");
    }
}

async fn check_order(table: &Table, case: &Case, order: RowOrder, expected: &[(Vec<u8>, Row)]) {
    let predicate = Predicate::parse(&case.predicate, table.design()).unwrap();
    let query = Query { order, ..Query::of(predicate) };
    assert_eq!(read(table, &query).await, expected, "{order:?} of {case:?}");
    let first = expected.len().min(usize::try_from(case.limit).unwrap());
    let limited = Query { limit: Some(case.limit), ..query };
    assert_eq!(read(table, &limited).await, expected[..first], "{order:?} of {case:?}");
}

fn check_cases(cases: u32, store: usize) {
    let runtime = Runtime::new().unwrap();
    let (stores, _folder) = runtime.block_on(stores());
    let number = std::sync::atomic::AtomicUsize::new(0);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases) });
    let checked = runner.run(&case(), |case| {
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        runtime.block_on(check(Arc::clone(&stores[store]), number, &case));
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn memory_gives_back_what_looking_at_every_row_would() {
    check_cases(400, 0);
}

#[test]
fn the_embedded_store_gives_back_what_looking_at_every_row_would() {
    check_cases(40, 1);
}
