//! Scans that read from replicas.

use std::time::Duration;

use crate::fake::tests::{
    Cluster, Exception, Fault, Gate, Phase, RecordedCall, When, ends, keys, quick, scanned, shown, table,
    with_rows,
};
use crate::{ClientOptions, Row, Scan, Table};

/// Four regions on the first server, each with a replica on the second.
async fn with_replicas() -> Cluster {
    let cluster = with_rows().await;
    for row in ["a", "g", "m", "s"] {
        cluster.state().move_to("t", row, 0);
        cluster.state().add_replica("t", row, 1);
    }
    cluster
}

/// Replicas are asked at once when the primary does not answer.
fn hasty() -> ClientOptions {
    ClientOptions { primary_scan_timeout: Duration::from_millis(1), ..quick() }
}

/// Replicas are asked only if the primary's server is gone.
fn patient() -> ClientOptions {
    ClientOptions { primary_scan_timeout: Duration::MAX, ..quick() }
}

fn open() -> When {
    When::scan(Phase::Open).of("t")
}

fn is_close(seen: &RecordedCall) -> bool {
    seen.is_scan(Phase::Close, "t")
}

/// All rows, and whether a replica returned some.
async fn read(table: &Table, scan: Scan) -> (Vec<Row>, bool) {
    let mut scanner = table.scan(scan.timeline());
    let mut all = Vec::new();
    while let Some(rows) = ends(scanner.next_rows()).await.unwrap() {
        all.extend(rows);
    }
    (all, scanner.is_stale())
}

#[tokio::test]
async fn primaries_that_answer_are_read_instead_of_replicas() {
    let cluster = with_replicas().await;
    let table = table(&cluster.client_with(patient()), "t");
    let all = shown(&ends(scanned(&table, Scan::all())).await.unwrap());
    let (rows, is_stale) = read(&table, Scan::all()).await;
    assert_eq!((shown(&rows), is_stale), (all, false));
}

#[tokio::test]
async fn a_replica_is_read_for_a_silent_primary_whose_late_scanner_is_closed() {
    let cluster = with_replicas().await;
    cluster.state().settings.cells_per_answer = 2;
    let table = table(&cluster.client_with(hasty()), "t");
    let gate = Gate::closed();
    cluster.inject(open(), Fault::Hold(gate.clone()));
    let (rows, is_stale) = read(&table, Scan::range("a", "b")).await;
    assert_eq!(
        (keys(&rows), is_stale),
        (["a00", "a01", "a02", "a03", "a04"].map(String::from).to_vec(), true)
    );
    let closed = cluster.count(is_close);
    assert_eq!(cluster.state().scanners.len(), 1);
    gate.open();
    cluster.until(closed + 1, is_close).await;
    assert!(cluster.state().scanners.is_empty());
}

#[tokio::test]
async fn a_moved_region_is_looked_up_before_a_replica_is_read() {
    let cluster = with_replicas().await;
    let table = table(&cluster.client_with(patient()), "t");
    assert_eq!(read(&table, Scan::all()).await.0.len(), 20);
    cluster.state().move_to("t", "g", 1);
    let (rows, is_stale) = read(&table, Scan::all()).await;
    assert_eq!((rows.len(), is_stale), (20, false));
}

#[tokio::test]
async fn replicas_stand_in_for_a_lost_server_until_its_regions_are_reassigned() {
    let mut cluster = with_replicas().await;
    let table = table(&cluster.client_with(patient()), "t");
    assert_eq!(read(&table, Scan::all()).await.0.len(), 20);
    cluster.state().meta_at = Some(1);
    cluster.kill(0).await;
    let (rows, is_stale) = read(&table, Scan::range("g", "h")).await;
    assert_eq!((rows.len(), is_stale), (5, true));
    cluster.state().reassign();
    let (rows, is_stale) = read(&table, Scan::range("g", "h")).await;
    assert_eq!((rows.len(), is_stale), (5, false));
}

#[tokio::test]
async fn a_late_primary_is_read_if_its_replica_is_silent() {
    let cluster = with_replicas().await;
    let table = table(&cluster.client_with(hasty()), "t");
    let gate = Gate::closed();
    cluster.inject(open(), Fault::Hold(gate.clone()));
    cluster.inject(open(), Fault::Silence);
    let reading = tokio::spawn(async move { read(&table, Scan::range("a", "b")).await });
    cluster.until(2, |seen| seen.is_scan(Phase::Open, "t")).await;
    gate.open();
    let (rows, is_stale) = ends(reading).await.unwrap();
    assert_eq!((rows.len(), is_stale), (5, false));
}

#[tokio::test]
async fn the_rest_of_a_row_is_read_from_the_same_replica() {
    let cluster = with_replicas().await;
    cluster.state().settings.cells_per_answer = 1;
    let table = table(&cluster.client_with(hasty()), "t");
    cluster.inject(open(), Fault::Silence);
    // The replica's scanner is lost after the first cell; the primary would answer.
    cluster.inject(When::scan(Phase::Next).of("t"), Fault::Exception(Exception::unknown_scanner(7)));
    let (parts, is_stale) = read(&table, Scan::range("a00", "a01").in_parts_of(1)).await;
    assert_eq!((parts.len(), is_stale), (3, true));
    let opened = cluster.calls(|seen| seen.is_scan(Phase::Open, "t"));
    assert_eq!(opened.iter().map(|seen| seen.server).collect::<Vec<_>>(), [0, 1, 1]);
}
