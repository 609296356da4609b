//! The partitions of a query, read as record batches, are the rows that the query returns.

use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMillisecondType, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use futures_util::TryStreamExt;
use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_store::{LATEST, MemoryStore, MutationBatch, Order, Store, Write};
use keystride_table::arrow::{BatchError, PartitionOrder, QueryPartition};
use keystride_table::{Query, RowOrder, Table};

use crate::flights;
use crate::stores::{put, read, stores, table};

/// Returns the value of a column of flights.
fn value(column: &ArrayRef, at: usize) -> Value<'_> {
    match column.data_type() {
        DataType::Utf8 => Value::Text(column.as_string::<i32>().value(at)),
        DataType::Int32 => Value::Int(column.as_primitive::<Int32Type>().value(at).into()),
        DataType::Int64 => Value::Int(column.as_primitive::<Int64Type>().value(at).into()),
        DataType::UInt32 => Value::Int(column.as_primitive::<UInt32Type>().value(at).into()),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            let millis = column.as_primitive::<TimestampMillisecondType>().value(at);
            assert_eq!(millis % 1_000, 0);
            Value::Int((millis / 1_000).into())
        }
        other => panic!("no field of a flight is of {other}"),
    }
}

/// Returns the rows of batches whose columns are `fields`.
fn rows(design: &Design, fields: &[usize], batches: &[RecordBatch]) -> Vec<Row> {
    let mut rows = Vec::new();
    for batch in batches {
        assert!(batch.num_rows() > 0, "no batch is empty");
        for at in 0..batch.num_rows() {
            let mut row = Row::new(design.fields().len());
            for (&field, column) in
                fields.iter().zip(batch.columns()).filter(|(_, column)| column.is_valid(at))
            {
                row.set(field, value(column, at));
            }
            rows.push(row);
        }
    }
    rows
}

async fn partitions(table: &Table, query: &Query, most: usize) -> Vec<QueryPartition> {
    let prepared = table.prepare(query).unwrap();
    prepared.partitions(NonZeroUsize::new(most).unwrap()).await.unwrap()
}

async fn batches(partition: &QueryPartition) -> Vec<RecordBatch> {
    partition.batches().try_collect().await.unwrap()
}

/// Reads the rows of each partition.
pub(crate) async fn read_apart(table: &Table, query: &Query, most: usize) -> Vec<Vec<Row>> {
    let all = || table.design().source_fields().map(|(index, _)| index).collect();
    let fields = query.fields.clone().unwrap_or_else(all);
    let mut apart = Vec::new();
    for partition in partitions(table, query, most).await {
        let batches = batches(&partition).await;
        let names: Vec<_> = fields.iter().map(|&field| &table.design().fields()[field].name).collect();
        for batch in &batches {
            let schema = batch.schema();
            assert_eq!(schema.fields().iter().map(|field| field.name()).collect::<Vec<_>>(), names);
        }
        apart.push(rows(table.design(), &fields, &batches));
    }
    apart
}

async fn queried(table: &Table, query: &Query) -> Vec<Row> {
    read(table, query).await.into_iter().map(|(_, row)| row).collect()
}

fn sorted(rows: impl IntoIterator<Item = Row>) -> Vec<String> {
    let mut shown: Vec<String> = rows.into_iter().map(|row| format!("{row:?}")).collect();
    shown.sort();
    shown
}

fn predicate(table: &Table, text: &str) -> Predicate {
    Predicate::parse(text, table.design()).unwrap()
}

#[tokio::test]
async fn four_partitions_have_each_row_once() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        let apart = read_apart(&table, &Query::default(), 4).await;
        assert_eq!(apart.len(), 4);
        assert!(apart.iter().all(|rows| !rows.is_empty()));
        assert_eq!(sorted(apart.concat()), sorted(flights::rows(table.design())));
    }
}

#[tokio::test]
async fn every_condition_of_a_predicate_is_applied() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        for text in [
            "tailnum = 'N564JB'",
            "tailnum in ('N564JB', 'N14228', 'N24211')",
            "dep_delay > 30 and origin = 'JFK'",
            "left(dest,1) = 'A' or tailnum is null",
            "not (carrier = 'UA') and time >= '2013-03-08T12:00:00-05:00' and dep_delay is not null",
            "flight < 1 or tailnum < 'N2'",
        ] {
            let predicate = predicate(&table, text);
            let wanted = |row: &Row| predicate.matches(table.design(), row);
            let expected: Vec<Row> = flights::rows(table.design()).into_iter().filter(wanted).collect();
            let apart = read_apart(&table, &Query::of(predicate.clone()), 4).await;
            assert!(apart.len() <= 4);
            assert_eq!(sorted(apart.concat()), sorted(expected), "{text}");
        }
    }
}

#[tokio::test]
async fn only_the_columns_asked_for_are_there_in_the_order_asked_for() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        for fields in [vec![7, 0, 5], vec![3], vec![6]] {
            let query = Query { fields: Some(fields), ..Query::of(predicate(&table, "distance > 500")) };
            let apart = read_apart(&table, &query, 4).await;
            assert_eq!(sorted(apart.concat()), sorted(queried(&table, &query).await));
        }
        let without = Query { fields: Some(Vec::new()), ..Query::default() };
        assert_eq!(read_apart(&table, &without, 4).await.concat().len(), 200);
    }
}

#[tokio::test]
async fn a_limit_holds_for_each_partition() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        let all = sorted(flights::rows(table.design()));
        for (limit, text) in [(0, None), (5, None), (5, Some("left(dest,1) > 'A'")), (1_000, None)] {
            let predicate = text.map(|text| predicate(&table, text));
            let query = Query { predicate, limit: Some(limit), ..Query::default() };
            let limit = usize::try_from(limit).unwrap();
            let apart = read_apart(&table, &query, 4).await;
            assert!(apart.iter().all(|rows| rows.len() <= limit), "{query:?}");
            let found = sorted(apart.concat());
            assert!(found.len() >= limit.min(200), "{query:?}");
            assert!(found.iter().all(|row| all.contains(row)));
        }
    }
}

#[tokio::test]
async fn each_partition_is_in_the_order_of_the_query() {
    let planes = "tailnum in ('N564JB', 'N14228', 'N24211', 'N619AA', 'N804JB', 'N668DN', 'N39463')";
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        let of_time = |order| PartitionOrder::Time { field: 0, order };
        for (order, text, limit, told) in [
            (RowOrder::Any, None, None, PartitionOrder::Any),
            (RowOrder::Key, None, None, PartitionOrder::Key(Order::Ascending)),
            (RowOrder::KeyReversed, Some("dep_delay > 0"), None, PartitionOrder::Key(Order::Descending)),
            (RowOrder::Newest, Some(planes), None, of_time(Order::Descending)),
            (RowOrder::Oldest, Some(planes), None, of_time(Order::Ascending)),
            (RowOrder::Newest, None, Some(200), of_time(Order::Descending)),
            (RowOrder::Oldest, Some("dep_delay > 0"), Some(200), of_time(Order::Ascending)),
        ] {
            let predicate = text.map(|text| predicate(&table, text));
            let query = Query { predicate, order, limit, ..Query::default() };
            let partitions = partitions(&table, &query, 4).await;
            assert!(partitions.len() > 1 && partitions.iter().all(|partition| partition.order() == told));
            let mut left = queried(&table, &query).await;
            for rows in read_apart(&table, &query, 4).await {
                let (own, others) = left.into_iter().partition(|row| rows.contains(row));
                if order == RowOrder::Any {
                    assert_eq!(sorted(rows), sorted(own));
                } else {
                    assert_eq!(rows, own, "{order:?} {text:?}");
                }
                left = others;
            }
            assert!(left.is_empty());
        }
    }
}

#[tokio::test]
async fn the_first_rows_by_time_are_among_those_of_each_partition() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        let query = Query { order: RowOrder::Newest, limit: Some(7), ..Query::default() };
        let mut apart = read_apart(&table, &query, 4).await;
        assert!(apart.iter().all(|rows| rows.len() == 7));
        let first = queried(&table, &query).await;
        let mut together = apart.drain(..).flatten().collect::<Vec<_>>();
        together.retain(|row| first.contains(row));
        assert_eq!(sorted(together), sorted(first));
    }
}

#[tokio::test]
async fn there_are_no_more_partitions_than_pieces_and_none_without_keys() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = flights::table(store).await;
        let apart = read_apart(&table, &Query::default(), 1_000).await;
        assert_eq!(apart.len(), 8);
        assert_eq!(sorted(apart.concat()), sorted(flights::rows(table.design())));
        assert_eq!(partitions(&table, &Query::default(), 1).await.len(), 1);
        let never = Query::of(predicate(&table, "tailnum = 'A' and tailnum = 'B'"));
        assert!(partitions(&table, &never, 4).await.is_empty());
    }
}

#[tokio::test]
async fn an_empty_table_has_partitions_without_batches() {
    let design = flights::design();
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design, &design.split_points(&mut []).unwrap()).await;
        for order in [RowOrder::Any, RowOrder::Key, RowOrder::Newest] {
            let query = Query { order, limit: Some(9), ..Query::default() };
            for partition in partitions(&table, &query, 4).await {
                assert!(batches(&partition).await.is_empty());
            }
        }
    }
}

const NOTES: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
    note = { type = \"string\" }\nt = { type = \"time\", unit = \"s\" }\n\
    [key]\nparts = [{ bucket = 2, of = [\"id\"], width = 1 }, { field = \"id\", pad = 6 }]";

async fn notes(count: usize, note: &str) -> Table {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let table = table(&store, &Design::from_toml(NOTES).unwrap(), &SplitPoints::default()).await;
    let row = |id: usize| {
        let mut row = Row::new(3);
        row.set(0, Value::Int(id.try_into().unwrap()));
        row.set(1, Value::Text(note));
        row
    };
    put(&table, &(0..count).map(row).collect::<Vec<_>>()).await;
    table
}

#[tokio::test]
async fn batches_end_by_their_rows_and_by_their_bytes() {
    for (count, note_len, most) in [(20_000, 3, 8_192), (300, 1 << 16, 64)] {
        let table = notes(count, &"n".repeat(note_len)).await;
        for order in [RowOrder::Any, RowOrder::Key] {
            let query = Query { order, ..Query::default() };
            let partition = partitions(&table, &query, 1).await.remove(0);
            let sizes: Vec<usize> = batches(&partition).await.iter().map(RecordBatch::num_rows).collect();
            assert_eq!(sizes.iter().sum::<usize>(), count);
            assert_eq!(sizes.iter().max(), Some(&most));
            assert_eq!(sizes.len(), count.div_ceil(most));
        }
    }
}

#[tokio::test]
async fn nothing_is_read_before_it_is_asked_for_nor_after_the_stream_is_gone() {
    let table = notes(100_000, "n").await;
    let before = table.store().rows_read();
    let partitions = partitions(&table, &Query::default(), 2).await;
    let mut stream = partitions[0].batches();
    assert_eq!(table.store().rows_read(), before);
    assert_eq!(stream.try_next().await.unwrap().unwrap().num_rows(), 8_192);
    drop(stream);
    let read = table.store().rows_read() - before;
    assert!((8_192..30_000).contains(&read), "{read}");
}

async fn put_cells(table: &Table, cells: &[(&str, &str, &[u8])]) {
    let mut batch = MutationBatch::new();
    for (key, qualifier, value) in cells {
        batch.put(key.as_bytes(), b"f", qualifier.as_bytes(), LATEST, value).unwrap();
    }
    table.store().write(table.name(), Write::of(batch)).await.unwrap();
}

/// Returns the error of a query's only partition, as it is and with its causes.
async fn refused(table: &Table, order: RowOrder) -> (BatchError, String) {
    let query = Query { order, ..Query::default() };
    let partition = partitions(table, &query, 1).await.remove(0);
    let error = partition.batches().try_collect::<Vec<_>>().await.unwrap_err();
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        told = format!("{told}: {error}");
        cause = error.source();
    }
    (error, told)
}

#[tokio::test]
async fn of_values_that_do_not_fit_the_first_is_told() {
    for order in [RowOrder::Any, RowOrder::Key] {
        let table = notes(3, "n").await;
        let beyond = (i64::MAX / 100).to_string();
        put_cells(&table, &[("0000010", "t", beyond.as_bytes())]).await;
        let (error, told) = refused(&table, order).await;
        assert!(matches!(error, BatchError::TimeOutOfRange(_)), "{error:?}");
        assert_eq!(
            told,
            format!("row \"0000010\", field \"t\": {beyond} s is beyond 64 bits of milliseconds")
        );
        put_cells(&table, &[("0000008", "note", b"\xc3"), ("0000012", "note", b"\xff")]).await;
        let (error, told) = refused(&table, order).await;
        assert!(matches!(error, BatchError::Read(_)), "{error:?}");
        assert!(told.contains("0000008") && told.contains("UTF-8"), "{told}");
    }
}
