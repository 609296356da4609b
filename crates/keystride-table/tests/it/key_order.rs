//! Rows in the order of their keys, whatever bucket they lie in.

use keystride::{Design, Row, SplitPoints, Value};
use keystride_table::{Query, RowOrder};

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
        let last = read(&table, &Query { limit: Some(1), ..ordered(RowOrder::KeyReversed) }).await;
        assert_eq!(last[..], forwards[39..]);
    }
}
