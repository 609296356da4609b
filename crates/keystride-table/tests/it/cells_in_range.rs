//! Conditions on cells, which the store decides by their bytes where it can.

use keystride::{Design, Predicate, Row, SplitPoints, Value};
use keystride_table::Query;

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

#[tokio::test]
async fn a_condition_on_a_function_of_a_cell_is_not_one_on_the_cell() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                c = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]";
    let design = Design::from_toml(toml).unwrap();
    let row = |(id, text): (i128, Option<&'static str>)| {
        let mut row = Row::new(2);
        row.set(0, Value::Int(id));
        if let Some(text) = text {
            row.set(1, Value::Text(text));
        }
        row
    };
    let rows = [(1, Some("abc")), (2, Some("ab")), (3, Some("xyz")), (4, None)].map(row);
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design, &SplitPoints::default()).await;
        put(&table, &rows).await;
        for (condition, expected) in [
            ("left(c,3) is null", 2),
            ("left(c,3) is not null", 2),
            ("left(c,2) = 'ab'", 2),
            ("left(c,2) in ('ab', 'x')", 2),
            ("left(c,2) like 'a%'", 2),
            ("left(c,2) like 'abc%'", 0),
        ] {
            let predicate = Predicate::parse(condition, &design).unwrap();
            assert_eq!(table.count(Some(&predicate)).await.unwrap(), expected, "{condition}");
        }
    }
}

#[tokio::test]
async fn conditions_that_bytes_decide_are_left_to_the_store() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                s = { type = \"string\" }\nn = { type = \"int\" }\nu = { type = \"i32\", min = 0 }\n\
                b = { type = \"i32\" }\n\
                o = { type = \"i64\" }\nt = { type = \"time\", unit = \"s\" }\n\
                p = { type = \"time\", format = \"ddMMyyyy\" }\n\
                f = { type = \"f64\" }\nz = { type = \"bool\" }\n[key]\nparts = [{ field = \"id\" }]\n\
                [columns]\nu = { as = \"be\" }\nb = { as = \"be\" }\no = { as = \"ordered\" }";
    let design = Design::from_toml(toml).unwrap();
    let mut rows = [1, 2, 3].map(|id| {
        let mut row = Row::new(10);
        row.set(0, Value::Int(id));
        row
    });
    // The last row has no values.
    for (row, text, (less, more), number, flag) in
        [(0, "apple", (5, -5), 1.5, true), (1, "bat", (40, 5), 10.5, false)]
    {
        let values = [less, less, more, more, less, less * 86_400_000];
        rows[row].set(1, Value::Text(text));
        values.into_iter().enumerate().for_each(|(at, value)| rows[row].set(2 + at, Value::Int(value)));
        rows[row].set(8, Value::F64(number));
        rows[row].set(9, Value::Bool(flag));
    }
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design, &SplitPoints::default()).await;
        put(&table, &rows).await;
        let expected = [
            ("s like 'a%'", true, 1),
            ("not (s like 'a%')", true, 1),
            ("s in ('apple', 'x')", true, 1),
            ("not (s in ('apple', 'x'))", true, 1),
            ("s is null", true, 1),
            ("not (s is null)", true, 2),
            ("s < 'b'", true, 1),
            ("not (s < 'b' or s = 'cat')", true, 1),
            ("n = 5", true, 1),
            ("n != 5", true, 1),
            ("n < 40", false, 1),
            ("u < 40", true, 1),
            ("b = -5", true, 1),
            ("b < 5", false, 1),
            ("o < 5", true, 1),
            ("t = 5", true, 1),
            ("t < 40", false, 1),
            ("p = 432000000", false, 1),
            ("p < 3456000000", false, 1),
            ("f = 1.5", false, 1),
            ("f < 10.5", false, 1),
            ("z = true", false, 1),
        ];
        let mut found = Vec::new();
        for (condition, ..) in expected {
            let predicate = Predicate::parse(condition, &design).unwrap();
            let explain = table.prepare(&Query::of(predicate.clone())).unwrap().explain().await.unwrap();
            let count = table.count(Some(&predicate)).await.unwrap();
            found.push((condition, explain.kept.is_none(), count));
        }
        assert_eq!(found, expected);
    }
}
