//! Two hundred departures from three airports, invented, in a table of the demo's kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use keystride::{Design, Predicate, Row, Value};
use keystride_store::Store;
use keystride_table::{Query, RowOrder, Table};

use crate::stores::{owned, read, stores};

const FLIGHTS: &str = include_str!("data/flights.csv");

pub(crate) fn design() -> Design {
    Design::from_toml(
        r#"
        format = 1
        [table]
        name = "flights"
        families = ["f"]
        [fields]
        time = { type = "time", unit = "s", input = "iso8601", zone = "America/New_York" }
        carrier = { type = "string", max_len = 2 }
        flight = { type = "int", min = 1, max = 9999 }
        tailnum = { type = "string", max_len = 6, alphabet = "0-9A-Z", default = "-" }
        origin = { type = "string", max_len = 3 }
        dest = { type = "string", max_len = 3 }
        dep_delay = { type = "i32" }
        distance = { type = "u32" }
        [key]
        parts = [
          { bucket = 8, of = ["tailnum"] },
          { field = "tailnum" },
          { text = "!" },
          { field = "time", desc = 9999999999 },
          { field = "carrier" },
          { text = "!" },
          { field = "flight", pad = 4 },
        ]
        [columns]
        dep_delay = { as = "be" }
        [input]
        null = ["", "NA"]
        [split]
        by = "bucket"
        "#,
    )
    .unwrap()
}

pub(crate) fn rows(design: &Design) -> Vec<Row> {
    let row = |line: &str| {
        let mut row = Row::new(design.fields().len());
        for (field, text) in line.split(',').enumerate() {
            design.read_value(&mut row, field, text).unwrap();
        }
        row
    };
    FLIGHTS.lines().skip(1).map(row).collect()
}

pub(crate) async fn table(store: &Arc<dyn Store>) -> Table {
    let design = design();
    let points = design.split_points(&mut []).unwrap();
    let table = Table::create(Arc::clone(store), design, &points).await.unwrap();
    table.put_rows(&rows(table.design())).await.unwrap();
    table
}

fn by_key(rows: Vec<Row>, table: &Table) -> BTreeMap<Vec<u8>, Row> {
    let key = |row: &Row| {
        let mut key = Vec::new();
        table.codec().encoder().encode(row, &mut key).unwrap();
        key
    };
    rows.into_iter().map(|row| (key(&row), row)).collect()
}

#[tokio::test]
async fn every_flight_comes_back_with_all_its_values() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store).await;
        let expected = by_key(rows(table.design()), &table);
        assert_eq!(expected.len(), 200);
        let found: BTreeMap<_, _> = read(&table, &Query::default()).await.into_iter().collect();
        assert_eq!(found, expected);
        assert_eq!(table.count(None).await.unwrap(), 200);
    }
}

#[tokio::test]
async fn the_newest_flights_of_a_plane_are_read_alone() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store).await;
        let plane = "N564JB";
        let of_plane = |row: &Row| row.get(3) == Some(Value::Text(plane));
        let mut expected: Vec<Row> = rows(table.design()).into_iter().filter(of_plane).collect();
        expected.reverse();
        expected.truncate(3);
        assert_eq!(expected.len(), 3, "the plane flies often enough");
        let predicate = Predicate::parse(&format!("tailnum = '{plane}'"), table.design()).unwrap();
        let query = Query { order: RowOrder::Newest, limit: Some(3), ..Query::of(predicate) };
        let before = store.rows_read();
        let found: Vec<Row> = read(&table, &query).await.into_iter().map(|(_, row)| row).collect();
        assert_eq!(found, expected);
        assert_eq!(store.rows_read() - before, 3);
    }
}

#[tokio::test]
async fn flights_without_a_plane_are_found() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store).await;
        let expected = rows(table.design()).iter().filter(|row| row.get(3).is_none()).count();
        assert!(expected > 0);
        let predicate = Predicate::parse("tailnum is null", table.design()).unwrap();
        assert_eq!(read(&table, &Query::of(predicate)).await.len(), expected);
    }
}

#[tokio::test]
async fn one_flight_is_got_by_its_key() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store).await;
        let row = rows(table.design()).swap_remove(77);
        let found = owned(&table.get(&row).await.unwrap());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, row);
    }
}
