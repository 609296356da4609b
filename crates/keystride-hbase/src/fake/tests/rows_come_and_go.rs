//! Single rows without faults.

use super::{Cluster, Get, Mutation, count_up, ends, table};
use crate::{CellKind, Error, Row};

fn values(row: &Row) -> Vec<String> {
    row.cells().map(|cell| String::from_utf8_lossy(cell.value).into()).collect()
}

#[tokio::test]
async fn what_was_put_is_got_until_it_is_deleted() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    ends(table.mutate(Mutation::put("a").value("f", "q", "v").value_at("f", "q", 5, "old"))).await.unwrap();
    assert_eq!(values(&ends(table.get(&Get::new("a").versions(9))).await.unwrap()), ["v", "old"]);
    assert!(ends(table.exists(&Get::new("a"))).await.unwrap());
    ends(table.mutate(Mutation::delete("a"))).await.unwrap();
    assert!(ends(table.get(&Get::new("a"))).await.unwrap().is_empty());
    assert!(!ends(table.exists(&Get::new("a"))).await.unwrap());
}

// Bug 11: the timestamp of a delete was ignored.
#[tokio::test]
async fn a_delete_up_to_a_time_leaves_what_is_newer() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    let put =
        Mutation::put("a").value_at("f", "q", 1, "1").value_at("f", "q", 2, "2").value_at("f", "q", 3, "3");
    ends(table.mutate(put)).await.unwrap();
    ends(table.mutate(Mutation::delete("a").delete_marker(CellKind::Delete, "f", "q", 2))).await.unwrap();
    assert_eq!(values(&ends(table.get(&Get::new("a").versions(9))).await.unwrap()), ["3", "1"]);
    ends(table.mutate(Mutation::delete("a").up_to(1))).await.unwrap();
    assert_eq!(values(&ends(table.get(&Get::new("a").versions(9))).await.unwrap()), ["3"]);
}

#[tokio::test]
async fn increments_and_appends_return_the_new_values() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    assert_eq!(count_up(&table, "z").await.unwrap(), 1);
    assert_eq!(count_up(&table, "z").await.unwrap(), 2);
    for text in ["ab", "abab"] {
        let row = ends(table.mutate(Mutation::append("a").value("f", "q", "ab"))).await.unwrap();
        assert_eq!(values(&row), [text]);
    }
}

#[tokio::test]
async fn regions_of_a_table_are_listed_in_order() {
    let cluster = Cluster::start(2).await;
    cluster.state().create("t", &["d", "m"]);
    cluster.state().create("t-2", &[]);
    cluster.state().split("t", "h");
    let client = cluster.client();
    let regions = ends(client.regions(table(&client, "t").name())).await.unwrap();
    let starts: Vec<&[u8]> = regions.iter().map(|(region, _)| &*region.start).collect();
    assert_eq!(starts, [&b""[..], b"d", b"h", b"m"]);
    assert!(regions.iter().all(|(_, server)| server.is_some()));
}

#[tokio::test]
async fn a_missing_table_is_reported_as_missing() {
    let cluster = Cluster::with_table().await;
    for name in ["s", "u", "t2", "n:t"] {
        let error = ends(table(&cluster.client(), name).get(&Get::new("a"))).await.unwrap_err();
        assert!(matches!(error, Error::NoTable { .. }), "{error}");
    }
}
