//! Scans while regions and servers change, and with slow readers.

use std::sync::Arc;
use std::time::Duration;

use prost::Message;

use super::{CUTS, next};
use crate::fake::tests::{
    Cluster, Exception, Fault, Phase, RecordedCall, When, ends, keys, quick, scanned, shown, table, with_rows,
};
use crate::{ClientOptions, Order, Scan, proto};

/// Changes the regions after each batch of a scan.
async fn scan_while(order: Order, change: impl Fn(&Cluster, usize)) {
    for cut in CUTS {
        let cluster = with_rows().await;
        cluster.state().settings.cells_per_answer = cut;
        let table = table(&cluster.client(), "t");
        let mut wanted = cluster.keys("t");
        if order == Order::Reverse {
            wanted.reverse();
        }
        let mut scanner = table.scan(Scan::all().order(order));
        let mut found = Vec::new();
        for batch in 0.. {
            let Some(rows) = ends(scanner.next_rows()).await.unwrap() else { break };
            assert!(rows.iter().all(|row| row.cells().count() == 3));
            found.extend(keys(&rows));
            change(&cluster, batch);
        }
        assert_eq!(found, wanted, "{order:?}, {cut} cells");
    }
}

#[tokio::test]
async fn regions_that_split_and_merge_under_a_scan_do_not_show() {
    for order in [Order::Forward, Order::Reverse] {
        scan_while(order, |cluster, batch| {
            let rows = ["a03", "g02", "m01", "s04"];
            cluster.state().split("t", rows[batch % 4]);
            if batch % 3 == 2 {
                cluster.state().merge("t", rows[(batch + 1) % 4]);
            }
        })
        .await;
    }
}

#[tokio::test]
async fn regions_that_move_under_a_scan_do_not_show() {
    for order in [Order::Forward, Order::Reverse] {
        for tells in [true, false] {
            scan_while(order, |cluster, batch| {
                cluster.state().settings.tells_where_it_moved = tells;
                for row in ["a", "g", "m", "s"] {
                    cluster.state().move_to("t", row, batch % 2);
                }
            })
            .await;
        }
    }
}

#[tokio::test]
async fn rows_in_parts_continue_after_the_last_cell() {
    for exception in [Exception::unknown_scanner(7), Exception::not_serving(b"t")] {
        let cluster = with_rows().await;
        let table = table(&cluster.client(), "t");
        let scan = Scan::all().in_parts_of(1);
        let all = shown(&ends(scanned(&table, scan.clone())).await.unwrap());
        assert_eq!(all.len(), 60);
        cluster.state().settings.cells_per_answer = 2;
        for skip in [0, 1, 4] {
            cluster.inject(next().skip(skip), Fault::Exception(exception.clone()));
        }
        assert_eq!(shown(&ends(scanned(&table, scan)).await.unwrap()), all);
        // The rest of a row is read with the read point of its start.
        let opens = cluster.calls(|seen| seen.is_scan(Phase::Open, "t"));
        let again = opens.iter().map(RecordedCall::read::<proto::ScanRequest>);
        assert!(
            again.filter(|open| open.scan.as_ref().is_some_and(|scan| scan.mvcc_read_point() == 1)).count()
                > 0
        );
    }
}

#[tokio::test]
async fn a_server_that_ends_under_a_scan_does_not_show() {
    let mut cluster = with_rows().await;
    let client = cluster.client();
    cluster.state().settings.cells_per_answer = 4;
    let mut scanner = table(&client, "t").scan(Scan::all());
    let mut found = Vec::new();
    for batch in 0.. {
        let Some(rows) = ends(scanner.next_rows()).await.unwrap() else { break };
        found.extend(keys(&rows));
        if batch % 2 == 0 {
            cluster.restart(batch / 2 % 2).await;
            cluster.state().reassign();
        }
    }
    assert_eq!(found, cluster.keys("t"));
}

#[tokio::test]
async fn a_slow_reader_keeps_its_scanner() {
    let cluster = with_rows().await;
    // A lease so short that half of it passes quickly.
    let short = Fault::Edit(Arc::new(|answer| {
        let mut scan = proto::ScanResponse::decode(answer.message.clone()).unwrap();
        scan.ttl = Some(10);
        answer.message = scan.encode_to_vec().into();
    }));
    cluster.inject(When::calling("Scan").of("t").always(), short);
    let table = table(&cluster.client(), "t");
    let mut scanner = table.scan(Scan::all().rows_per_call(1));
    let mut found = keys(&ends(scanner.next_rows()).await.unwrap().unwrap());
    cluster.until(3, |seen| seen.is_scan(Phase::Renew, "t")).await;
    while let Some(rows) = ends(scanner.next_rows()).await.unwrap() {
        found.extend(keys(&rows));
    }
    assert_eq!(found, cluster.keys("t"));
    // No scanner was opened twice.
    assert_eq!(cluster.count(|seen| seen.is_scan(Phase::Open, "t")), 4);
}

#[tokio::test]
async fn a_scan_with_only_heartbeats_outlasts_the_rpc_timeout() {
    let cluster = with_rows().await;
    cluster.state().settings.heartbeats = 40;
    let options = ClientOptions { max_attempts: 2, operation_timeout: Duration::from_secs(10), ..quick() };
    let rows = ends(scanned(&table(&cluster.client_with(options), "t"), Scan::all())).await.unwrap();
    assert_eq!(rows.len(), 20);
}
