//! Regions that moved, split, merged or disappeared.

use super::{Cluster, Exception, Fault, When, is_lookup, read, table, write};
use crate::Error;

/// A table whose regions are all in the client's cache.
async fn known() -> (Cluster, crate::Client) {
    let cluster = Cluster::with_table().await;
    for row in ["a", "h", "m", "t"] {
        cluster.write("t", row, "q", row);
    }
    let client = cluster.client();
    for row in ["a", "t"] {
        read(&table(&client, "t"), row).await.unwrap();
    }
    (cluster, client)
}

async fn finds_all(client: &crate::Client) {
    for row in ["a", "h", "m", "t"] {
        assert_eq!(read(&table(client, "t"), row).await.unwrap(), row);
    }
}

#[tokio::test]
async fn a_region_that_moved_is_followed_without_a_lookup() {
    let (cluster, client) = known().await;
    let lookups = cluster.count(is_lookup);
    cluster.state().move_to("t", "a", 1);
    finds_all(&client).await;
    assert_eq!(cluster.count(is_lookup), lookups);
}

#[tokio::test]
async fn a_region_that_is_not_served_is_looked_up_once() {
    let (cluster, client) = known().await;
    let lookups = cluster.count(is_lookup);
    cluster.state().settings.tells_where_it_moved = false;
    cluster.state().move_to("t", "a", 1);
    finds_all(&client).await;
    assert_eq!(cluster.count(is_lookup), lookups + 1);
}

#[tokio::test]
async fn a_move_to_a_server_that_knows_nothing_of_it_ends() {
    let (cluster, client) = known().await;
    let other = cluster.state().servers[1].clone();
    cluster.inject(When::calling("Get").of("t").always(), Fault::Exception(Exception::moved(&other)));
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    assert!(matches!(error, Error::GaveUp { .. }), "{error}");
}

#[tokio::test]
async fn the_daughters_of_a_region_that_was_split_are_found() {
    let (cluster, client) = known().await;
    for row in ["h", "c", "t"] {
        cluster.state().split("t", row);
        finds_all(&client).await;
    }
    write(&table(&client, "t"), "h", "h").await.unwrap();
}

#[tokio::test]
async fn a_region_that_two_were_merged_to_is_found() {
    let (cluster, client) = known().await;
    cluster.state().split("t", "h");
    finds_all(&client).await;
    cluster.state().merge("t", "a");
    finds_all(&client).await;
    cluster.state().merge("t", "a");
    finds_all(&client).await;
    assert_eq!(client.metrics().cached_regions, 1);
}

#[tokio::test]
async fn a_parent_that_was_split_does_not_hide_what_its_daughter_was_merged_to() {
    let cluster = Cluster::start(2).await;
    cluster.state().create("t", &["d", "m"]);
    cluster.write("t", "e", "q", "e");
    cluster.state().split("t", "h");
    // The merged region is ["", h). In hbase:meta the parent [d, m) comes after it.
    cluster.state().merge("t", "a");
    for locate_prefetch in [1, 10] {
        let client = cluster.client_with(crate::ClientOptions { locate_prefetch, ..super::quick() });
        assert_eq!(read(&table(&client, "t"), "e").await.unwrap(), "e");
    }
}

#[tokio::test]
async fn regions_before_the_one_that_was_looked_for_are_known_too() {
    let cluster = Cluster::start(2).await;
    cluster.state().create("t", &["d", "m", "s"]);
    for (locate_prefetch, lookups) in [(1, 4), (2, 2), (10, 1)] {
        let client = cluster.client_with(crate::ClientOptions { locate_prefetch, ..super::quick() });
        let before = cluster.count(is_lookup);
        // hbase:meta is read backwards, because the region of a row starts at or before it.
        for row in ["t", "n", "e", "a"] {
            read(&table(&client, "t"), row).await.unwrap();
        }
        assert_eq!(cluster.count(is_lookup) - before, lookups, "{locate_prefetch}");
    }
    let client = cluster.client();
    client.regions(table(&client, "t").name()).await.unwrap();
    let before = cluster.count(is_lookup);
    for row in ["a", "e", "n", "t"] {
        read(&table(&client, "t"), row).await.unwrap();
    }
    assert_eq!(cluster.count(is_lookup), before, "all that was listed is known");
}

// Bug 5: a table was reported as missing while its daughter regions were not yet in hbase:meta.
#[tokio::test]
async fn a_region_that_no_server_has_yet_is_waited_for() {
    let (cluster, client) = known().await;
    cluster.state().split("t", "h");
    let first = cluster.state().unassign("t", "a");
    let before = cluster.count(is_lookup);
    let row = tokio::spawn({
        let table = table(&client, "t");
        async move { read(&table, "a").await }
    });
    cluster.until(before + 3, is_lookup).await;
    cluster.state().assign(&first, 1);
    assert_eq!(row.await.unwrap().unwrap(), "a");
}

#[tokio::test]
async fn a_region_that_no_server_ever_has_is_not_a_missing_table() {
    let (cluster, client) = known().await;
    drop(cluster.state().unassign("t", "a"));
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    let Error::GaveUp { last, .. } = &error else { panic!("{error}") };
    assert!(matches!(**last, Error::NoRegion { .. }), "{error}");
    // The other region is not affected.
    assert_eq!(read(&table(&client, "t"), "t").await.unwrap(), "t");
}

// Bug 7: the end key of a region was not checked, and rows after it were sent to it.
#[tokio::test]
async fn a_row_in_a_hole_is_sent_to_no_region() {
    let (cluster, client) = known().await;
    cluster.state().split("t", "h");
    drop(cluster.state().unassign("t", "h"));
    for row in ["h", "i", "lll"] {
        assert!(write(&table(&client, "t"), row, "x").await.is_err());
    }
    assert_eq!(read(&table(&client, "t"), "a").await.unwrap(), "a");
    // The cluster would complain about a row outside the region it is sent to.
}

#[tokio::test]
async fn a_disabled_table_is_reported_as_disabled() {
    let (cluster, client) = known().await;
    cluster.state().set_table_state("t", crate::proto::table_state::State::Disabled);
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    assert!(matches!(error, Error::TableDisabled { .. }), "{error}");
    cluster.state().set_table_state("t", crate::proto::table_state::State::Enabled);
    finds_all(&client).await;
}

#[tokio::test]
async fn a_disabled_table_without_servers_is_reported_as_disabled() {
    let (cluster, client) = known().await;
    cluster.state().set_table_state("t", crate::proto::table_state::State::Disabled);
    drop(cluster.state().unassign("t", "a"));
    client.forget_regions(table(&client, "t").name());
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    assert!(matches!(error, Error::TableDisabled { .. }), "{error}");
}

#[tokio::test]
async fn a_dropped_table_is_missing_and_a_new_one_is_found() {
    let (cluster, client) = known().await;
    cluster.state().tables.remove("t");
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    assert!(matches!(error, Error::NoTable { .. }), "{error}");
    cluster.state().create("t", &["b", "c"]);
    write(&table(&client, "t"), "a", "new").await.unwrap();
    assert_eq!(read(&table(&client, "t"), "a").await.unwrap(), "new");
}

#[tokio::test]
async fn a_late_error_does_not_undo_what_was_learned_since() {
    let (cluster, client) = known().await;
    cluster.state().settings.tells_where_it_moved = false;
    cluster.state().move_to("t", "a", 1);
    let gate = super::Gate::closed();
    cluster.inject(When::calling("Get").at(0), Fault::Hold(gate.clone()));
    let before = cluster.count(|seen| seen.is("Get", "t"));
    let late = tokio::spawn({
        let table = table(&client, "t");
        async move { read(&table, "a").await }
    });
    cluster.until(before + 1, |seen| seen.is("Get", "t")).await;
    finds_all(&client).await;
    let lookups = cluster.count(is_lookup);
    gate.open();
    assert_eq!(late.await.unwrap().unwrap(), "a");
    finds_all(&client).await;
    assert_eq!(cluster.count(is_lookup), lookups);
}
