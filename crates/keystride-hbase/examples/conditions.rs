//! Changes rows conditionally: `cargo run -p keystride-hbase --example conditions hbase://zk1:2181/hbase`

#![expect(clippy::print_stdout, reason = "it shows what it does")]

mod support;

use keystride_hbase::{Comparator, Compare, Condition, Mutation, Table};
use support::{Failure, with_table};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    with_table("example_conditions", &[], |_, table| Box::pin(run(table))).await
}

async fn run(table: Table) -> Result<(), Failure> {
    // Several users try to be first; only one succeeds.
    for who in ["ada", "tom"] {
        let is_free = Condition::column("f", "owner").is_absent();
        let take = vec![Mutation::put("seat1").value("f", "owner", who)];
        let checked = table.check_and_mutate(&is_free, take).await?;
        println!("{who} has it: {}", checked.is_applied);
    }

    // The stored value is less than 10. It has 8 bytes, as increments write them.
    table.mutate(Mutation::increment("seat1").amount("f", "sold", 9)).await?;
    for _ in 0..2 {
        let is_left =
            Condition::column("f", "sold").is(Compare::Less, Comparator::binary(10_i64.to_be_bytes()));
        let sell = vec![Mutation::increment("seat1").amount("f", "sold", 1)];
        println!("sold: {}", table.check_and_mutate(&is_left, sell).await?.is_applied);
    }

    // Several changes of a row, made atomically.
    let leave = Mutation::delete("seat1").column("f", "owner");
    table.mutate_row(vec![Mutation::put("seat1").value("f", "last", "ada"), leave]).await?;
    Ok(())
}
