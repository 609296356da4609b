//! Scans with faults.

use super::{CUTS, next};
use crate::fake::tests::{
    Cluster, Exception, Fault, Phase, When, edit, ends, impatient, scanned, shown, table, with_rows,
};
use crate::{Error, Order, Scan};

/// Checks that all rows arrive once and whole, in both orders, despite the faults.
async fn survives(cells_per_answer: usize, inject: impl Fn(&Cluster)) {
    let both = [Order::Forward, Order::Reverse];
    for (order, is_1_2) in both.into_iter().flat_map(|order| [(order, false), (order, true)]) {
        let cluster = with_rows().await;
        cluster.state().settings.is_1_2 = is_1_2;
        let table = table(&cluster.client_with(impatient()), "t");
        let all = shown(&ends(scanned(&table, Scan::all().order(order))).await.unwrap());
        assert_eq!(all.len(), 20);
        cluster.state().settings.cells_per_answer = cells_per_answer;
        inject(&cluster);
        assert_eq!(shown(&ends(scanned(&table, Scan::all().order(order))).await.unwrap()), all);
    }
}

// Bug 4: a scanner with an expired lease was used again and again.
#[tokio::test]
async fn a_lost_scanner_is_replaced_after_the_last_row() {
    let gone = [
        Exception::unknown_scanner(7),
        Exception::final_one("exceptions.ScannerResetException", "Scanner is closed on the server-side"),
        Exception::new("regionserver.LeaseException", "lease '7' does not exist"),
    ];
    for exception in gone {
        for cut in CUTS {
            survives(cut, |cluster| {
                for skip in [0, 1, 3] {
                    cluster.inject(next().skip(skip), Fault::Exception(exception.clone()));
                }
            })
            .await;
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_lost_leaves_no_row_out() {
    for fault in
        [Fault::LostAnswer, Fault::Silence, Fault::CloseAfter, Fault::CloseBefore, Fault::CutShort(30)]
    {
        survives(2, |cluster| {
            for skip in [0, 1] {
                cluster.inject(next().skip(skip), fault.clone());
            }
            cluster.inject(When::scan(Phase::Open).of("t").skip(1), fault.clone());
        })
        .await;
    }
}

#[tokio::test]
async fn an_answer_that_failed_late_leaves_no_row_out() {
    // The server is then one call ahead, and says so when the call is repeated.
    let late =
        [Exception::queue_full(), Exception::new("CallDroppedException", ""), Exception::not_serving(b"t")];
    for exception in late {
        for cut in CUTS {
            survives(cut, |cluster| {
                cluster.inject(next(), Fault::LateException(exception.clone()));
                cluster.inject(next().skip(2), Fault::LateException(exception.clone()));
            })
            .await;
        }
    }
}

#[tokio::test]
async fn a_call_to_a_busy_server_is_repeated() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    cluster.state().settings.cells_per_answer = 2;
    cluster.inject(next().times(3), Fault::Exception(Exception::queue_full()));
    assert_eq!(ends(scanned(&table, Scan::all())).await.unwrap().len(), 20);
    // One for each region: no scanner was lost.
    assert_eq!(cluster.count(|seen| seen.is_scan(Phase::Open, "t")), 4);
}

#[tokio::test]
async fn cells_that_can_not_be_read_come_again() {
    for fault in [edit::cells_end_early(), edit::message(b"\xff\xff"), Fault::Garbage(b"\x00\x00\x00\x00")] {
        for cut in CUTS {
            survives(cut, |cluster| {
                cluster.inject(next(), fault.clone());
                cluster.inject(When::scan(Phase::Open).of("t").skip(1), fault.clone());
            })
            .await;
        }
    }
}

#[tokio::test]
async fn a_scanner_that_is_out_of_order_is_closed_and_replaced() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    cluster.state().settings.cells_per_answer = 2;
    let out_of_order =
        Exception::final_one("exceptions.OutOfOrderScannerNextException", "Expected nextCallSeq: 1");
    cluster.inject(next().skip(1), Fault::Exception(out_of_order));
    assert_eq!(ends(scanned(&table, Scan::all())).await.unwrap().len(), 20);
    cluster.until(1, |seen| seen.is_scan(Phase::Close, "t")).await;
    assert!(cluster.state().scanners.is_empty());
}

#[tokio::test]
async fn a_scanner_that_is_lost_each_time_is_given_up() {
    let cases = [
        (Exception::unknown_scanner(7), 2, 0),
        (Exception::final_one("exceptions.ScannerResetException", ""), 1, 0),
        (Exception::not_serving(b"t"), 1, 0),
        (Exception::unknown_scanner(7), 1_000, 2),
    ];
    for (exception, cells_per_answer, heartbeats) in cases {
        let cluster = with_rows().await;
        cluster.state().settings.cells_per_answer = cells_per_answer;
        cluster.state().settings.heartbeats = heartbeats;
        cluster.inject(next().always(), Fault::Exception(exception.clone()));
        let table = table(&cluster.client_with(impatient()), "t");
        let error = ends(scanned(&table, Scan::all())).await.unwrap_err();
        assert!(matches!(error, Error::GaveUp { .. }), "{exception:?}: {error}");
    }
}

#[tokio::test]
async fn a_region_that_can_not_be_opened_is_given_up() {
    let cluster = with_rows().await;
    cluster
        .inject(When::scan(Phase::Open).of("t").skip(1).always(), Fault::Exception(Exception::queue_full()));
    let table = table(&cluster.client_with(impatient()), "t");
    let mut scanner = table.scan(Scan::all());
    let first = ends(scanner.next_rows()).await.unwrap().unwrap();
    assert_eq!(first.len(), 5);
    let error = ends(scanner.next_rows()).await.unwrap_err();
    assert!(matches!(error, Error::GaveUp { .. }), "{error}");
    assert!(ends(scanner.next_rows()).await.unwrap().is_none());
}

#[tokio::test]
async fn an_error_that_never_helps_ends_a_scan_at_once() {
    let cluster = with_rows().await;
    let wrong =
        Exception::final_one("regionserver.NoSuchColumnFamilyException", "Column family x does not exist");
    cluster.inject(When::scan(Phase::Open).of("t").always(), Fault::Exception(wrong));
    let error = ends(scanned(&table(&cluster.client(), "t"), Scan::all())).await.unwrap_err();
    assert!(error.remote().is_some(), "{error}");
    assert_eq!(cluster.count(|seen| seen.is_scan(Phase::Open, "t")), 1);
}
