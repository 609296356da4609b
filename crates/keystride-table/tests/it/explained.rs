//! What a plan says of itself.

use keystride::{Design, Predicate, SplitPoints};
use keystride_table::{Query, RowOrder, Table};
use std::sync::Arc;

use keystride_store::MemoryStore;

fn design() -> Design {
    Design::from_toml(
        "format = 1\n[table]\nname = \"flights\"\nfamilies = [\"f\"]\n[fields]\n\
         tailnum = { type = \"string\", max_len = 6, alphabet = \"0-9A-Z\" }\n\
         time = { type = \"time\", unit = \"s\", input = \"iso8601\" }\ndest = { type = \"string\" }\ndelay = { type = \"int\" }\n\
         [key]\nparts = [{ bucket = 4, of = [\"tailnum\"] }, { field = \"tailnum\" }, { text = \"!\" }, { field = \"time\", desc = 9999999999 }]",
    )
    .unwrap()
}

async fn explained(predicate: Option<&str>, query: Query) -> String {
    let points = SplitPoints::new(["1", "2", "3"]).unwrap();
    let table = Table::create(Arc::new(MemoryStore::default()), design(), &points).await.unwrap();
    let predicate = predicate.map(|text| Predicate::parse(text, table.design()).unwrap());
    let prepared = table.prepare(&Query { predicate, ..query }).unwrap();
    prepared.explain().await.unwrap().to_string()
}

#[tokio::test]
async fn a_plane_is_one_range() {
    let newest = Query { order: RowOrder::Newest, limit: Some(20), ..Query::default() };
    assert_eq!(
        explained(Some("tailnum = 'N14228'"), newest).await,
        "RANGE SCAN x1, 1 of 4 buckets (computed), 1 of 4 regions\n  \
         prefix bucket 2, tailnum=N14228, \"!\"\n\
         order: as stored, latest first; limit 20 asked of the store\n"
    );
}

#[tokio::test]
async fn two_planes_are_merged_and_a_destination_is_left_to_the_store() {
    let newest = Query { order: RowOrder::Newest, limit: Some(20), ..Query::default() };
    assert_eq!(
        explained(Some("tailnum in ('N14228', 'N24211') and dest = 'IAH' and delay > 5"), newest).await,
        "RANGE SCAN x2, 2 of 4 buckets (the fields they are computed from have few values), 2 of 4 regions\n  \
         prefix bucket 1, tailnum=N24211, \"!\"\n  \
         prefix bucket 2, tailnum=N14228, \"!\"\n\
         store filters: dest = 'IAH'\n\
         reader filters: delay > 5 (the ranges may hold other rows)\n\
         order: 2-way merge by time, latest first; limit 20\n"
    );
}

#[tokio::test]
async fn everything_in_key_order_is_a_merge_of_all_buckets() {
    let by_key = Query { order: RowOrder::Key, limit: Some(5), ..Query::default() };
    assert_eq!(
        explained(None, by_key).await,
        "FULL SCAN, 4 of 4 buckets, 4 of 4 regions\norder: 4-way merge by key, smallest first; limit 5 asked of each\n"
    );
}

#[tokio::test]
async fn what_can_not_be_is_not_read() {
    let text = explained(Some("time > 5 and time < 4"), Query::default()).await;
    assert_eq!(text, "EMPTY SCAN: no row can match\n");
}

#[tokio::test]
async fn a_beginning_is_told_as_a_range() {
    let text = explained(Some("tailnum like 'N1%' and time >= 1362718800"), Query::default()).await;
    assert!(
        text.starts_with(
            "RANGE SCAN x4, 4 of 4 buckets (the fields they are computed from are not given), 4 of 4 regions\n  \
             in each of 4 buckets: from tailnum=N1, \"!\" to before tailnum=N2, \"!\"\n"
        ),
        "{text}"
    );
    assert!(text.contains("reader filters: tailnum like 'N1%' and time >= '2013-03-08T05:00:00Z'"), "{text}");
}

#[tokio::test]
async fn of_many_ranges_the_first_and_the_last_are_told() {
    let of =
        |count: usize| (1..=count).map(|number| format!("'N{number:02}'")).collect::<Vec<_>>().join(", ");
    for (count, shown, hidden) in [(20, 20, None), (21, 20, Some("  … 1 more")), (25, 20, Some("  … 5 more"))]
    {
        let text = explained(Some(&format!("tailnum in ({})", of(count))), Query::default()).await;
        let ranges = text.lines().filter(|line| line.starts_with("  prefix")).count();
        assert_eq!((ranges, text.lines().find(|line| line.contains("more"))), (shown, hidden));
        if hidden.is_some() {
            assert_eq!(text.lines().nth(18), hidden, "{text}");
        }
    }
}

#[tokio::test]
async fn a_range_that_ends_where_a_region_begins_does_not_hide_the_next_one() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nk = { type = \"string\" }\n\
                [key]\nparts = [{ field = \"k\" }]";
    let points = SplitPoints::new(["b", "d"]).unwrap();
    let table = Table::create(Arc::new(MemoryStore::default()), Design::from_toml(toml).unwrap(), &points);
    let table = table.await.unwrap();
    for (text, regions) in [("k like 'a%'", 1), ("k like 'a%' or k = 'c'", 2), ("k > 'b'", 2)] {
        let query = Query::of(Predicate::parse(text, table.design()).unwrap());
        assert_eq!(table.prepare(&query).unwrap().explain().await.unwrap().regions, (regions, 3), "{text}");
    }
}

#[tokio::test]
async fn the_last_key_of_a_range_is_told_as_it_is() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                k = { type = \"int\", min = 0, max = 9999 }\n[key]\nparts = [{ field = \"k\", pad = 4 }]";
    let store = Arc::new(MemoryStore::default());
    let table =
        Table::create(store, Design::from_toml(toml).unwrap(), &SplitPoints::default()).await.unwrap();
    for (text, told) in [("k <= 3000", "from k=0 to k=3000"), ("k < 3000", "from k=0 to k=2999")] {
        let query = Query::of(Predicate::parse(text, table.design()).unwrap());
        let explained = table.prepare(&query).unwrap().explain().await.unwrap().to_string();
        assert_eq!(explained.lines().nth(1).unwrap().trim(), told);
    }
}
