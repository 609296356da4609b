//! Reads rows in order: `cargo run -p keystride-hbase --example scanning hbase://zk1:2181/hbase`

#![expect(clippy::print_stdout, reason = "it shows what it does")]

mod support;

use futures_util::TryStreamExt;
use keystride_hbase::{Comparator, Compare, Filter, Mutation, Order, Scan, Selection, Table};
use support::{Failure, with_table};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    with_table("example_scanning", &["m"], |_, table| Box::pin(run(table))).await
}

async fn run(table: Table) -> Result<(), Failure> {
    let rows = ["ada|1", "ada|2", "ada|3", "tom|1", "tom|2"];
    let puts = rows.map(|row| Mutation::put(row).value("f", "kind", "login").value("f", "row", row).into());
    for outcome in table.batch(puts.into()).await {
        outcome?;
    }

    show("all", &table, Scan::all()).await?;
    show("ada's newest two", &table, Scan::prefix("ada|").order(Order::Reverse).limit(2)).await?;
    show("a range", &table, Scan::range("ada|2", "tom|2")).await?;
    // Servers leave out what is not wanted: here all rows that don't end in 1, and all columns except one.
    let ends_in_1 = Filter::row(Compare::Equal, Comparator::substring("|1"));
    let wanted = Selection::all().column("f", "kind").filter(ends_in_1);
    show("firsts", &table, Scan::all().select(wanted)).await
}

async fn show(what: &str, table: &Table, scan: Scan) -> Result<(), Failure> {
    let mut rows = table.scan(scan);
    let mut keys = Vec::new();
    while let Some(row) = rows.try_next().await? {
        keys.push(row.key().escape_ascii().to_string());
    }
    println!("{what}: {}", keys.join(" "));
    Ok(())
}
