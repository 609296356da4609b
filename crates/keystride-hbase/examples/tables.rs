//! Creates, splits and copies tables: `cargo run -p keystride-hbase --example tables hbase://zk1:2181/hbase`

#![expect(clippy::print_stdout, reason = "it shows what it does")]

mod support;

use keystride_hbase::{Client, Mutation, SnapshotDescriptor, Table, TableName};
use support::{Failure, remove, with_table};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    with_table("example_tables", &["m"], |client, table| Box::pin(run(client, table))).await
}

async fn run(client: Client, table: Table) -> Result<(), Failure> {
    let admin = client.admin();
    for row in ["b", "n", "x"] {
        table.mutate(Mutation::put(row).value("f", "q", row)).await?;
    }

    admin.split_table(table.name(), b"t").await?;
    for (region, server) in client.regions(table.name()).await? {
        let server = server.map(|server| server.to_string());
        println!("from {:?}: {}", region.start.escape_ascii().to_string(), server.unwrap_or_default());
    }

    let copy = TableName::new("example_tables_copy")?;
    remove(&admin, &copy).await?;
    admin.snapshot(&SnapshotDescriptor::new("example_snapshot", table.name().clone())?).await?;
    admin.clone_snapshot("example_snapshot", &copy).await?;
    admin.delete_snapshot("example_snapshot").await?;
    println!("{copy} has {} regions", client.regions(&copy).await?.len());
    remove(&admin, &copy).await?;

    let status = admin.cluster_status().await?;
    println!("{} servers, {} regions a server", status.servers.len(), status.average_load().round());
    Ok(())
}
