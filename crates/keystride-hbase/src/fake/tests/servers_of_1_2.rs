//! Servers of HBase 1.2, which ignore fields that they don't know.

use super::{Cluster, edit, ends, read, table, write};
use crate::fake::When;
use crate::fake::cluster::quick;
use crate::{ClientOptions, Condition, Mutation, Operation, TableName, proto};

async fn with_table() -> Cluster {
    let cluster = Cluster::with_table().await;
    cluster.state().settings.is_1_2 = true;
    cluster
}

fn group(value: &str) -> Vec<Mutation> {
    vec![Mutation::put("a").value("f", "q", value), Mutation::delete("a").column("f", "x")]
}

#[tokio::test]
async fn a_condition_that_does_not_hold_keeps_a_change_back() {
    let cluster = with_table().await;
    let table = table(&cluster.client(), "t");
    write(&table, "a", "old").await.unwrap();
    for (value, is_applied) in [("other", false), ("old", true)] {
        let condition = Condition::column("f", "q").equals(value);
        let checked = ends(table.check_and_mutate(&condition, group("new"))).await.unwrap();
        assert_eq!((checked.is_applied, read(&table, "a").await.unwrap() == "new"), (is_applied, is_applied));
    }
}

#[tokio::test]
async fn a_group_is_made_once_beside_other_changes() {
    let cluster = with_table().await;
    let table = table(&cluster.client(), "t");
    let put = |row: &str| Operation::from(Mutation::put(row).value("f", "q", "v"));
    let all = vec![put("b"), Operation::Row(group("new")), put("x")];
    assert!(ends(table.apply(&all)).await.is_empty());
    assert_eq!(cluster.count(|seen| seen.method == "Multi"), 2);
    assert_eq!(read(&table, "a").await.unwrap(), "new");
}

/// A server that reports its load does so in a separate answer before that of each group.
#[tokio::test]
async fn a_failed_group_does_not_get_the_answer_of_the_one_before_it() {
    let cluster = with_table().await;
    let table = table(&cluster.client(), "t");
    let busy = proto::RegionActionResult {
        result_or_exception: vec![proto::ResultOrException::default()],
        ..Default::default()
    };
    let wrong = proto::NameBytesPair { name: "regionserver.NoSuchColumnFamilyException".into(), value: None };
    let failed = proto::RegionActionResult { exception: Some(wrong), ..Default::default() };
    cluster.inject(
        When::calling("Multi"),
        edit::regions(move |regions| *regions = vec![busy.clone(), regions[0].clone(), failed.clone()]),
    );
    let groups = vec![Operation::Row(group("new")), Operation::Row(group("newer"))];
    let failed: Vec<usize> = ends(table.apply(&groups)).await.into_iter().map(|(place, _)| place).collect();
    assert_eq!(failed, [1]);
}

#[tokio::test]
async fn regions_are_found_and_listed_one_row_of_hbase_meta_at_a_time() {
    let cluster = with_table().await;
    for row in ["c", "b", "s"] {
        cluster.state().split("t", row);
    }
    let client = cluster.client_with(ClientOptions { locate_prefetch: 1, ..quick() });
    let name = TableName::new("t").unwrap();
    let regions = ends(client.regions(&name)).await.unwrap();
    let starts: Vec<_> = regions.iter().map(|(region, _)| region.start.to_vec()).collect();
    assert_eq!(starts, [&b""[..], b"b", b"c", b"m", b"s"]);
    client.forget_regions(&name);
    for (row, start) in [("a", ""), ("b", "b"), ("bx", "b"), ("r", "m"), ("z", "s")] {
        assert_eq!(ends(client.region_of(&name, row.as_bytes())).await.unwrap().start, start);
    }
}
