//! Writes many rows: `cargo run -p keystride-hbase --example writing hbase://zk1:2181/hbase`

#![expect(clippy::print_stdout, reason = "it shows what it does")]

mod support;

use keystride_hbase::{ActionWriter, Actions, CellTooLarge, Mutation, Table, WriterOptions};
use support::{Failure, with_table};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    with_table("example_writing", &["4", "8"], |_, table| Box::pin(run(table))).await
}

async fn run(table: Table) -> Result<(), Failure> {
    // A writer buffers changes of any kind and sends them in the background.
    let mut writer = table.writer(WriterOptions::default());
    for at in 0..1_000_u32 {
        writer.push(Mutation::put(key(at)).value_at("f", "n", 1, at.to_be_bytes())).await?;
    }
    // Puts without a `Mutation` cost less.
    for at in 1_000..2_000_u32 {
        writer.put(&key(at), |cells| cells.value_at(b"f", b"n", 1, &at.to_be_bytes())).await?;
    }
    writer.flush().await;
    for (mutation, error) in writer.failures() {
        println!("{} was not written: {error}", mutation.row().escape_ascii());
    }

    // Rows that are already in memory need no writer: they are encoded when they are sent.
    let rows = Rows((2_000..3_000).map(|at| (key(at), at)).collect());
    let failed = table.apply(&rows).await;
    println!("3000 rows, {} of the last thousand failed", failed.len());
    Ok(())
}

fn key(at: u32) -> Vec<u8> {
    format!("{:08x}", at.reverse_bits()).into_bytes()
}

/// Keys and numbers.
struct Rows(Vec<(Vec<u8>, u32)>);

impl Actions for Rows {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn row(&self, at: usize) -> &[u8] {
        &self.0[at].0
    }

    fn write(&self, at: usize, out: &mut ActionWriter<'_>) -> Result<(), CellTooLarge> {
        let (key, number) = &self.0[at];
        out.put(key, |cells| cells.value_at(b"f", b"n", 1, &number.to_be_bytes()))
    }
}
