//! Reads and writes single rows: `cargo run -p keystride-hbase --example rows hbase://zk1:2181/hbase`

#![expect(clippy::print_stdout, reason = "it shows what it does")]

mod support;

use keystride_hbase::{Get, Mutation, Selection, Table, TimeRange};
use support::{Failure, with_table};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    with_table("example_rows", &[], |_, table| Box::pin(run(table))).await
}

async fn run(table: Table) -> Result<(), Failure> {
    table.mutate(Mutation::put("user7").value("f", "name", "Ada").value("f", "town", "London")).await?;
    let row = table.get(&Get::new("user7")).await?;
    for cell in row.cells() {
        println!("{} = {}", cell.qualifier.escape_ascii(), cell.value.escape_ascii());
    }

    // With an own timestamp, writing it twice has the same effect as once.
    table.mutate(Mutation::put("user7").value_at("f", "town", 1_400_657_685_457, "Turin")).await?;
    let then = Selection::all().time_range(TimeRange::new(0, 1_400_657_685_458)?);
    let row = table.get(&Get::new("user7").select(then)).await?;
    println!("then = {:?}", row.value(b"f", b"town").map(|town| town.escape_ascii().to_string()));

    // Takes effect once, even if it has to be sent several times.
    let row = table.mutate(Mutation::increment("user7").amount("f", "visits", 2)).await?;
    println!("visits = {:?}", row.value(b"f", b"visits"));

    table.mutate(Mutation::delete("user7").column("f", "town")).await?;
    println!("town is there: {}", table.exists(&Get::new("user7").column("f", "town")).await?);

    let rows = table.get_many(vec![Get::new("user7"), Get::new("nobody")]).await?;
    println!("nobody is there: {}", !rows[1].is_empty());
    Ok(())
}
