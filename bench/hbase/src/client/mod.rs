//! Our client, asked as those of others are: a line on standard input, an answer on standard output.

mod load;
mod read;

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;

use keystride_hbase::{Client, Table, TableName};
use tokio::runtime::{Builder, Runtime};

use crate::answer::Answer;
use crate::clock::Clock;
use crate::rows::Rows;
use crate::{Failure, say};

/// Answers until there is nothing more to answer.
pub(crate) fn serve(cluster: &str, rows: &Path, one_thread: bool) -> Result<(), Failure> {
    let runtime = runtime(one_thread)?;
    let rows = Arc::new(Rows::read(rows)?);
    let client = Client::new(cluster)?;
    for line in io::stdin().lock().lines() {
        let (client, rows, line) = (client.clone(), Arc::clone(&rows), line?);
        // A task, for what `block_on` itself runs is on a thread beside the runtime's own.
        let answered = runtime.block_on(runtime.spawn(async move { answer(&client, &rows, &line).await }))?;
        say(&answered.map_or_else(|error| format!("failed: {error}"), |answer| answer.to_string()));
        io::stdout().flush()?;
    }
    Ok(())
}

fn runtime(one_thread: bool) -> io::Result<Runtime> {
    let mut builder = if one_thread { Builder::new_current_thread() } else { Builder::new_multi_thread() };
    builder.enable_all().build()
}

async fn answer(client: &Client, rows: &Arc<Rows>, line: &str) -> Result<Answer, Failure> {
    let words: Vec<&str> = line.split(' ').collect();
    let table = |name: &str| -> Result<Table, Failure> { Ok(client.table(TableName::new(name)?)) };
    match words[..] {
        ["load", "writer", name, bytes, _] => {
            let (table, bytes) = (table(name)?, bytes.parse()?);
            measured(load::with_writer(&table, rows, bytes)).await
        }
        ["load", "mutations", name, bytes, _] => {
            let (table, bytes) = (table(name)?, bytes.parse()?);
            measured(load::with_mutations(&table, rows, bytes)).await
        }
        ["load", "run", name, _, batch] => {
            let (table, batch) = (table(name)?, batch.parse()?);
            measured(load::in_batches(&table, rows, batch)).await
        }
        ["scan", name] => measured(read::scan(&table(name)?)).await,
        ["digest", name] => read::digest(&table(name)?).await,
        ["get", "table", name, in_flight, count] => {
            let (table, in_flight, count) = (table(name)?, in_flight.parse()?, count.parse()?);
            measured(read::gets(&table, rows, in_flight, count)).await
        }
        _ => Err(format!("not understood: {line}").into()),
    }
}

async fn measured(work: impl Future<Output = Result<Answer, Failure>>) -> Result<Answer, Failure> {
    let clock = Clock::start();
    let answer = work.await?;
    let (cpu_ns, wall_ns) = clock.stop();
    Ok(Answer { cpu_ns, wall_ns, ..answer })
}
