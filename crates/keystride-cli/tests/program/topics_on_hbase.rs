//! A topic of a real Kafka goes into a real HBase while servers and the program are killed: every record once, with the
//! cells of its own time.

use keystride_hbase_harness::{ProduceOptions, ServerCluster, ServerOptions, kafka_or_skip};
use serde_json::Value;

use super::example;
use super::on_hbase::{Both, demand_same, flights};
use super::topics::{TIME, address, lines_of};

const ROWS: usize = 12_000;

/// The design of the flights, by which no version of a cell is lost that was written twice.
fn design() -> String {
    let text = std::fs::read_to_string(example("flights/design.toml")).unwrap();
    let families = "families.f = { compression = \"gz\", encoding = \"fast-diff\" }";
    assert!(text.contains(families));
    text.replace(families, "families.f = { versions = 3 }")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_record_of_a_topic_is_in_hbase_once_though_servers_and_the_load_are_killed() {
    let Some(kafka) = kafka_or_skip("every_record_of_a_topic_is_in_hbase_once") else { return };
    let text = flights(ROWS);
    let bodies = text.split_once('\n').unwrap().1;
    kafka.client().create_topic("into_hbase", 4, &[]).unwrap();
    kafka.client().produce("into_hbase", lines_of(bodies), &ProduceOptions::default()).unwrap();

    let options = ServerOptions { region_server_count: 2, heap_mib: 384, ..ServerOptions::default() };
    let cluster = ServerCluster::start(&options).unwrap();
    let both = Both::new(cluster.address(), "topic", &design());
    let from = address(kafka.bootstrap(), "into_hbase");
    let follow = [&from, "--load-id", "it", "--until", "now", "--batch", "64KiB", "--rate", "3k"];
    let load = both.start(&both.cluster(), &[&follow[..], &["--from", "earliest"]].concat());
    let stored = both.stored_records(1).await;
    cluster.region_server(0).kill().unwrap();
    let stored = both.stored_records(stored + 2_000).await;
    load.kill();
    cluster.region_server(0).start_again().unwrap();
    let load = both.start(&both.cluster(), &follow);
    both.stored_records(stored + 2_000).await;
    cluster.region_server(1).kill().unwrap();
    let report = load.report();
    assert_eq!((&report["records"], &report["rows"]), (&ROWS.into(), &ROWS.into()));

    let beside = both.load(&both.beside(), &text, &["--way", "batches"]);
    let times = |text: String, stamp: &str| text.replace(&format!("\t{stamp}\t"), "\t");
    let found = times(both.cells(&both.cluster(), &Value::Null), TIME);
    let expected = times(both.cells(&both.beside(), &beside), "load");
    demand_same(&found, &expected);
    assert_eq!(both.version_count().await, found.lines().count() - 1, "a cell was written twice");
}
