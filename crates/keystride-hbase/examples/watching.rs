//! Sets limits, and shows what a client does: `cargo run -p keystride-hbase --example watching hbase://zk1:2181/hbase`

#![expect(clippy::print_stdout, reason = "it shows what it does")]

mod support;

use std::time::Duration;

use keystride_hbase::{Client, ClientOptions, Get, TableName};
use support::{Failure, address};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let options = ClientOptions::from_env().with(|options| {
        options.rpc_timeout = Duration::from_secs(5);
        options.operation_timeout = Duration::from_secs(30);
    });
    let client = Client::with_options(&address()?.parse()?, options);

    // An error has HBase's exception, the server and region, and what would help.
    let missing = client.table(TableName::new("example_that_is_not_there")?);
    if let Err(error) = missing.get(&Get::new("row")).await {
        println!("{error}; what would help: {:?}", error.recovery());
    }

    let metrics = client.metrics();
    println!("{} calls, {} retries, {} connections", metrics.calls, metrics.retries, metrics.connections);
    if let Some(latency) = metrics.latency_below(99) {
        println!("99 of 100 calls took less than {latency:?}");
    }
    Ok(())
}
