//! Concurrent calls on one connection, with answers in any order.

use std::sync::Arc;

use super::{Cluster, Exception, Fault, Gate, When, count_up, edit, impatient, read, table, write};
use crate::Error;

async fn with_rows() -> Cluster {
    let cluster = Cluster::with_table().await;
    for number in 0..64 {
        cluster.write("t", &format!("a{number:02}"), "q", &number.to_string());
    }
    cluster
}

#[tokio::test]
async fn answers_out_of_order_reach_their_calls() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let gates: Vec<Gate> = (0..64).map(|_| Gate::closed()).collect();
    for gate in &gates {
        cluster.inject(When::calling("Get"), Fault::Hold(gate.clone()));
    }
    let reads: Vec<_> = (0..64)
        .map(|number| {
            let table = table.clone();
            tokio::spawn(async move { read(&table, &format!("a{number:02}")).await })
        })
        .collect();
    cluster.until(64, |seen| seen.is("Get", "t")).await;
    gates.iter().rev().for_each(Gate::open);
    for (number, read) in reads.into_iter().enumerate() {
        assert_eq!(read.await.unwrap().unwrap(), number.to_string());
    }
    assert_eq!(cluster.count(|seen| seen.is("Get", "t")), 64);
}

#[tokio::test]
async fn an_answer_that_nobody_waits_for_is_passed_over() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    cluster.inject(When::calling("Get"), Fault::StrangerFirst);
    cluster.inject(When::calling("Get"), Fault::Twice);
    for number in 0..3 {
        assert_eq!(read(&table, &format!("a0{number}")).await.unwrap(), number.to_string());
    }
    assert_eq!(cluster.count(|seen| seen.is("Get", "t")), 3);
}

// Bug 16: an error for a call that was no longer registered was lost, or went to another call.
#[tokio::test]
async fn a_late_answer_is_not_taken_for_another() {
    let cluster = with_rows().await;
    let table = table(&cluster.client_with(impatient()), "t");
    let late = Gate::closed();
    cluster.inject(When::calling("Get"), Fault::Hold(late.clone()));
    // The first attempt times out, the second returns the row.
    assert_eq!(read(&table, "a01").await.unwrap(), "1");
    let next = Gate::closed();
    cluster.inject(When::calling("Get"), Fault::Hold(next.clone()));
    let (value, ()) = tokio::join!(read(&table, "a02"), async {
        cluster.until(3, |seen| seen.is("Get", "t")).await;
        late.open();
        next.open();
    });
    assert_eq!(value.unwrap(), "2");
}

#[tokio::test]
async fn a_call_that_was_dropped_leaves_the_others_alone() {
    let cluster = with_rows().await;
    let table = Arc::new(table(&cluster.client(), "t"));
    let gate = Gate::closed();
    cluster.inject(When::calling("Get"), Fault::Hold(gate.clone()));
    let dropped = tokio::spawn({
        let table = Arc::clone(&table);
        async move { read(&table, "a01").await }
    });
    cluster.until(1, |seen| seen.is("Get", "t")).await;
    dropped.abort();
    assert!(dropped.await.unwrap_err().is_cancelled());
    gate.open();
    assert_eq!(read(&table, "a02").await.unwrap(), "2");
}

// Bug 13: truncated cells made a client panic.
#[tokio::test]
async fn an_answer_that_can_not_be_read_is_asked_for_again_on_the_same_connection() {
    for fault in [edit::cells_end_early(), edit::message(b"\x0a\xff\xff")] {
        let cluster = with_rows().await;
        let client = cluster.client();
        let table = table(&client, "t");
        cluster.inject(When::calling("Get"), fault.clone());
        assert_eq!(read(&table, "a01").await.unwrap(), "1");
        assert_eq!(cluster.count(|seen| seen.is("Get", "t")), 2);
        assert_eq!(client.metrics().connects, client.metrics().connections);
        cluster.inject(When::calling("Get").always(), fault);
        let error = read(&table, "a01").await.unwrap_err();
        assert!(matches!(error, Error::GaveUp { .. }), "{error}");
    }
}

#[tokio::test]
async fn an_increment_whose_answer_can_not_be_read_counts_once() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    cluster.inject(When::calling("Mutate").times(2), edit::cells_end_early());
    assert_eq!(count_up(&table, "a").await.unwrap(), 1);
}

#[tokio::test]
async fn what_never_helps_is_tried_once() {
    let cluster = with_rows().await;
    let table = table(&cluster.client(), "t");
    let exceptions = [
        Exception::final_one("regionserver.NoSuchColumnFamilyException", "Column family x does not exist"),
        Exception::new("regionserver.NoSuchColumnFamilyException", "the flag is missing"),
        Exception::final_one("something.NobodyKnows", "but it says so"),
    ];
    for exception in exceptions {
        cluster.inject(When::calling("Mutate"), Fault::Exception(exception));
        let error = write(&table, "a", "v").await.unwrap_err();
        assert!(
            error.remote().is_some_and(|remote| remote.server.is_some() && remote.region.is_some()),
            "{error}"
        );
    }
    assert_eq!(cluster.count(|seen| seen.is("Mutate", "t")), 3);
}
