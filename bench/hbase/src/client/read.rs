//! Scans and gets.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use keystride_hbase::{Get, Row, Scan, Table};
use tokio::task::JoinSet;

use crate::Failure;
use crate::answer::Answer;
use crate::clock::nanos;
use crate::rows::Rows;

/// Reads all rows and looks at every cell.
pub(super) async fn scan(table: &Table) -> Result<Answer, Failure> {
    let mut answer = Answer::default();
    let mut scanner = table.scan(Scan::all());
    while let Some(rows) = scanner.next_rows().await? {
        for row in &rows {
            look_at(row, &mut answer);
        }
    }
    Ok(answer)
}

/// The same, and a checksum of all that was read.
pub(super) async fn digest(table: &Table) -> Result<Answer, Failure> {
    let mut answer = Answer::default();
    let mut crc = crc32fast::Hasher::new();
    let mut scanner = table.scan(Scan::all());
    while let Some(rows) = scanner.next_rows().await? {
        for row in &rows {
            look_at(row, &mut answer);
            for cell in row.cells() {
                for part in [cell.row, cell.qualifier, &cell.ts.to_be_bytes(), cell.value] {
                    crc.update(part);
                }
            }
        }
    }
    Ok(Answer { crc: crc.finalize().into(), ..answer })
}

fn look_at(row: &Row, answer: &mut Answer) {
    answer.rows += u64::from(!row.is_empty());
    for cell in row.cells() {
        answer.cells += 1;
        answer.bytes += (cell.qualifier.len() + cell.value.len()) as u64;
    }
}

/// Gets one row at a time, `in_flight` of them at once.
pub(super) async fn gets(
    table: &Table,
    rows: &Arc<Rows>,
    in_flight: usize,
    count: usize,
) -> Result<Answer, Failure> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..in_flight {
        tasks.spawn(get_in_turn(table.clone(), Arc::clone(rows), Arc::clone(&next), count));
    }
    let (mut all, mut latencies) = (Answer::default(), Vec::with_capacity(count));
    while let Some(done) = tasks.join_next().await {
        let (answer, took) = done??;
        all.rows += answer.rows;
        all.cells += answer.cells;
        all.bytes += answer.bytes;
        latencies.extend(took);
    }
    Ok(all.with_latencies(latencies))
}

async fn get_in_turn(
    table: Table,
    rows: Arc<Rows>,
    next: Arc<AtomicUsize>,
    count: usize,
) -> Result<(Answer, Vec<u64>), keystride_hbase::Error> {
    let (mut answer, mut latencies) = (Answer::default(), Vec::new());
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        if at >= count {
            return Ok((answer, latencies));
        }
        let begun = Instant::now();
        let row = table.get(&Get::new(rows.key(row_of(at, rows.len())))).await?;
        latencies.push(nanos(begun.elapsed()));
        look_at(&row, &mut answer);
    }
}

/// The row of a get: all over the table, the same for all clients.
fn row_of(at: usize, count: usize) -> usize {
    (at * 48_271 + 11) % count
}
