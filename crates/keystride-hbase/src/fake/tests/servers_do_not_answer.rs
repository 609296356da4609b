//! Calls without an answer.

use std::time::Duration;

use super::{Cluster, Exception, Fault, When, count_up, impatient, read, table, write};
use crate::{Error, proto};

// Bug 3: without a time limit, a lost answer blocked its caller for ever.
#[tokio::test]
async fn a_call_that_is_never_answered_is_made_again() {
    let cluster = Cluster::with_table().await;
    cluster.write("t", "a", "q", "v");
    cluster.inject(When::calling("Get"), Fault::Silence);
    let table = table(&cluster.client_with(impatient()), "t");
    assert_eq!(read(&table, "a").await.unwrap(), "v");
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_and_named() {
    let cluster = Cluster::with_table().await;
    cluster.inject(When::calling("Get").always(), Fault::Silence);
    let client = cluster.client_with(impatient());
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    let Error::GaveUp { attempts: 6, last, .. } = error else { panic!("{error}") };
    let Error::Timeout { method: "Get", after, .. } = *last else { panic!("{last}") };
    assert_eq!(after, Duration::from_millis(200));
}

#[tokio::test]
async fn servers_receive_the_timeout() {
    let cluster = Cluster::with_table().await;
    read(&table(&cluster.client_with(impatient()), "t"), "a").await.unwrap();
    let get = cluster.calls(|seen| seen.is("Get", "t")).remove(0);
    assert!((1..=200).contains(&get.header.timeout()), "{:?}", get.header);
    // Lookups have a higher priority.
    assert_eq!(cluster.calls(super::is_lookup)[0].header.priority(), 200);
}

// Bug 10.
#[tokio::test]
async fn an_increment_whose_answer_is_lost_counts_once() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client_with(impatient()), "t");
    cluster.inject(When::calling("Mutate").times(2), Fault::LostAnswer);
    assert_eq!(count_up(&table, "a").await.unwrap(), 1);
    let nonces = cluster.calls(|seen| seen.is("Mutate", "t")).into_iter().map(|seen| {
        let request: proto::MutateRequest = seen.read();
        (request.nonce_group, request.mutation.nonce)
    });
    let nonces: Vec<_> = nonces.collect();
    assert!(nonces.len() >= 3 && nonces.iter().all(|nonce| *nonce == nonces[0]), "{nonces:?}");
    assert!(nonces[0].0.is_some() && nonces[0].1.is_some_and(|nonce| nonce != 0));
}

#[tokio::test]
async fn an_increment_that_failed_late_counts_once() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    let late = Exception::new("CallDroppedException", "too late");
    cluster.inject(When::calling("Mutate").times(2), Fault::LateException(late));
    assert_eq!(count_up(&table, "a").await.unwrap(), 1);
}

#[tokio::test]
async fn a_put_at_its_own_time_is_written_once_however_often_it_is_sent() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client_with(impatient()), "t");
    cluster.inject(When::calling("Mutate"), Fault::LostAnswer);
    let put = crate::Mutation::put("a").value_at("f", "q", 7, "v");
    super::ends(table.mutate(put)).await.unwrap();
    let row = super::ends(table.get(&crate::Get::new("a").versions(9))).await.unwrap();
    assert_eq!(row.cells().count(), 1);
    write(&table, "a", "w").await.unwrap();
}
