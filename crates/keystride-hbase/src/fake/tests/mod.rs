//! How the client handles faults of servers.
//!
//! `bug 7` in a comment is the seventh in a list of the worst bugs of other HBase clients (asynchbase, gohbase and
//! OpenTSDB), from their issues and commits.

mod answers_find_their_calls;
mod batches;
mod busy_servers_are_left_alone;
mod changes_of_a_row_are_made_together;
mod changes_of_tables_are_made_once;
mod connections_break;
mod futures_are_dropped;
mod meta_is_in_trouble;
mod nothing_is_lost_in_chaos;
mod nothing_piles_up;
mod operations_have_spans;
mod regions_come_and_go;
mod rows_come_and_go;
mod scans;
mod servers_do_not_answer;
mod servers_end;
mod servers_of_1_2;
mod servers_repeat_rows;
mod waits_are_reported;

use std::time::Duration;

use super::cluster::{ends, quick};
use super::{Cluster, Exception, Fault, Gate, Phase, RecordedCall, When, edit};
use crate::{Client, ClientOptions, Error, Get, Mutation, Row, Scan, Table, TableName};

/// A table of the client.
fn table(client: &Client, name: &str) -> Table {
    client.table(TableName::new(name).unwrap())
}

/// Reads the only value of a row.
async fn read(table: &Table, row: &str) -> Result<String, Error> {
    let row: Row = ends(table.get(&Get::new(row))).await?;
    Ok(String::from_utf8(row.value(b"f", b"q").unwrap_or_default().to_vec()).unwrap())
}

async fn write(table: &Table, row: &str, value: &str) -> Result<(), Error> {
    ends(table.mutate(Mutation::put(row).value("f", "q", value))).await.map(drop)
}

/// Increments by 1 and returns the new value.
async fn count_up(table: &Table, row: &str) -> Result<i64, Error> {
    let row = ends(table.mutate(Mutation::increment(row).amount("f", "n", 1))).await?;
    Ok(i64::from_be_bytes(row.value(b"f", b"n").unwrap().try_into().unwrap()))
}

fn is_lookup(seen: &RecordedCall) -> bool {
    seen.is_scan(Phase::Open, "hbase:meta")
}

/// Options that give up soon on servers that don't answer.
fn impatient() -> ClientOptions {
    ClientOptions { rpc_timeout: Duration::from_millis(200), max_attempts: 6, ..quick() }
}

/// A table of four regions on two servers, each with five rows of three cells.
async fn with_rows() -> Cluster {
    let cluster = Cluster::start(2).await;
    cluster.state().create("t", &["g", "m", "s"]);
    for first in ["a", "g", "m", "s"] {
        for number in 0..5 {
            for column in ["x", "y", "z"] {
                let row = format!("{first}{number:02}");
                cluster.write("t", &row, column, &format!("{row}{column}"));
            }
        }
    }
    cluster
}

/// All rows of a scan.
async fn scanned(table: &Table, scan: Scan) -> Result<Vec<Row>, Error> {
    let mut scanner = table.scan(scan);
    let mut all = Vec::new();
    while let Some(rows) = scanner.next_rows().await? {
        all.extend(rows);
    }
    Ok(all)
}

fn keys(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| String::from_utf8(row.key().to_vec()).unwrap()).collect()
}

/// The cells of each row as text.
fn shown(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| format!("{row:?}")).collect()
}
