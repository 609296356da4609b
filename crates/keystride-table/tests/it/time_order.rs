//! Newest and oldest rows, whether the key has the time in order or not.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_store::{LATEST, MemoryStore, MutationBatch, Store, Write};
use keystride_table::{Query, ReadError, RowOrder, Table};
use proptest::prelude::*;

use crate::stores::{put, read};

const PARTS: [&str; 8] = [
    "{ bucket = 5, of = [\"user\"] }, { field = \"user\" }, { text = \"!\" }, { field = \"t\", desc = 9999999999 }",
    "{ bucket = 4, of = [\"t\"] }, { field = \"t\" }, { field = \"user\" }",
    "{ bucket = 4, of = [\"t\"] }, { field = \"t\", as = \"be\", desc = \"long-max\" }, { field = \"user\" }",
    "{ field = \"t\", desc = \"long-max\" }, { field = \"user\" }",
    "{ field = \"user\" }, { text = \"~\" }, { field = \"t\", as = \"ordered\", desc = \"invert\" }",
    "{ bucket = 3, hash = \"random\" }, { field = \"user\", escape = true }, { field = \"t\", as = \"ordered-bytes\" }",
    "{ field = \"user\" }, { text = \"!\" }, { field = \"seq\" }",
    "{ bucket = 3, of = [\"seq\"] }, { field = \"seq\", pad = 3 }",
];

fn design(parts: &str) -> Design {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
         user = {{ type = \"string\", max_len = 2, alphabet = \"a-c\" }}\nt = {{ type = \"time\", unit = \"s\", min = 1400000000, max = 1400009999 }}\n\
         seq = {{ type = \"int\", min = 0, max = 999 }}\n[key]\nparts = [{parts}]"
    );
    Design::from_toml(&toml).unwrap()
}

fn row(user: &str, t: i128, seq: i128) -> Row {
    let mut row = Row::new(3);
    row.set(0, Value::Text(user));
    row.set(1, Value::Int(1_400_000_000 + t));
    row.set(2, Value::Int(seq));
    row
}

fn time(row: &Row) -> i128 {
    match row.get(1) {
        Some(Value::Int(time)) => time,
        other => panic!("{other:?} is no time"),
    }
}

async fn table_of(parts: &str, rows: &[Row]) -> Table {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let table = Table::create(store, design(parts), &SplitPoints::default()).await.unwrap();
    put(&table, rows).await;
    table
}

async fn check(parts: &str, rows: &[Row], predicate: &str, limit: u64) {
    let table = table_of(parts, rows).await;
    let predicate = Predicate::parse(predicate, table.design()).unwrap();
    let wanted = read(&table, &Query::of(predicate.clone())).await;
    for (order, sign) in [(RowOrder::Newest, -1), (RowOrder::Oldest, 1)] {
        let mut times: Vec<i128> = wanted.iter().map(|(_, row)| time(row)).collect();
        times.sort_by_key(|time| sign * time);
        times.truncate(usize::try_from(limit).unwrap());
        let found = read(&table, &Query { order, limit: Some(limit), ..Query::of(predicate.clone()) }).await;
        let found_times: Vec<i128> = found.iter().map(|(_, row)| time(row)).collect();
        assert_eq!(found_times, times, "{order:?} of {predicate:?} over {parts}");
        let mut keys: Vec<_> = found.iter().map(|(key, _)| key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), found.len(), "a row came twice");
        assert!(found.iter().all(|row| wanted.contains(row)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn the_first_rows_by_time_come_in_order(
        parts in prop::sample::select(PARTS.to_vec()),
        rows in prop::collection::vec(("[a-c]{1,2}", 0..60i128, 0..999i128), 0..80),
        predicate in prop::sample::select(vec![
            "user = 'a'", "user in ('a', 'b', 'ca')", "user >= 'b'", "t >= 1400000020", "user = 'a' and t < 1400000030",
            "seq between 100 and 700", "user != 'zz'", "user = 'a' and seq > 300 or t = 1400000007",
        ]),
        limit in 0..30u64,
    ) {
        let rows: Vec<Row> = rows.iter().map(|(user, t, seq)| row(user, *t, *seq)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(check(parts, &rows, predicate, limit));
    }
}

/// Nobody knows where the time begins in such a key, so the rows after it could not be compared.
#[tokio::test]
async fn a_key_of_another_design_that_begins_a_lane_is_told() {
    let table = table_of(PARTS[0], &[row("a", 5, 1), row("b", 9, 2)]).await;
    let query = Query {
        order: RowOrder::Newest,
        limit: Some(1),
        ..Query::of(Predicate::parse("user in ('a', 'b')", table.design()).unwrap())
    };
    let found = read(&table, &query).await;
    let foreign = [&found[0].0[..3], b" "].concat();
    let mut batch = MutationBatch::new();
    batch.put(&foreign, b"f", b"q", LATEST, b"").unwrap();
    table.store().write(table.name(), Write::of(batch)).await.unwrap();
    let error = table.query(&query).unwrap().try_next().await.unwrap_err();
    assert!(matches!(error, ReadError::Row(_)), "{error}");
}

#[tokio::test]
async fn a_time_outside_the_key_is_sorted_and_needs_a_limit() {
    let table = table_of(PARTS[7], &[row("a", 5, 1), row("b", 9, 2), row("c", 7, 3)]).await;
    let query = Query { order: RowOrder::Newest, ..Query::default() };
    assert!(matches!(table.query(&query), Err(ReadError::SortWithoutLimit { field }) if field == "t"));
    let query = Query { limit: Some(2), ..query };
    let explained = table.prepare(&query).unwrap().explain().await.unwrap().to_string();
    assert!(
        explained.contains("sorted by t, latest first: all rows are read and 2 kept in memory"),
        "{explained}"
    );
    let seqs: Vec<_> = read(&table, &query).await.iter().map(|(_, row)| time(row) - 1_400_000_000).collect();
    assert_eq!(seqs, [9, 7]);
}

#[tokio::test]
async fn a_time_that_is_asked_for_is_sorted_by_whatever_the_key_has() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
        t = { type = \"time\", unit = \"s\" }\nu = { type = \"time\", unit = \"s\" }\n\
        [key]\nparts = [{ field = \"t\", pad = 10 }, { text = \"!\" }, { field = \"id\" }]";
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let table =
        Table::create(store, Design::from_toml(toml).unwrap(), &SplitPoints::default()).await.unwrap();
    let rows = [(1, 100, Some(7)), (2, 200, Some(9)), (3, 300, None), (4, 400, Some(8)), (5, 500, Some(9))];
    let rows = rows.map(|(id, t, u)| {
        let mut row = Row::new(3);
        row.set(0, Value::Int(id));
        row.set(1, Value::Int(t));
        if let Some(u) = u {
            row.set(2, Value::Int(u));
        }
        row
    });
    put(&table, &rows).await;
    for (time, order, ids) in [
        (None, RowOrder::Newest, [5, 4, 3, 2, 1]),
        (Some(1), RowOrder::Newest, [5, 4, 3, 2, 1]),
        (Some(1), RowOrder::Oldest, [1, 2, 3, 4, 5]),
        (Some(2), RowOrder::Newest, [2, 5, 4, 1, 3]),
        (Some(2), RowOrder::Oldest, [1, 4, 2, 5, 3]),
    ] {
        for limit in [5, 3] {
            let query = Query { order, time, limit: Some(limit), fields: Some(vec![0]), ..Query::default() };
            let found = read(&table, &query).await;
            let found: Vec<_> = found.iter().map(|(_, row)| row.get(0)).collect();
            let expected = ids.map(|id| Some(Value::Int(id)));
            assert_eq!(found, expected[..usize::try_from(limit).unwrap()], "{time:?} {order:?}");
        }
    }
    let unlimited = Query { order: RowOrder::Oldest, time: Some(1), ..Query::default() };
    assert_eq!(read(&table, &unlimited).await.len(), 5);
    let unlimited = Query { time: Some(2), ..unlimited };
    assert!(matches!(table.query(&unlimited), Err(ReadError::SortWithoutLimit { field }) if field == "u"));
}
