//! Reads touch the least: counted by the store itself.

use std::sync::Arc;

use futures_util::TryStreamExt;
use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_store::Store;
use keystride_table::{Query, RowOrder, Rows, Table};

use crate::stores::{put, read, stores, table};

fn design() -> Design {
    Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"digits\", len = 5 }\n\
         t = { type = \"time\", unit = \"s\" }\nstate = { type = \"string\" }\n\
         [key]\nparts = [{ bucket = 16, of = [\"id\"] }, { field = \"t\", desc = 9999999999 }, { field = \"id\" }]",
    )
    .unwrap()
}

fn rows() -> Vec<Row> {
    let row = |number: i128| {
        let mut row = Row::new(3);
        row.set(0, Value::Text(&format!("{:05}", number * 7919 % 100_000)));
        row.set(1, Value::Int(1_400_000_000 + number));
        row.set(2, Value::Text(if number % 400 == 0 { "odd" } else { "plain" }));
        row
    };
    (0..4_000).map(row).collect()
}

async fn rows_read(table: &Table, query: &Query) -> (usize, u64) {
    let before = table.store().rows_read();
    let found = read(table, query).await.len();
    (found, table.store().rows_read() - before)
}

async fn filled(store: &Arc<dyn Store>) -> Table {
    let table = table(store, &design(), &SplitPoints::default()).await;
    put(&table, &rows()).await;
    table
}

#[tokio::test]
async fn a_limit_of_5_over_16_buckets_reads_at_most_96_rows() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = filled(store).await;
        for order in [RowOrder::Key, RowOrder::KeyReversed, RowOrder::Newest, RowOrder::Oldest] {
            let (found, read) = rows_read(&table, &Query { order, limit: Some(5), ..Query::default() }).await;
            assert_eq!(found, 5);
            assert!(read <= 96, "{order:?} read {read} rows of {store:?}");
        }
        let (found, read) = rows_read(&table, &Query { limit: Some(5), ..Query::default() }).await;
        assert_eq!((found, read), (5, 5));
    }
}

#[tokio::test]
async fn a_hundred_of_16_buckets_read_a_few_hundred_rows() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = filled(store).await;
        let query = Query { order: RowOrder::Newest, limit: Some(100), ..Query::default() };
        let (found, read) = rows_read(&table, &query).await;
        assert_eq!(found, 100);
        assert!(read < 700, "{read} rows of {store:?}");
    }
}

#[tokio::test]
async fn one_row_is_read_for_one_key() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = filled(store).await;
        let predicate = Predicate::parse("id = '07919' and t = 1400000001", table.design()).unwrap();
        assert_eq!(rows_read(&table, &Query::of(predicate)).await, (1, 1));
    }
}

#[tokio::test]
async fn a_range_of_time_reads_its_rows_alone() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = filled(store).await;
        let predicate = Predicate::parse("t >= 1400000100 and t < 1400000150", table.design()).unwrap();
        let before = table.store().rows_read();
        assert_eq!(table.count(Some(&predicate)).await.unwrap(), 50);
        assert_eq!(table.store().rows_read() - before, 50);
    }
}

#[tokio::test]
async fn what_the_store_filters_does_not_use_up_the_limit() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = filled(store).await;
        let predicate = Predicate::parse("state = 'odd'", table.design()).unwrap();
        let prepared = table.prepare(&Query { limit: Some(7), ..Query::of(predicate.clone()) }).unwrap();
        let explain = prepared.explain().await.unwrap();
        assert_eq!((explain.pushed.as_slice(), &explain.kept), (&[predicate][..], &None));
        assert!(explain.limit_pushed);
        let found = read(
            &table,
            &Query {
                limit: Some(7),
                ..Query::of(Predicate::parse("state = 'odd'", table.design()).unwrap())
            },
        )
        .await;
        assert_eq!(found.len(), 7);
    }
}

#[tokio::test]
async fn a_long_list_is_left_to_the_reader() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = filled(store).await;
        for (count, is_pushed) in [(64, true), (65, false)] {
            let others = (1..count).map(|number| format!("'{number}'")).collect::<Vec<_>>();
            let text = format!("state in ({}, 'odd')", others.join(", "));
            let query = Query::of(Predicate::parse(&text, table.design()).unwrap());
            let prepared = table.prepare(&query).unwrap();
            let explain = prepared.explain().await.unwrap();
            assert_eq!((explain.pushed.len(), explain.kept.is_some()), (usize::from(is_pushed), !is_pushed));
            assert_eq!(read(&table, &query).await.len(), 10);
        }
    }
}

#[tokio::test]
async fn nothing_is_read_for_what_can_not_be() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = filled(store).await;
        let predicate = Predicate::parse("t > 1400000100 and t < 1400000100", table.design()).unwrap();
        assert_eq!(rows_read(&table, &Query::of(predicate)).await, (0, 0));
        assert_eq!(rows_read(&table, &Query { limit: Some(0), ..Query::default() }).await, (0, 0));
    }
}

#[tokio::test]
async fn batches_grow_to_4096_rows_and_end_at_4_mib() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
        text = { type = \"string\" }\n[key]\nparts = [{ field = \"id\", pad = 5 }]";
    let store: Arc<dyn Store> = Arc::new(keystride_store::MemoryStore::default());
    let table = table(&store, &Design::from_toml(toml).unwrap(), &SplitPoints::default()).await;
    let row = |id: i128, text: &str| {
        let mut row = Row::new(2);
        row.set(0, Value::Int(id));
        row.set(1, Value::Text(text));
        row
    };
    let (short, long): (Vec<_>, Vec<_>) = (
        (0..10_000).map(|id| row(id, "x")).collect(),
        (0..10).map(|id| row(id, &"x".repeat(1 << 20))).collect(),
    );
    for (rows, expected) in [
        (short, vec![64, 128, 256, 512, 1024, 2048, 4096, 1872]),
        (long, vec![4, 4, 256, 512, 1024, 2048, 4096, 2056]),
    ] {
        put(&table, &rows).await;
        let batches: Vec<_> = table.query(&Query::default()).unwrap().try_collect().await.unwrap();
        assert_eq!(batches.iter().map(Rows::len).collect::<Vec<_>>(), expected);
    }
}
