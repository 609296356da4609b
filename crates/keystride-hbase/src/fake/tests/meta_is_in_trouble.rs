//! hbase:meta and the registry, when they are slow, moved or unavailable.

use std::time::{Duration, Instant};

use super::{Cluster, Exception, Fault, When, impatient, is_lookup, read, table};
use crate::{Client, ClientOptions, ClusterAddress, Error, ServerName};

/// Reads the same row from many tasks at once.
async fn read_from_many(client: &Client, tasks: usize) -> Vec<Result<String, Error>> {
    let reads: Vec<_> = (0..tasks)
        .map(|_| {
            let table = table(client, "t");
            tokio::spawn(async move { read(&table, "a").await })
        })
        .collect();
    let mut values = Vec::new();
    for read in reads {
        values.push(read.await.unwrap());
    }
    values
}

#[tokio::test]
async fn many_who_look_for_the_same_region_look_once() {
    let cluster = Cluster::with_table().await;
    cluster.write("t", "a", "q", "v");
    let values = read_from_many(&cluster.client(), 100).await;
    assert!(values.iter().all(|value| value.as_deref().unwrap() == "v"));
    assert_eq!(cluster.count(is_lookup), 1);
    assert_eq!(cluster.count(|seen| seen.method == "GetMetaRegionLocations"), 1);
}

// Bug 19: while hbase:meta was unavailable, callers piled up.
#[tokio::test]
async fn callers_end_in_time_though_lookups_are_never_answered() {
    let cluster = Cluster::with_table().await;
    cluster.inject(When::looking_up().always(), Fault::Silence);
    let options = ClientOptions { operation_timeout: Duration::from_millis(500), ..impatient() };
    let begun = Instant::now();
    let values = read_from_many(&cluster.client_with(options), 200).await;
    assert!(values.iter().all(Result::is_err));
    // One after the other they would take 40 s.
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_lookup_that_fails_is_tried_again() {
    for exception in [Exception::queue_full(), Exception::not_serving(b"hbase:meta,,1")] {
        let cluster = Cluster::with_table().await;
        cluster.write("t", "a", "q", "v");
        cluster.inject(When::looking_up().times(3), Fault::Exception(exception));
        assert_eq!(read(&table(&cluster.client(), "t"), "a").await.unwrap(), "v");
    }
}

#[tokio::test]
async fn a_lookup_whose_connection_breaks_is_tried_again() {
    for fault in [Fault::CloseBefore, Fault::CutShort(20), Fault::Garbage(b"\xff\xff\xff\xff")] {
        let cluster = Cluster::with_table().await;
        cluster.write("t", "a", "q", "v");
        cluster.inject(When::looking_up().times(3), fault);
        assert_eq!(read(&table(&cluster.client(), "t"), "a").await.unwrap(), "v");
    }
}

#[tokio::test]
async fn hbase_meta_is_followed_to_another_server() {
    let cluster = Cluster::with_table().await;
    cluster.write("t", "a", "q", "v");
    let client = cluster.client();
    read(&table(&client, "t"), "a").await.unwrap();
    cluster.state().meta_at = Some(1);
    client.forget_regions(table(&client, "t").name());
    assert_eq!(read(&table(&client, "t"), "a").await.unwrap(), "v");
}

#[tokio::test]
async fn a_cluster_without_meta_is_given_up_with_the_reason() {
    let cluster = Cluster::with_table().await;
    cluster.state().meta_at = None;
    let error = read(&table(&cluster.client(), "t"), "a").await.unwrap_err().to_string();
    assert!(error.contains("no server has hbase:meta yet"), "{error}");
}

#[tokio::test]
async fn one_server_of_many_that_lives_is_enough_to_begin() {
    let mut cluster = Cluster::start(3).await;
    cluster.state().create("t", &[]);
    cluster.write("t", "a", "q", "v");
    cluster.state().meta_at = Some(2);
    cluster.state().move_to("t", "a", 2);
    cluster.kill(0).await;
    cluster.kill(1).await;
    let client = cluster.client();
    assert_eq!(read(&table(&client, "t"), "a").await.unwrap(), "v");
    assert_eq!(client.cluster_id().await.unwrap(), "fake");
}

#[tokio::test]
async fn servers_without_bootstrap_nodes_will_do() {
    let cluster = Cluster::with_table().await;
    cluster.write("t", "a", "q", "v");
    let unknown =
        Exception::final_one("DoNotRetryIOException", "is unable to read call parameter from client");
    cluster.inject(When::calling("GetBootstrapNodes").always(), Fault::Exception(unknown));
    assert_eq!(read(&table(&cluster.client(), "t"), "a").await.unwrap(), "v");
}

// Bug 6: host names that can't be resolved made a client look them up for ever.
#[tokio::test]
async fn a_server_whose_name_can_not_be_resolved_is_in_the_error() {
    let cluster = Cluster::with_table().await;
    let nowhere = ServerName { host: "no-such-host.invalid".into(), port: 16_020, start_code: 1 };
    cluster.state().list("t", "a", nowhere);
    let error = read(&table(&cluster.client(), "t"), "a").await.unwrap_err();
    let Error::GaveUp { last, .. } = error else { panic!("{error}") };
    let Error::Connect { server, .. } = *last else { panic!("{last}") };
    assert_eq!(server.to_string(), "no-such-host.invalid:16020");
    assert!(cluster.count(is_lookup) <= 10);
}

#[tokio::test]
async fn a_cluster_without_servers_is_not_found() {
    let address: ClusterAddress = "hbase+rpc://127.0.0.1:1".parse().unwrap();
    let client = Client::with_options(&address, super::quick());
    let error = read(&table(&client, "t"), "a").await.unwrap_err();
    let Error::GaveUp { last, .. } = error else { panic!("{error}") };
    let Error::NoCluster { reason } = *last else { panic!("{last}") };
    assert!(reason.contains("127.0.0.1:1"), "{reason}");
}

#[tokio::test]
async fn a_server_without_the_registrys_service_is_passed_over() {
    let cluster = Cluster::with_table().await;
    cluster.write("t", "a", "q", "v");
    cluster.state().settings.lacks = Some((1, "ClientMetaService".into()));
    for _ in 0..8 {
        assert_eq!(read(&table(&cluster.client(), "t"), "a").await.unwrap(), "v");
    }
}

#[tokio::test]
async fn a_missing_service_is_explained() {
    let cluster = Cluster::with_table().await;
    cluster.state().settings.lacks = Some((0, "ClientService".into()));
    let error = read(&table(&cluster.client(), "t"), "a").await.unwrap_err();
    let Error::GaveUp { last, .. } = error else { panic!("{error}") };
    let Error::ConnectionLost { reason, .. } = *last else { panic!("{last}") };
    assert!(reason.contains("servers do so for an unknown service"), "{reason}");
}
