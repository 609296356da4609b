//! Which rows are extracted, and to which folder.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_store::MemoryStore;
use keystride_table::Table;
use keystride_table::extract::{Counts, Day, Extract, ExtractError, Partition};

use super::{files, of_day, on_the_ninth, read_back, row_count, stored_flights, told, told_rows};
use crate::flights;
use crate::stores::{put, stores};

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
async fn days_are_partitions_and_every_row_is_in_its_own() {
    let table = stored_flights().await;
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
    let table = stored_flights().await;
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
    let table = stored_flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extracted = table.extract(&of_day(&table, "20010101"), folder.path()).await.unwrap();
    assert_eq!(extracted.partitions, [("dt=2001-01-01".to_owned(), Counts::default())]);
    assert_eq!(files(folder.path()), ["dt=2001-01-01/_SUCCESS"]);
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
    let table = stored_flights().await;
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
    let table = stored_flights().await;
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
