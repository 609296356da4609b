//! Connections that break.

use super::{Cluster, Exception, Fault, When, count_up, read, table, write};
use crate::{Condition, Error, Mutation};

/// Reads a row while the first call has a fault.
async fn survives(fault: Fault) {
    let cluster = Cluster::with_table().await;
    cluster.write("t", "a", "q", "v");
    let client = cluster.client();
    let table = table(&client, "t");
    cluster.inject(When::calling("Get").times(2), fault);
    assert_eq!(read(&table, "a").await.unwrap(), "v");
    assert_eq!(cluster.count(|seen| seen.is("Get", "t")), 3);
}

// Bugs 2 and 18: a dead connection was kept and used for ever.
#[tokio::test]
async fn a_connection_that_closes_before_the_call_is_replaced() {
    survives(Fault::CloseBefore).await;
}

#[tokio::test]
async fn a_connection_that_closes_after_the_call_is_replaced() {
    survives(Fault::CloseAfter).await;
}

#[tokio::test]
async fn an_answer_that_is_cut_short_is_asked_for_again() {
    for len in [1, 3, 4, 5, 8, 12, 40] {
        survives(Fault::CutShort(len)).await;
    }
}

#[tokio::test]
async fn a_frame_that_is_no_answer_ends_the_connection_and_not_the_call() {
    let frames: [&[u8]; 5] = [
        // Empty, an invalid header, a message longer than its frame, and more cells than there are.
        b"\x00\x00\x00\x00",
        b"\x00\x00\x00\x03\x02\xff\xff",
        b"\x00\x00\x00\x04\x02\x08\x00\x7f",
        b"\x00\x00\x00\x09\x07\x08\x00\x1a\x03\x08\xff\x7f\x00",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
    ];
    for bytes in frames {
        survives(Fault::Garbage(bytes)).await;
    }
}

#[tokio::test]
async fn a_length_that_no_answer_has_ends_the_connection_and_not_the_call() {
    survives(Fault::Garbage(b"\xff\xff\xff\xff")).await;
    survives(Fault::Garbage(b"\x7f\xff\xff\xff\x02\x08\x00")).await;
}

#[tokio::test]
async fn an_exception_about_a_connection_ends_all_its_calls() {
    survives(Fault::Fatal(Exception::new("ipc.FatalConnectionException", "Unknown service"))).await;
}

/// Such an exception ends the connection even if it names a call.
#[tokio::test]
async fn what_a_server_will_never_take_is_not_tried_again() {
    let cluster = Cluster::with_table().await;
    let refusal = Exception::final_one("ipc.UnsupportedCellCodecException", "no such codec");
    cluster.inject(When::calling("Get").always(), Fault::Exception(refusal));
    let client = cluster.client();
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    assert_eq!(error.remote().unwrap().short_class(), "UnsupportedCellCodecException");
    assert_eq!(client.metrics().retries, 0);
}

#[tokio::test]
async fn a_connection_that_always_closes_is_given_up() {
    let cluster = Cluster::with_table().await;
    cluster.inject(When::calling("Get").always(), Fault::CloseBefore);
    let client = cluster.client();
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    let Error::GaveUp { attempts: 10, last, .. } = error else { panic!("{error}") };
    assert!(matches!(*last, Error::ConnectionLost { .. }), "{last}");
}

#[tokio::test]
async fn all_calls_of_a_broken_connection_are_retried() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    read(&table, "a").await.unwrap();
    cluster.inject(When::calling("Mutate").skip(20), Fault::CloseBefore);
    cluster.inject(When::calling("Mutate").skip(40), Fault::CutShort(6));
    let writes: Vec<_> = (0..64)
        .map(|number| {
            let table = table.clone();
            tokio::spawn(async move { write(&table, &format!("a{number}"), &number.to_string()).await })
        })
        .collect();
    for write in writes {
        write.await.unwrap().unwrap();
    }
    assert_eq!(read(&table, "a63").await.unwrap(), "63");
}

// Bug 10: a retried increment counted twice.
#[tokio::test]
async fn an_increment_whose_answer_is_lost_with_its_connection_counts_once() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    cluster.inject(When::calling("Mutate").times(3), Fault::CloseAfter);
    assert_eq!(count_up(&table, "a").await.unwrap(), 1);
    cluster.inject(When::calling("Mutate"), Fault::CutShort(7));
    assert_eq!(count_up(&table, "a").await.unwrap(), 2);
}

#[tokio::test]
async fn a_change_under_a_condition_whose_answer_is_lost_may_have_been_made() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    let change = async |row: &str, value: &str| {
        let put = Mutation::put(row).value("f", "q", value);
        table.check_and_mutate(&Condition::column("f", "q").is_absent(), vec![put]).await
    };
    cluster.inject(When::calling("Multi"), Fault::CloseAfter);
    let unsure = change("a", "1").await;
    assert!(matches!(&unsure, Err(Error::Unsure { row }) if row == "a"), "{unsure:?}");
    assert_eq!(read(&table, "a").await.unwrap(), "1");
    assert!(!change("a", "2").await.unwrap().is_applied);
    // This call is not executed before its connection closes.
    cluster.inject(When::calling("Multi"), Fault::CloseBefore);
    assert!(change("b", "1").await.unwrap().is_applied);
}
