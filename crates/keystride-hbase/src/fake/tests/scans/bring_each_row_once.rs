//! Scans without faults, with answers of every size, in both orders.

use futures_util::FutureExt;
use tokio::task::yield_now;

use crate::fake::settings::Settings;
use crate::fake::tests::{Cluster, Fault, Gate, Phase, When, ends, keys, scanned, shown, table, with_rows};
use crate::{Order, Scan, Selection};

/// All ways in which servers may split rows into answers.
fn ways() -> Vec<Settings> {
    let mut ways = Vec::new();
    for cells_per_answer in [1, 2, 3, 5, 1_000] {
        for (heartbeats, vague_partials, knows_its_end) in
            [(0, false, true), (2, false, false), (0, true, true), (1, true, false)]
        {
            for is_1_2 in [false, true] {
                let usual = Settings { is_1_2, ..Settings::default() };
                ways.push(Settings { cells_per_answer, heartbeats, vague_partials, knows_its_end, ..usual });
            }
        }
    }
    ways
}

// Bug 20: a row that was marked as partial but was complete got mixed up with the next row.
#[tokio::test]
async fn rows_in_parts_and_heartbeats_make_the_same_rows() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let all = shown(&ends(scanned(&table, Scan::all())).await.unwrap());
    assert_eq!(all.len(), 20);
    for way in ways() {
        cluster.state().settings = way.clone();
        assert_eq!(shown(&ends(scanned(&table, Scan::all())).await.unwrap()), all, "{way:?}");
        let mut back = shown(&ends(scanned(&table, Scan::all().order(Order::Reverse))).await.unwrap());
        back.reverse();
        assert_eq!(back, all, "{way:?}");
    }
    ends(async {
        while !cluster.state().scanners.is_empty() {
            yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_scan_brings_what_lies_between_its_ends() {
    let cluster = with_rows().await;
    for is_1_2 in [false, true] {
        cluster.state().settings.is_1_2 = is_1_2;
        demand_what_lies_between_ends(&cluster).await;
    }
}

async fn demand_what_lies_between_ends(cluster: &Cluster) {
    let table = table(&cluster.client(), "t");
    let all = cluster.keys("t");
    let ranges =
        [("", ""), ("c", ""), ("", "m"), ("c", "m"), ("m", "m"), ("a01", "a01"), ("b05", "m01"), ("x", "a")];
    for (start, stop) in ranges {
        for (with_start, with_stop) in [(true, false), (true, true), (false, false), (false, true)] {
            let scan = Scan::range(start, stop).include_start(with_start).include_stop(with_stop);
            let wanted: Vec<String> = all
                .iter()
                .filter(|key| start.is_empty() || &key[..] > start || (with_start && *key == start))
                .filter(|key| stop.is_empty() || &key[..] < stop || (with_stop && *key == stop))
                .cloned()
                .collect();
            let found = keys(&ends(scanned(&table, scan.clone())).await.unwrap());
            assert_eq!(found, wanted, "{scan:?}");
            let mut back = keys(&ends(scanned(&table, scan.order(Order::Reverse))).await.unwrap());
            back.reverse();
            assert_eq!(back, wanted, "backwards");
        }
    }
}

#[tokio::test]
async fn a_limit_is_kept_to_the_row_however_answers_are_cut() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let all = cluster.keys("t");
    for way in ways() {
        cluster.state().settings = way.clone();
        for limit in [0, 1, 6, 20] {
            let found = ends(scanned(&table, Scan::all().limit(limit))).await.unwrap();
            let most = all.len().min(usize::try_from(limit).unwrap());
            assert_eq!(keys(&found), all[..most], "{limit} of {way:?}");
            assert!(found.iter().all(|row| row.cells().count() == 3), "{limit} of {way:?}");
        }
    }
}

#[tokio::test]
async fn rows_wanted_in_parts_come_in_parts_and_a_limit_counts_rows() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let all: Vec<String> = cluster.keys("t").into_iter().flat_map(|key| [key.clone(), key]).collect();
    let parts = Scan::all().in_parts_of(2);
    assert_eq!(keys(&ends(scanned(&table, parts.clone())).await.unwrap()), all);
    for limit in [1, 5, 6] {
        // Starts at an existing row: the first row counts like any other.
        let first = Scan::range("a00", "").in_parts_of(2).limit(limit as u64);
        for scan in [parts.clone().limit(limit as u64), first] {
            assert_eq!(keys(&ends(scanned(&table, scan)).await.unwrap()), all[..2 * limit], "{limit}");
        }
    }
}

#[tokio::test]
async fn a_scan_asks_for_columns_and_for_few_rows_at_once() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let scan = Scan::all().select(Selection::all().column("f", "y")).rows_per_call(2);
    let rows = ends(scanned(&table, scan)).await.unwrap();
    assert!(rows.len() == 20 && rows.iter().all(|row| row.cells().all(|cell| cell.qualifier == b"y")));
    assert!(cluster.count(|seen| seen.is_scan(Phase::Next, "t")) >= 4);
}

#[tokio::test]
async fn a_scanner_that_is_dropped_is_closed_at_the_server() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let mut scanner = table.scan(Scan::all().rows_per_call(1));
    assert!(ends(scanner.next_rows()).await.unwrap().is_some());
    drop(scanner);
    cluster.until(1, |seen| seen.is_scan(Phase::Close, "t")).await;
    assert!(cluster.state().scanners.is_empty());
    let close = cluster.calls(|seen| seen.is_scan(Phase::Close, "t")).remove(0);
    assert_eq!(close.header.priority(), 200);
}

#[tokio::test]
async fn a_scanner_that_is_dropped_while_it_is_opened_is_closed_too() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let gate = Gate::closed();
    cluster.inject(When::scan(Phase::Open).of("t"), Fault::Hold(gate.clone()));
    let mut scanner = table.scan(Scan::all().rows_per_call(1));
    assert!(scanner.next_rows().now_or_never().is_none());
    cluster.until(1, |seen| seen.is_scan(Phase::Open, "t")).await;
    drop(scanner);
    // All other tasks run first.
    yield_now().await;
    gate.open();
    cluster.until(1, |seen| seen.is_scan(Phase::Close, "t")).await;
    assert!(cluster.state().scanners.is_empty());
}

#[tokio::test]
async fn an_empty_table_has_no_rows() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    for order in [Order::Forward, Order::Reverse] {
        assert!(ends(scanned(&table, Scan::all().order(order))).await.unwrap().is_empty());
    }
}
