//! The design travels with its table.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use futures_util::TryStreamExt;
use keystride::{Design, KeyRange, Predicate, Row, SplitPoints, Value};
use keystride_store::{
    Columns, Compression, Family, FamilyName, LATEST, MemoryStore, MutationBatch, Region, Scan, Selection,
    Store, TableDescription, TableName, Write,
};
use keystride_table::cells::RawCell;
use keystride_table::explain::KeyBound;
use keystride_table::{DESIGN_ATTRIBUTE, Query, ReadError, RowOrder, Table, TableError};

use crate::stores::{owned, put, read, stores, table};

fn design(bucket_count: u32) -> Design {
    Design::from_toml(&format!(
        "format = 1\n[table]\nname = \"calls\"\nfamilies.f = {{ versions = 3, ttl = \"1d\", compression = \"zstd\" }}\n[fields]\n\
         id = {{ type = \"string\", default = \"-\" }}\nnote = {{ type = \"string\" }}\nhead = {{ from = \"left(id,1)\" }}\n\
         [key]\nparts = [{{ bucket = {bucket_count}, of = [\"id\"] }}, {{ field = \"id\" }}]\n[split]\nby = \"bucket\"\n"
    ))
    .unwrap()
}

fn row(id: Option<&str>, note: Option<&str>) -> Row {
    let mut row = Row::new(3);
    for (field, text) in [id, note].into_iter().enumerate() {
        if let Some(text) = text {
            row.set(field, Value::Text(text));
        }
    }
    row
}

#[tokio::test]
async fn a_table_is_opened_by_the_design_it_carries() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let points = SplitPoints::new(["1", "2"]).unwrap();
        let made = table(store, &design(3), &points).await;
        let description = store.describe(made.name()).await.unwrap();
        assert_eq!(description.attributes[DESIGN_ATTRIBUTE], design(3).to_toml(Some(&points)));
        let family = &description.families[0];
        assert_eq!((family.versions, family.ttl_seconds), (3, Some(86_400)));
        assert_eq!(family.compression, Compression::Zstd);
        let opened = Table::open(Arc::clone(store), made.name()).await.unwrap();
        assert_eq!(opened.design().differences(made.design()), Vec::<String>::new());
        assert_eq!(store.regions(made.name()).await.unwrap().len(), 3);
    }
}

#[tokio::test]
async fn a_table_may_have_another_name_than_its_design() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let name = TableName::new("ns:copy").unwrap();
        let made =
            Table::create_as(Arc::clone(store), &name, design(3), &SplitPoints::default()).await.unwrap();
        assert_eq!((made.name(), made.design().table().name.as_str()), (&name, "ns:copy"));
        assert!(Table::open_with(Arc::clone(store), &name, design(3)).await.is_ok());
    }
}

#[tokio::test]
async fn another_design_is_an_error_that_says_what_differs() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let made = table(store, &design(3), &SplitPoints::default()).await;
        let error = Table::open_with(Arc::clone(store), made.name(), design(4)).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "table calls was made by another design; \"here\" is the table's, \"there\" the one given: \
             key.parts[0].bucket: 3 here, 4 there"
        );
    }
}

#[tokio::test]
async fn a_table_without_a_design_needs_one() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let name = TableName::new("calls").unwrap();
        let plain = TableDescription::new(name.clone(), [Family::new(FamilyName::new("f").unwrap())]);
        store.create(&plain, &SplitPoints::default()).await.unwrap();
        let refused = Table::open(Arc::clone(store), &name).await;
        assert!(matches!(refused, Err(TableError::NoDesign { .. })));
        assert!(Table::open_with(Arc::clone(store), &name, design(3)).await.is_ok());
    }
}

#[tokio::test]
async fn a_row_without_any_cell_is_still_a_row() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(3), &SplitPoints::default()).await;
        let rows = [row(Some("a"), None), row(None, None), row(Some("c"), Some("x"))];
        put(&table, &rows).await;
        let mut found: Vec<Row> =
            read(&table, &Query::default()).await.into_iter().map(|(_, row)| row).collect();
        found.sort_by_key(|row| format!("{:?}", row.get(0)));
        // The default is a text that ids may have.
        assert_eq!(found, [row(Some("-"), None), rows[0].clone(), rows[2].clone()]);
        assert_eq!(table.count(None).await.unwrap(), 3);
    }
}

#[tokio::test]
async fn only_the_fields_asked_for_come_and_rows_without_them_too() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(1), &SplitPoints::default()).await;
        put(&table, &[row(Some("ab"), None), row(Some("b"), Some("x"))]).await;
        let query = Query { fields: Some(vec![1, 2]), ..Query::default() };
        let found = read(&table, &query).await;
        let values: Vec<_> = found.iter().map(|(_, row)| (row.get(0), row.get(1), row.get(2))).collect();
        assert_eq!(
            values,
            [(None, None, Some(Value::Text("a"))), (None, Some(Value::Text("x")), Some(Value::Text("b")))]
        );
    }
}

#[tokio::test]
async fn a_derived_field_is_read_without_the_one_it_is_of() {
    let (stores, _folder) = stores().await;
    let toml = design(1).to_toml(None).replace("left(id,1)", "left(note,1)");
    for store in &stores {
        let table = table(store, &Design::from_toml(&toml).unwrap(), &SplitPoints::default()).await;
        put(&table, &[row(Some("a"), Some("xy"))]).await;
        let found = read(&table, &Query { fields: Some(vec![2]), ..Query::default() }).await;
        assert_eq!(found[0].1.get(2), Some(Value::Text("x")));
    }
}

#[tokio::test]
async fn a_key_of_another_design_is_told_and_a_raw_scan_shows_it() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(3), &SplitPoints::default()).await;
        let mut batch = MutationBatch::new();
        batch.put(b"9x", b"f", b"note", LATEST, b"?").unwrap();
        store.write(table.name(), Write::of(batch)).await.unwrap();
        let mut rows = table.query(&Query::default()).unwrap();
        let error = rows.try_next().await.unwrap_err();
        assert!(matches!(error, ReadError::Row(_)));
        assert_eq!(error.to_string(), "key \"9x\" is none of the design's");
        let mut raw = store.scan(table.name(), Scan::of(KeyRange::prefix(b"9"))).await.unwrap();
        assert_eq!(raw.try_next().await.unwrap().unwrap().row(0).key(), b"9x");
    }
}

#[tokio::test]
async fn a_row_is_got_by_its_key_fields() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(3), &SplitPoints::default()).await;
        put(&table, &[row(Some("a"), Some("x")), row(Some("b"), None)]).await;
        let found = owned(&table.get(&row(Some("a"), Some("not looked at"))).await.unwrap());
        assert_eq!(found[0].1, row(Some("a"), Some("x")));
        assert!(table.get(&row(Some("z"), None)).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_row_is_got_once_from_whichever_buckets_it_was_drawn_into() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    for (number, buckets) in [vec![4, 6], vec![1_500]].into_iter().enumerate() {
        let buckets = buckets.iter().map(|count| format!("{{ bucket = {count}, hash = \"random\" }}, "));
        let toml = format!(
            "format = 1\n[table]\nname = \"t{number}\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"string\" }}\n\
             [key]\nparts = [{}{{ field = \"id\" }}]",
            buckets.collect::<String>()
        );
        let table = table(&store, &Design::from_toml(&toml).unwrap(), &SplitPoints::default()).await;
        let mut row = Row::new(1);
        row.set(0, Value::Text("a"));
        table.put_rows(&vec![row.clone(); 20]).await.unwrap();
        let found = table.get(&row).await.unwrap();
        let mut keys: Vec<Vec<u8>> = found.iter().map(|row| row.key().to_vec()).collect();
        keys.sort();
        let all = read(&table, &Query::default()).await;
        assert_eq!(keys, all.into_iter().map(|(key, _)| key).collect::<Vec<_>>());
        assert!(keys.len() > 1);
    }
}

#[tokio::test]
async fn cells_beside_a_row_are_put_under_its_key() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(1), &SplitPoints::default()).await;
        let beside =
            RawCell { family: "f".to_owned(), qualifier: b"other".to_vec(), value: b"beside".to_vec() };
        table.put_row(&row(Some("a"), Some("x")), &[beside]).await.unwrap();
        let found = store.get(table.name(), &[b"0a"], &Selection::default()).await.unwrap();
        let cells: Vec<_> = found.row(0).cells().map(|cell| (cell.qualifier, cell.value)).collect();
        assert_eq!(cells, [(&b"note"[..], &b"x"[..]), (b"other", b"beside")]);
    }
}

#[tokio::test]
async fn rows_are_given_as_stored_in_the_order_of_the_result() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(1), &SplitPoints::default()).await;
        put(&table, &[row(Some("a"), Some("x")), row(Some("b"), None)]).await;
        let query = Query { order: RowOrder::KeyReversed, ..Query::default() };
        let found = table.query(&query).unwrap().try_next().await.unwrap().unwrap();
        let kept = table.stored(&found, Columns::All).await.unwrap();
        let cells: Vec<_> = kept.rows().map(|row| (row.key().to_vec(), row.cells().count())).collect();
        assert_eq!(cells, [(b"0b".to_vec(), 1), (b"0a".to_vec(), 1)]);
    }
}

#[tokio::test]
async fn rows_that_can_not_be_encoded_are_named_and_nothing_is_put() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(3), &SplitPoints::default()).await;
        let long = "x".repeat(40_000);
        let error = table.put_rows(&[row(Some("a"), None), row(Some(&long), None)]).await.unwrap_err();
        assert_eq!(error.to_string(), "row 2");
        assert_eq!(table.count(None).await.unwrap(), 0);
        table.put_rows(&[row(Some("a"), None)]).await.unwrap();
        assert_eq!(table.count(None).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn the_empty_qualifier_is_taken() {
    let (stores, _folder) = stores().await;
    let text = design(3).to_toml(None) + "[columns]\nnote = { qualifier = \"\" }\n";
    let refused = table_error(Arc::clone(&stores[0]), Design::from_toml(&text).unwrap()).await;
    assert!(matches!(refused, TableError::MarkTaken { field, .. } if field == "note"));
}

async fn table_error(store: Arc<dyn Store>, design: Design) -> TableError {
    Table::create(store, design, &SplitPoints::default()).await.unwrap_err()
}

#[tokio::test]
async fn regions_tell_what_passed_through_them_and_the_design_what_their_bounds_mean() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let table = table(store, &design(3), &SplitPoints::new(["1", "2abc"]).unwrap()).await;
        let rows: Vec<Row> = (0..30).map(|id| row(Some(&id.to_string()), Some("x"))).collect();
        put(&table, &rows).await;
        let regions = store.regions(table.name()).await.unwrap();
        assert_eq!(regions.iter().map(|region| region.counts.rows_written).sum::<u64>(), 30);
        let bound = |region: &Region| KeyBound::new(table.codec(), region.range.start()).to_string();
        let bounds: Vec<_> = regions.iter().map(bound).collect();
        assert_eq!(bounds, ["", "bucket 1", "bucket 2, id:abc…"]);
    }
}

#[tokio::test]
async fn a_deleted_row_is_gone_from_families_that_the_design_does_not_have() {
    let (stores, _folder) = stores().await;
    for store in &stores {
        let name = TableName::new("calls").unwrap();
        let families = ["f", "g"].map(|family| Family::new(FamilyName::new(family).unwrap()));
        let description = TableDescription::new(name.clone(), families);
        store.create(&description, &SplitPoints::default()).await.unwrap();
        let table = Table::open_with(Arc::clone(store), &name, design(3)).await.unwrap();
        put(&table, &[row(Some("x"), Some("y"))]).await;
        let key = read(&table, &Query::default()).await.remove(0).0;
        let mut batch = MutationBatch::new();
        batch.put(&key, b"g", b"q", LATEST, b"beside").unwrap();
        store.write(&name, Write::of(batch)).await.unwrap();
        let predicate = Predicate::parse("id = 'x'", table.design()).unwrap();
        let deleted = AtomicU64::new(0);
        table.delete_rows(&predicate, &deleted).await.unwrap();
        assert_eq!(deleted.into_inner(), 1);
        let found = store.get(&name, &[&key], &Selection::default()).await.unwrap();
        assert_eq!(found.cell_count(), 0);
    }
}
