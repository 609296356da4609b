//! Writes that a quota delays are retried, and none is lost.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::time::Duration;

use keystride_hbase::{Client, ClientOptions, Error, Mutation, Table, TableName, WriterOptions};
use keystride_hbase_harness::{Cluster, ClusterOptions, Jars, JavaProgram, Site, quick};
use scratch::{described, keys};

const WRITES_A_SECOND: &str = "40";

fn put(row: &str) -> Mutation {
    Mutation::put(row).value("f", "q", "v")
}

/// Writes a row until a server throttles it.
async fn is_throttled(hurried: &Table) {
    let until = async {
        loop {
            match hurried.mutate(put("hurried")).await {
                Ok(_) => {}
                Err(Error::GaveUp { attempts: 1, last, .. }) => break last,
                Err(error) => panic!("{error}"),
            }
        }
    };
    let last = tokio::time::timeout(Duration::from_mins(2), until).await.unwrap();
    assert_eq!(last.remote().unwrap().short_class(), "RpcThrottlingException");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quota_is_waited_for() {
    if quick("a_quota_is_waited_for") {
        return;
    }
    let site = Site::new().with("hbase.quota.enabled", true).with("hbase.quota.refresh.period", 200);
    let options = ClusterOptions::small(site);
    let cluster = Cluster::start(&options).unwrap();
    let address = format!("hbase+rpc://{}", cluster.address().master());
    let client = Client::new(&address).unwrap();
    let name = TableName::new("t").unwrap();
    client.admin().create_table(&described(&name), &["5"]).await.unwrap();
    let throttle = JavaProgram::throttle().with_arguments(["t", WRITES_A_SECOND]);
    Jars::ready().unwrap().text(&throttle, &cluster.address().client_site()).unwrap();
    let hurried = ClientOptions::default().with(|options| options.max_attempts = 1);
    is_throttled(&Client::with_options(&address.parse().unwrap(), hurried).table(name.clone())).await;

    let table = client.table(name);
    let before = client.metrics().retries;
    let mut writer = table.writer(WriterOptions::default().with(|options| {
        options.buffer_bytes = 1_000;
        options.lanes = 2;
    }));
    for row in 0..120 {
        writer.push(put(&format!("{row:03}"))).await.unwrap();
    }
    writer.flush().await;
    assert!(writer.failures().is_empty());
    assert_eq!(keys(&table).await.len(), 121);
    assert!(client.metrics().retries > before);
}
