//! Rows in the order of their keys, whatever bucket they lie in.

use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_table::{Query, ReadError, RowOrder};

use crate::stores::{put, read, stores, table};

#[tokio::test]
async fn rows_in_reverse_are_those_in_order_backwards() {
    let design = Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
         n = { type = \"u32\" }\n\
         [key]\nparts = [{ bucket = 4, hash = \"round-robin\" }, { field = \"id\", as = \"be\" }]",
    );
    let design = design.unwrap();
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design, &SplitPoints::default()).await;
        // Each id stands in several buckets.
        let rows: Vec<Row> = (0..40_i128)
            .map(|number| {
                let mut row = Row::new(2);
                row.set(0, Value::Int(number / 3));
                row.set(1, Value::Int(number));
                row
            })
            .collect();
        put(&table, &rows).await;
        let ordered = |order| Query { order, ..Query::default() };
        let forwards = read(&table, &ordered(RowOrder::Key)).await;
        let mut backwards = read(&table, &ordered(RowOrder::KeyReversed)).await;
        backwards.reverse();
        assert_eq!(forwards, backwards);
        assert_eq!(forwards.len(), 40);
        let places: Vec<_> = forwards.iter().map(|(key, _)| (&key[1..], key[0])).collect();
        assert!(places.is_sorted(), "of rows with one key behind the bucket, the lowest bucket is first");
        let last = read(&table, &Query { limit: Some(1), ..ordered(RowOrder::KeyReversed) }).await;
        assert_eq!(last[..], forwards[39..]);
    }
}

#[tokio::test]
async fn buckets_that_lie_within_each_other_have_no_order_together() {
    let design = Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"digits\", len = 2 }\n\
         [key]\nparts = [{ bucket = 16, of = [\"id\"], width = 1 }, { field = \"id\" }]",
    );
    let design = design.unwrap();
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design, &SplitPoints::default()).await;
        let rows: Vec<Row> = (0..100)
            .map(|number| {
                let mut row = Row::new(1);
                row.set(0, Value::Text(&format!("{number:02}")));
                row
            })
            .collect();
        put(&table, &rows).await;
        assert_eq!(read(&table, &Query::default()).await.len(), 100);
        for order in [RowOrder::Key, RowOrder::KeyReversed] {
            let all = table.prepare(&Query { order, ..Query::default() });
            assert!(matches!(all, Err(ReadError::NestedBuckets)), "{all:?}");
            let one = Predicate::parse("id = '05'", &design).unwrap();
            assert_eq!(read(&table, &Query { order, ..Query::of(one) }).await.len(), 1);
        }
    }
}
