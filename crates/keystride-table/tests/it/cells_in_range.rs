//! Numbers outside a field's range, compared with its cells.

use keystride::{Design, Predicate, Row, SplitPoints, Value};

use crate::stores::{put, stores, table};

#[tokio::test]
async fn a_negative_number_sorts_before_cells_that_hold_none() {
    let design = Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
         c = { type = \"i32\", min = 0 }\n[key]\nparts = [{ field = \"id\" }]\n[columns]\nc = { as = \"be\" }",
    )
    .unwrap();
    let row = |number: i128| {
        let mut row = Row::new(2);
        row.set(0, Value::Int(number));
        row.set(1, Value::Int(number));
        row
    };
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design, &SplitPoints::default()).await;
        put(&table, &[row(5), row(50)]).await;
        for (condition, expected) in
            [("c < -1", 0), ("c <= -1", 0), ("c >= -1", 2), ("c > -1", 2), ("c = -1", 0), ("c < 6", 1)]
        {
            let predicate = Predicate::parse(condition, &design).unwrap();
            assert_eq!(table.count(Some(&predicate)).await.unwrap(), expected, "{condition}");
        }
    }
}
