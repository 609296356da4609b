//! Extracts to Parquet: read back, refused, replaced, cut off and resumed.

use std::collections::BTreeMap;
use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float64Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, UInt32Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_store::{LATEST, MemoryStore, MutationBatch, Store, Write};
use keystride_table::Table;
use keystride_table::extract::{Counts, Day, Existing, Extract, ExtractError, Extracted, Partition};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::RowGroupMetaData;

use crate::flights;
use crate::stores::{put, stores};

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

fn batches(file: &Path) -> Vec<RecordBatch> {
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(fs::File::open(file).unwrap()).unwrap().build().unwrap();
    reader.map(Result::unwrap).collect()
}

/// All rows of a partition.
pub(crate) fn read_back(folder: &Path) -> Vec<RecordBatch> {
    let parquet = files(folder).into_iter().filter(|file| file.ends_with(".parquet"));
    parquet.flat_map(|file| batches(&folder.join(file))).collect()
}

fn row_count(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}

async fn flights() -> Table {
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

#[tokio::test]
async fn a_day_of_flights_is_one_partition_and_reads_back() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        let folder = tempfile::tempdir().unwrap();
        let extracted = table.extract(&of_day(&table, "2013-03-09"), folder.path()).await.unwrap();
        let expected = on_the_ninth(&table);
        assert_eq!(extracted.total.rows, expected.len() as u64);
        assert_eq!(extracted.partitions, [("dt=2013-03-09".to_owned(), extracted.total)]);
        let partition = folder.path().join("dt=2013-03-09");
        let batches = read_back(&partition);
        assert_eq!(told(&batches), told_rows(&expected));
        let names = files(folder.path());
        assert_eq!(names[0], "dt=2013-03-09/_SUCCESS");
        assert_eq!(names[1], "dt=2013-03-09/part-00000.parquet");
        assert_eq!(names.len() as u64, extracted.total.files + 1);
        let bytes: u64 =
            files(&partition).iter().map(|file| fs::metadata(partition.join(file)).unwrap().len()).sum();
        assert_eq!(bytes, extracted.total.bytes);
    }
}

#[tokio::test]
async fn columns_have_the_types_of_their_fields() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                text = { type = \"string\" }\ndigits = { type = \"digits\", len = 3 }\ni = { type = \"i32\" }\nl = { type = \"i64\" }\n\
                u = { type = \"u32\" }\nw = { type = \"u64\" }\nf = { type = \"f32\" }\nd = { type = \"f64\" }\nb = { type = \"bool\" }\n\
                raw = { type = \"bytes\" }\nuuid = { type = \"uuid\" }\ns = { type = \"time\", unit = \"s\" }\nms = { type = \"time\", format = \"yyyyMMdd\" }\n\
                us = { type = \"time\", unit = \"us\" }\nns = { type = \"time\", unit = \"ns\" }\nhead = { from = \"left(text,1)\" }\n\
                [key]\nparts = [{ field = \"id\" }]";
    let design = Design::from_toml(toml).unwrap();
    let table =
        Table::create(Arc::new(MemoryStore::default()), design, &SplitPoints::default()).await.unwrap();
    let mut row = Row::new(17);
    let values = [
        Value::Int(7),
        Value::Text("héllo"),
        Value::Text("007"),
        Value::Int(-1),
        Value::Int(i64::MIN.into()),
        Value::Int(u32::MAX.into()),
        Value::Int(u64::MAX.into()),
        Value::F32(0.5),
        Value::F64(-0.25),
        Value::Bool(true),
        Value::Bytes(b"\0\xff"),
        Value::Uuid([0xab; 16]),
        Value::Int(1_362_700_800),
        Value::Int(1_362_700_800_000),
        Value::Int(5),
        Value::Int(6),
    ];
    values.iter().enumerate().for_each(|(field, &value)| row.set(field, value));
    let mut bare = Row::new(17);
    bare.set(0, Value::Int(8));
    put(&table, &[row, bare]).await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { fields: Some((0..17).collect()), ..Extract::default() };
    table.extract(&extract, folder.path()).await.unwrap();
    let batches = read_back(folder.path());
    let [batch] = batches.as_slice() else { panic!("two rows are one batch") };
    let time = |unit| DataType::Timestamp(unit, Some("UTC".into()));
    let expected = [
        DataType::Int64,
        DataType::Utf8,
        DataType::Utf8,
        DataType::Int32,
        DataType::Int64,
        DataType::UInt32,
        DataType::UInt64,
        DataType::Float32,
        DataType::Float64,
        DataType::Boolean,
        DataType::Binary,
        DataType::FixedSizeBinary(16),
        time(TimeUnit::Millisecond),
        time(TimeUnit::Millisecond),
        time(TimeUnit::Microsecond),
        time(TimeUnit::Nanosecond),
        DataType::Utf8,
    ];
    let schema = batch.schema();
    let types: Vec<&DataType> = schema.fields().iter().map(|field| field.data_type()).collect();
    assert_eq!(types, expected.iter().collect::<Vec<_>>());
    let shown = |column: usize, row: usize| {
        let array = batch.column(column);
        if array.is_null(row) { "null".to_owned() } else { format!("{:?}", array.slice(row, 1)) }
    };
    assert_eq!(batch.column(1).as_string::<i32>().value(0), "héllo");
    assert_eq!(batch.column(2).as_string::<i32>().value(0), "007");
    assert_eq!(batch.column(8).as_primitive::<Float64Type>().value(0).to_bits(), (-0.25f64).to_bits());
    assert_eq!(batch.column(10).as_binary::<i32>().value(0), b"\0\xff");
    assert_eq!(batch.column(11).as_fixed_size_binary().value(0), [0xab; 16]);
    assert_eq!(batch.column(12).as_primitive::<TimestampMillisecondType>().value(0), 1_362_700_800_000);
    assert_eq!(batch.column(13).as_primitive::<TimestampMillisecondType>().value(0), 1_362_700_800_000);
    assert_eq!(batch.column(14).as_primitive::<TimestampMicrosecondType>().value(0), 5);
    assert_eq!(batch.column(15).as_primitive::<TimestampNanosecondType>().value(0), 6);
    assert!(shown(6, 0).contains("18446744073709551615"), "{}", shown(6, 0));
    assert_eq!(batch.column(16).as_string::<i32>().value(0), "h");
    assert!((1..17).all(|column| shown(column, 1) == "null"));
}

#[tokio::test]
async fn a_text_that_is_stored_in_other_bytes_is_a_text() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                text = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]\n\
                [columns]\ntext = { as = \"ordered-bytes\" }";
    let design = Design::from_toml(toml).unwrap();
    let table =
        Table::create(Arc::new(MemoryStore::default()), design, &SplitPoints::default()).await.unwrap();
    let mut row = Row::new(2);
    row.set(0, Value::Int(7));
    row.set(1, Value::Text("héllo"));
    put(&table, &[row]).await;
    let folder = tempfile::tempdir().unwrap();
    table.extract(&Extract::default(), folder.path()).await.unwrap();
    assert_eq!(read_back(folder.path())[0].column(1).as_string::<i32>().value(0), "héllo");
}

#[tokio::test]
async fn days_are_partitions_and_every_row_is_in_its_own() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
    let extracted = table.extract(&extract, folder.path()).await.unwrap();
    assert_eq!(extracted.total.rows, 200);
    let days: Vec<&str> = extracted.partitions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(days, ["dt=2013-03-08", "dt=2013-03-09", "dt=2013-03-10"]);
    let mut rows = 0;
    for (name, counts) in &extracted.partitions {
        let batches = read_back(&folder.path().join(name));
        assert_eq!(row_count(&batches) as u64, counts.rows);
        rows += counts.rows;
        let day = Day::parse(&name["dt=".len()..], table.design(), 0).unwrap();
        let alone = tempfile::tempdir().unwrap();
        let of_day = table.extract(&Extract::of_day(day), alone.path()).await.unwrap();
        assert_eq!(of_day.total.rows, counts.rows);
        assert_eq!(told(&read_back(&alone.path().join(name))), told(&batches));
        assert!(folder.path().join(name).join("_SUCCESS").exists());
    }
    assert_eq!(rows, 200);
}

#[tokio::test]
async fn a_predicate_is_extracted_without_partitions() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let predicate = Predicate::parse("dest = 'IAH' and dep_delay > 10", table.design()).unwrap();
    let expected =
        flights::rows(table.design()).into_iter().filter(|row| predicate.matches(table.design(), row));
    let expected: Vec<Row> = expected.collect();
    assert!(!expected.is_empty());
    let extract = Extract { predicate: Some(predicate), ..Extract::default() };
    table.extract(&extract, folder.path()).await.unwrap();
    assert_eq!(told(&read_back(folder.path())), told_rows(&expected));
}

#[tokio::test]
async fn many_parts_of_every_store_are_all_the_rows() {
    let (stores, _folder) = stores().await;
    for store in stores {
        let table = flights::table(&store).await;
        let folder = tempfile::tempdir().unwrap();
        let parts = Extract { part_rows: NonZeroU64::MIN, ..Extract::default() };
        let extracted = table.extract(&parts, folder.path()).await.unwrap();
        assert!(extracted.total.files >= 7, "{extracted:?}");
        assert_eq!(told(&read_back(folder.path())), told_rows(&flights::rows(table.design())));
    }
}

#[tokio::test]
async fn a_day_without_rows_is_an_empty_partition_that_is_complete() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extracted = table.extract(&of_day(&table, "20010101"), folder.path()).await.unwrap();
    assert_eq!(extracted.partitions, [("dt=2001-01-01".to_owned(), Counts::default())]);
    assert_eq!(files(folder.path()), ["dt=2001-01-01/_SUCCESS"]);
}

#[tokio::test]
async fn files_that_are_there_are_refused_or_replaced() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let partition = folder.path().join("dt=2013-03-09");
    fs::create_dir(&partition).unwrap();
    fs::write(partition.join("part-old.parquet"), "old").unwrap();
    fs::write(partition.join("_SUCCESS"), "").unwrap();
    let extract = of_day(&table, "2013-03-09");
    for existing in [Existing::Refuse, Existing::Resume] {
        let refused = table.extract(&Extract { existing, ..extract.clone() }, folder.path()).await;
        assert!(matches!(refused, Err(ExtractError::NotEmpty { folder }) if folder == partition));
        assert_eq!(files(&partition), ["_SUCCESS", "part-old.parquet"]);
    }
    let by_day = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
    assert!(matches!(table.extract(&by_day, folder.path()).await, Err(ExtractError::NotEmpty { .. })));
    assert_eq!(files(folder.path()), ["dt=2013-03-09/_SUCCESS", "dt=2013-03-09/part-old.parquet"]);

    let overwrite = Extract { existing: Existing::Overwrite, ..extract };
    for _ in 0..2 {
        table.extract(&overwrite, folder.path()).await.unwrap();
        assert!(!files(&partition).contains(&"part-old.parquet".to_owned()));
        assert_eq!(told(&read_back(&partition)), told_rows(&on_the_ninth(&table)));
    }

    let all = Extract { existing: Existing::Overwrite, ..by_day };
    for extract in [&overwrite, &all] {
        fs::write(partition.join("notes.txt"), "not ours").unwrap();
        let before = files(folder.path());
        let refused = table.extract(extract, folder.path()).await;
        assert!(
            matches!(refused, Err(ExtractError::OtherFile { path }) if path == partition.join("notes.txt"))
        );
        assert_eq!(files(folder.path()), before);
    }
}

#[tokio::test]
async fn a_file_of_another_size_is_not_taken_for_that_of_an_earlier_run() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { existing: Existing::Resume, ..of_day(&table, "2013-03-09") };
    table.extract(&extract, folder.path()).await.unwrap();
    let partition = folder.path().join("dt=2013-03-09");
    let part = partition.join("part-00000.parquet");
    fs::write(&part, "old").unwrap();
    let gone = |refused| matches!(refused, Err(ExtractError::PartGone { path }) if path == part);
    assert!(gone(table.extract(&extract, folder.path()).await), "it is complete");
    let manifest = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let manifest =
        manifest.into_iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    let publishing = fs::read_to_string(&manifest).unwrap().replace("\"done\",", "\"publishing\",");
    assert!(publishing.contains("publishing"));
    fs::write(&manifest, publishing).unwrap();
    assert!(gone(table.extract(&extract, folder.path()).await), "it is being published");
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

/// An extract of all days in small parts, one after the other.
fn by_day_in_turn(existing: Existing) -> Extract {
    Extract {
        partition: Partition::ByDay { field: 0 },
        workers: NonZeroUsize::MIN,
        part_rows: NonZeroU64::MIN,
        existing,
        ..Extract::default()
    }
}

#[tokio::test]
async fn an_extract_that_was_cut_off_shows_nothing_and_goes_on() {
    for existing in [Existing::Refuse, Existing::Overwrite] {
        let table = flights().await;
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("dt=2013-03-09");
        if existing == Existing::Overwrite {
            fs::create_dir(&old).unwrap();
            fs::write(old.join("part-old.parquet"), "old").unwrap();
        }
        let before = files(folder.path());
        let by_day = by_day_in_turn(existing);
        let clear = stumbling_block(&table).await;
        let failed = table.extract(&by_day, folder.path()).await;
        assert!(matches!(failed, Err(ExtractError::Read(_))), "{failed:?}");
        assert_eq!(files(folder.path()), before);

        clear(&table).await;
        if existing == Existing::Overwrite {
            let refusing = Extract { existing: Existing::Refuse, ..by_day.clone() };
            let refused = table.extract(&refusing, folder.path()).await;
            assert!(matches!(refused, Err(ExtractError::NotEmpty { .. })), "{refused:?}");
        }
        let resume = Extract { existing: Existing::Resume, ..by_day.clone() };
        let resumed = table.extract(&resume, folder.path()).await.unwrap();
        assert!(resumed.parts_kept >= 7, "{resumed:?}");
        assert_eq!(resumed.total.rows, 200);
        assert!(!old.join("part-old.parquet").exists());
        check_whole(&table, folder.path(), &resumed);

        // Once more there is nothing left to do.
        let again = table.extract(&resume, folder.path()).await.unwrap();
        assert_eq!((again.total, again.partitions.clone()), (resumed.total, resumed.partitions));
        check_whole(&table, folder.path(), &again);
    }
}

#[tokio::test]
async fn an_extract_that_goes_on_leaves_what_another_one_has_published_meanwhile() {
    for existing in [Existing::Refuse, Existing::Overwrite] {
        let table = flights().await;
        let folder = tempfile::tempdir().unwrap();
        let by_day = by_day_in_turn(existing);
        let clear = stumbling_block(&table).await;
        table.extract(&by_day, folder.path()).await.unwrap_err();
        clear(&table).await;
        let of_ninth = Extract { existing, ..of_day(&table, "2013-03-09") };
        table.extract(&of_ninth, folder.path()).await.unwrap();
        let published = files(folder.path());

        let resumed = table.extract(&Extract { existing: Existing::Resume, ..by_day }, folder.path()).await;
        match existing {
            Existing::Overwrite => {
                assert!(matches!(resumed, Err(ExtractError::PartGone { .. })), "{resumed:?}");
            }
            _ => assert!(matches!(resumed, Err(ExtractError::NotEmpty { .. })), "{resumed:?}"),
        }
        assert_eq!(files(folder.path()), published);
    }
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

#[tokio::test]
async fn a_new_run_after_a_failed_one_begins_anew() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
    let clear = stumbling_block(&table).await;
    table.extract(&extract, folder.path()).await.unwrap_err();
    clear(&table).await;
    let extracted = table.extract(&extract, folder.path()).await.unwrap();
    assert_eq!((extracted.parts_kept, extracted.total.rows), (0, 200));
    check_whole(&table, folder.path(), &extracted);
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

#[tokio::test]
async fn hidden_files_of_killed_extracts_go_with_the_next_one_and_one_manifest_is_kept() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let clear = stumbling_block(&table).await;
    let by_day = Extract {
        partition: Partition::ByDay { field: 0 },
        fields: Some(vec![0, 1]),
        workers: NonZeroUsize::MIN,
        part_rows: NonZeroU64::MIN,
        ..Extract::default()
    };
    table.extract(&by_day, folder.path()).await.unwrap_err();
    // A part that was being written when its extract was killed is in no manifest.
    let mut parts = hidden(folder.path());
    parts.retain(|name| name.contains("-part-"));
    let old = folder.path().join("dt=1999-01-01");
    fs::create_dir(&old).unwrap();
    fs::write(old.join(parts[0].replace("-part-", "-part-9")), "cut off").unwrap();
    let other = Extract { fields: None, existing: Existing::Overwrite, ..by_day.clone() };
    table.extract(&other, folder.path()).await.unwrap_err();
    clear(&table).await;

    for (extract, manifests) in [(&by_day, 2), (&other, 1)] {
        table.extract(extract, folder.path()).await.unwrap();
        let left = hidden(folder.path());
        let is_manifest = |name: &String| name.starts_with(".keystride-extract-");
        assert_eq!((left.len(), left.iter().all(is_manifest)), (manifests, true), "{left:?}");
    }
}

#[tokio::test]
async fn days_that_come_mixed_find_their_files() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                t = { type = \"time\", unit = \"s\" }\n[key]\nparts = [{ field = \"id\", as = \"be\" }]";
    let design = Design::from_toml(toml).unwrap();
    let table =
        Table::create(Arc::new(MemoryStore::default()), design, &SplitPoints::default()).await.unwrap();
    let mut expected: BTreeMap<i128, u64> = BTreeMap::new();
    let mut rows = Vec::new();
    for id in 0..3_000i128 {
        let day = id * 7_919 % 40;
        let mut row = Row::new(2);
        row.set(0, Value::Int(id));
        if id % 100 > 0 {
            row.set(1, Value::Int(1_400_000_000 / 86_400 * 86_400 + day * 86_400 + id % 86_400));
            *expected.entry(day).or_default() += 1;
        }
        rows.push(row);
    }
    put(&table, &rows).await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { partition: Partition::ByDay { field: 1 }, ..Extract::default() };
    let extracted = table.extract(&extract, folder.path()).await.unwrap();
    let counts: Vec<u64> = extracted.partitions.iter().map(|(_, counts)| counts.rows).collect();
    let (_, days) = counts.split_last().unwrap();
    let (no_day, counts) = extracted.partitions.last().unwrap();
    assert_eq!((no_day.as_str(), counts.rows), ("dt=__HIVE_DEFAULT_PARTITION__", 30));
    assert_eq!(days, expected.into_values().collect::<Vec<_>>());
    for (name, counts) in &extracted.partitions {
        assert_eq!(row_count(&read_back(&folder.path().join(name))) as u64, counts.rows, "{name}");
    }
}

#[tokio::test]
async fn a_partition_column_stays_in_its_folder_and_has_a_name_of_its_own() {
    let table = flights().await;
    let extract = Extract { partition_column: "time".to_owned(), ..of_day(&table, "2013-03-09") };
    let refused = table.extract(&extract, Path::new("never made")).await;
    assert!(matches!(refused, Err(ExtractError::PartitionColumnTaken { name }) if name == "time"));
    let extract = Extract { partition_column: "a/../b".to_owned(), ..extract };
    let refused = table.extract(&extract, Path::new("never made")).await;
    assert!(matches!(refused, Err(ExtractError::PartitionColumn { name }) if name == "a/../b"));
    assert!(!Path::new("never made").exists());
}

const READ_WITH_PYARROW: &str = "
import sys, pyarrow.dataset as dataset
table = dataset.dataset(sys.argv[1], partitioning='hive').to_table()
days = sorted(set(table['dt'].to_pylist()))
print(table.num_rows, days[0], days[-1], sum(table['distance'].to_pylist()), table.schema.field('time').type)
";

#[tokio::test]
async fn pyarrow_reads_the_partitions() {
    let Ok(python) = std::env::var("KEYSTRIDE_PYTHON") else {
        eprintln!("skipped: KEYSTRIDE_PYTHON names no Python with pyarrow; ./test makes one");
        return;
    };
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
    table.extract(&extract, folder.path()).await.unwrap();
    let read = Command::new(python).args(["-c", READ_WITH_PYARROW]).arg(folder.path()).output().unwrap();
    let distance: i128 = flights::rows(table.design())
        .iter()
        .map(|row| if let Some(Value::Int(distance)) = row.get(7) { distance } else { 0 })
        .sum();
    let expected = format!("200 2013-03-08 2013-03-10 {distance} timestamp[ms, tz=UTC]\n");
    assert_eq!(String::from_utf8_lossy(&read.stdout), expected, "{}", String::from_utf8_lossy(&read.stderr));
}

#[tokio::test]
async fn files_that_are_no_manifests_of_other_extracts_stay() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    table.extract(&of_day(&table, "2013-03-09"), folder.path()).await.unwrap();
    let manifest = hidden(folder.path()).pop().unwrap();
    let copies = ["kept.json", ".keystride-extract-kept.txt", ".kept.json"];
    for copy in copies {
        fs::copy(folder.path().join(&manifest), folder.path().join(copy)).unwrap();
    }
    table.extract(&of_day(&table, "2013-03-08"), folder.path()).await.unwrap();
    assert!(copies.iter().all(|copy| folder.path().join(copy).exists()));
    assert!(!folder.path().join(manifest).exists());
}

#[tokio::test]
async fn columns_are_packed_with_zstandard() {
    let table = flights().await;
    let folder = tempfile::tempdir().unwrap();
    table.extract(&Extract::default(), folder.path()).await.unwrap();
    for file in files(folder.path()).into_iter().filter(|file| file.ends_with(".parquet")) {
        let file = fs::File::open(folder.path().join(file)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let groups = reader.metadata().row_groups();
        assert!(!groups.is_empty());
        for column in groups.iter().flat_map(RowGroupMetaData::columns) {
            assert!(matches!(column.compression(), parquet::basic::Compression::ZSTD(_)));
        }
    }
}
