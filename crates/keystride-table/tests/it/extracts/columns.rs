//! Types, values and compression of columns.

use std::fs;
use std::sync::Arc;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use arrow_schema::{DataType, TimeUnit};
use keystride::{Design, Row, SplitPoints, Value};
use keystride_store::MemoryStore;
use keystride_table::Table;
use keystride_table::extract::Extract;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::RowGroupMetaData;

use super::{files, read_back, stored_flights};
use crate::stores::put;

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
async fn columns_are_packed_with_zstandard() {
    let table = stored_flights().await;
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
