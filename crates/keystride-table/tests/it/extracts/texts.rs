//! Extracts as CSV and JSON lines: what is written reads back as the same rows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use keystride::{Design, Row, SplitPoints, Value};
use keystride_store::MemoryStore;
use keystride_table::Table;
use keystride_table::extract::{Existing, Extract, ExtractError};
use keystride_table::input::{self, Format, InputOptions, Next, SourceSpec};

use super::{files, of_day, stored_flights};
use crate::stores::put;

fn design(input: &str) -> Design {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                text = { type = \"string\" }\ntwin = { type = \"string\", column = \"c\" }\nl = { type = \"i64\" }\nw = { type = \"u64\" }\n\
                f = { type = \"f32\" }\nd = { type = \"f64\" }\nb = { type = \"bool\" }\nraw = { type = \"bytes\" }\nuuid = { type = \"uuid\" }\n\
                s = { type = \"time\", unit = \"s\" }\nday = { type = \"time\", format = \"yyyyMMdd\" }\n\
                ns = { type = \"time\", unit = \"ns\", input = \"iso8601\", zone = \"Asia/Shanghai\" }\n\
                [key]\nparts = [{ field = \"id\", as = \"be\" }]\n[columns]\nb = { as = \"be\" }\nf = { as = \"ordered\" }\nd = { as = \"ordered\" }\n";
    Design::from_toml(&format!("{toml}[input]\n{input}\n")).unwrap()
}

/// Rows with values that are easily bent, by their ids.
fn rows(texts: &[&str]) -> BTreeMap<i128, Row> {
    let whole = [0, -1, 1 << 53, (1 << 53) + 1, i64::MIN.into(), i64::MAX.into()];
    let floats = [0.0, -0.0, 0.1, 1e300, f64::NAN, f64::NEG_INFINITY];
    let singles = [0.1, -0.0, 16_777_217.0, f32::MIN_POSITIVE, f32::NAN, f32::INFINITY];
    let mut rows = BTreeMap::new();
    for id in 0..texts.len().max(7) {
        let number = i128::try_from(id).unwrap();
        let mut row = Row::new(13);
        row.set(0, Value::Int(number));
        if let Some(&text) = texts.get(id) {
            row.set(1, Value::Text(text));
            row.set(2, Value::Text(text));
        }
        if id < 6 {
            row.set(3, Value::Int(whole[id]));
            row.set(4, Value::Int(if id == 5 { u64::MAX.into() } else { whole[id].max(0) }));
            row.set(5, Value::F32(singles[id]));
            row.set(6, Value::F64(floats[id]));
            row.set(7, Value::Bool(id % 2 == 0));
            row.set(8, Value::Bytes(b"\0\xff,\n\"\\"));
            row.set(9, Value::Uuid([0xab; 16]));
            row.set(10, Value::Int(1_362_700_800 + number));
            row.set(11, Value::Int(1_362_700_800_000));
            row.set(12, Value::Int(1_362_700_800_000_000_001));
        }
        rows.insert(number, row);
    }
    rows
}

async fn table(design: Design, rows: &BTreeMap<i128, Row>) -> Table {
    let store = Arc::new(MemoryStore::default());
    let table = Table::create(store, design, &SplitPoints::default()).await.unwrap();
    put(&table, &rows.values().cloned().collect::<Vec<_>>()).await;
    table
}

/// The values of a row. NaN is like itself here, and zeros below and above zero differ.
fn told(row: &Row) -> Vec<String> {
    (0..13).map(|field| format!("{:?}", row.get(field))).collect()
}

fn read(design: &Design, folder: &Path) -> BTreeMap<i128, Row> {
    let parts = files(folder).into_iter().filter(|file| file.starts_with("part-"));
    let parts: Vec<SourceSpec> = parts.map(|file| SourceSpec::parse(folder.join(file))).collect();
    let mut reader = input::open(&parts, Arc::new(design.clone()), InputOptions::default()).unwrap();
    let (mut row, mut found) = (reader.new_row(), BTreeMap::new());
    loop {
        match reader.next(&mut row).unwrap() {
            Next::Row => {
                let Some(Value::Int(id)) = row.get(0) else { panic!("{row:?}") };
                assert!(found.insert(id, row.clone()).is_none(), "{id}");
            }
            Next::Rejected(reject) => panic!("{reject}"),
            Next::End => return found,
        }
    }
}

const TEXTS: [&str; 10] =
    ["a", "北", "a,b", "say \"a\"", "\"", "a\nb\r", "\r\n", "a\\", "\\n", "\u{1}\u{2028}'"];

#[tokio::test]
async fn texts_of_every_type_read_back_in_every_dialect() {
    for (input, format) in [
        ("", Format::Csv),
        ("escape = '\\'", Format::Csv),
        ("quote = \"none\"\nescape = '\\'\nnull = ['\\N']", Format::Csv),
        ("null = ['NA', 'x']", Format::Csv),
        ("quote = \"none\"", Format::JsonLines),
        ("", Format::JsonLines),
    ] {
        let design = design(input);
        let rows = rows(&TEXTS);
        let table = table(design.clone(), &rows).await;
        let folder = tempfile::tempdir().unwrap();
        let extracted =
            table.extract(&Extract { format, ..Extract::default() }, folder.path()).await.unwrap();
        assert_eq!(extracted.total.rows, rows.len() as u64);
        let part = fs::metadata(folder.path().join(&files(folder.path())[1])).unwrap();
        assert_eq!(extracted.total.bytes, part.len());
        let found = read(&design, folder.path());
        for (id, row) in &rows {
            assert_eq!(told(&found[id]), told(row), "{input}, {format}");
        }
    }
}

#[tokio::test]
async fn what_a_dialect_can_not_write_is_an_error_and_no_other_text() {
    let without_quotes = "quote = \"none\"";
    for (input, texts, wrong) in [
        (without_quotes, &["a,b"][..], "text"),
        (without_quotes, &["a\nb"], "text"),
        ("null = []", &["a"], "text"),
    ] {
        let rows = rows(texts);
        let fields = Some(vec![0, 1]);
        let table = table(design(input), &rows).await;
        let folder = tempfile::tempdir().unwrap();
        let extract = Extract { format: Format::Csv, fields, ..Extract::default() };
        let refused = table.extract(&extract, folder.path()).await.unwrap_err();
        assert!(matches!(&refused, ExtractError::NotCsv { field } if field == wrong), "{input}: {refused}");
        assert!(files(folder.path()).is_empty());
    }
}

#[tokio::test]
async fn a_partition_has_files_of_one_format() {
    let table = stored_flights().await;
    let folder = tempfile::tempdir().unwrap();
    let formats = [Format::Parquet, Format::Csv, Format::JsonLines];
    let extract = of_day(&table, "2013-03-09");
    for (format, ending) in formats.into_iter().zip(["parquet", "csv", "jsonl"]) {
        let extract = Extract { format, existing: Existing::Overwrite, ..extract.clone() };
        table.extract(&extract, folder.path()).await.unwrap();
        let names = files(folder.path());
        assert!(names.len() > 1 && names[1..].iter().all(|name| name.ends_with(ending)), "{names:?}");
        for format in formats {
            let other = Extract { format, existing: Existing::Refuse, ..extract.clone() };
            let refused = table.extract(&other, folder.path()).await;
            assert!(matches!(refused, Err(ExtractError::NotEmpty { .. })), "{format}");
        }
    }
    fs::write(folder.path().join("dt=2013-03-09/notes.csv"), "not ours").unwrap();
    let overwrite = Extract { existing: Existing::Overwrite, ..extract };
    let refused = table.extract(&overwrite, folder.path()).await;
    assert!(matches!(refused, Err(ExtractError::OtherFile { .. })));
}
