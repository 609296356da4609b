//! Scans that read from replicas.

use std::time::Duration;

use crate::fake::tests::{
    Cluster, Exception, Fault, Gate, Phase, Seen, When, ends, keys, quick, scanned, shown, table, with_rows,
};
use crate::{ClientOptions, Row, Scan, Table};

/// Four regions on the first server, each with a replica on the second.
async fn copied() -> Cluster {
    let cluster = with_rows().await;
    for row in ["a", "g", "m", "s"] {
        cluster.state().move_to("t", row, 0);
        cluster.state().copy_to("t", row, 1);
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

fn is_close(seen: &Seen) -> bool {
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
async fn regions_that_answer_are_read_and_no_copy() {
    let cluster = copied().await;
    let table = table(&cluster.client_with(patient()), "t");
    let all = shown(&ends(scanned(&table, Scan::all())).await.unwrap());
    let (rows, is_stale) = read(&table, Scan::all()).await;
    assert_eq!((shown(&rows), is_stale), (all, false));
}

#[tokio::test]
async fn a_copy_is_read_for_a_silent_region_whose_scanner_is_ended_when_it_comes() {
    let cluster = copied().await;
    cluster.state().knobs.cells_per_answer = 2;
    let table = table(&cluster.client_with(hasty()), "t");
    let gate = Gate::closed();
    cluster.spoil(open(), Fault::Hold(gate.clone()));
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
async fn a_region_that_moved_is_looked_for_before_a_copy_is_read() {
    let cluster = copied().await;
    let table = table(&cluster.client_with(patient()), "t");
    assert_eq!(read(&table, Scan::all()).await.0.len(), 20);
    cluster.state().move_to("t", "g", 1);
    let (rows, is_stale) = read(&table, Scan::all()).await;
    assert_eq!((rows.len(), is_stale), (20, false));
}

#[tokio::test]
async fn a_server_that_is_gone_is_made_up_for_by_copies_until_its_regions_are_elsewhere() {
    let mut cluster = copied().await;
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
async fn a_region_that_answers_late_is_read_though_its_copy_is_silent() {
    let cluster = copied().await;
    let table = table(&cluster.client_with(hasty()), "t");
    let gate = Gate::closed();
    cluster.spoil(open(), Fault::Hold(gate.clone()));
    cluster.spoil(open(), Fault::Silence);
    let reading = tokio::spawn(async move { read(&table, Scan::range("a", "b")).await });
    cluster.until(2, |seen| seen.is_scan(Phase::Open, "t")).await;
    gate.open();
    let (rows, is_stale) = ends(reading).await.unwrap();
    assert_eq!((rows.len(), is_stale), (5, false));
}

#[tokio::test]
async fn the_rest_of_a_row_comes_from_the_copy_that_its_beginning_came_from() {
    let cluster = copied().await;
    cluster.state().knobs.cells_per_answer = 1;
    let table = table(&cluster.client_with(hasty()), "t");
    cluster.spoil(open(), Fault::Silence);
    // The replica's scanner is lost after the first cell; the primary would answer.
    cluster.spoil(When::scan(Phase::Next).of("t"), Fault::Exception(Exception::unknown_scanner(7)));
    let (parts, is_stale) = read(&table, Scan::range("a00", "a01").in_parts_of(1)).await;
    assert_eq!((parts.len(), is_stale), (3, true));
    let opened = cluster.calls(|seen| seen.is_scan(Phase::Open, "t"));
    assert_eq!(opened.iter().map(|seen| seen.server).collect::<Vec<_>>(), [0, 1, 1]);
}
