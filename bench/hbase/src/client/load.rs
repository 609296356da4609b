//! Loads, in the three ways that the client has.

use std::ops::Range;
use std::sync::Arc;

use keystride_hbase::{
    ActionWriter, Actions, CellTooLarge, Mutation, PutCells, Table, Writer, WriterOptions,
};
use tokio::task::JoinSet;

use crate::Failure;
use crate::answer::Answer;
use crate::rows::{FAMILY, Rows, TIME};

/// Batches under way at once: as the writer has it, one is written while another is collected.
const BATCHES_UNDER_WAY: usize = 2;

/// Rows' cells, collected by a [`Writer`].
pub(super) async fn with_writer(table: &Table, rows: &Rows, buffer_bytes: usize) -> Result<Answer, Failure> {
    let mut writer =
        table.writer(WriterOptions::default().with(|options| options.buffer_bytes = buffer_bytes));
    for at in 0..rows.len() {
        let mut cells = rows.cells(at);
        let write = |put: &mut PutCells<'_>| {
            cells.try_for_each(|(column, value)| put.value_at(FAMILY, column, TIME, value))
        };
        writer.put(rows.key(at), write).await?;
    }
    finish(writer, rows).await
}

/// A mutation for each row, collected by a [`Writer`].
pub(super) async fn with_mutations(
    table: &Table,
    rows: &Rows,
    buffer_bytes: usize,
) -> Result<Answer, Failure> {
    let mut writer =
        table.writer(WriterOptions::default().with(|options| options.buffer_bytes = buffer_bytes));
    for at in 0..rows.len() {
        let put = Mutation::put(rows.key(at));
        let put = rows.cells(at).fold(put, |put, (column, value)| put.value_at(FAMILY, column, TIME, value));
        writer.push(put).await?;
    }
    finish(writer, rows).await
}

async fn finish(mut writer: Writer, rows: &Rows) -> Result<Answer, Failure> {
    writer.flush().await;
    match writer.failures().pop() {
        Some((_, error)) => Err(error.into()),
        None => Ok(loaded(rows)),
    }
}

/// Flat rows, written when they are sent.
pub(super) async fn in_batches(table: &Table, rows: &Arc<Rows>, batch: usize) -> Result<Answer, Failure> {
    let mut under_way = JoinSet::new();
    for from in (0..rows.len()).step_by(batch) {
        if under_way.len() == BATCHES_UNDER_WAY {
            settle(&mut under_way).await?;
        }
        let table = table.clone();
        let batch = Batch { rows: Arc::clone(rows), range: from..(from + batch).min(rows.len()) };
        under_way.spawn(async move { table.apply(&batch).await });
    }
    while !under_way.is_empty() {
        settle(&mut under_way).await?;
    }
    Ok(loaded(rows))
}

async fn settle(under_way: &mut JoinSet<Vec<(usize, keystride_hbase::Error)>>) -> Result<(), Failure> {
    let failures = under_way.join_next().await.transpose()?.unwrap_or_default();
    failures.into_iter().next().map_or(Ok(()), |(_, error)| Err(error.into()))
}

fn loaded(rows: &Rows) -> Answer {
    Answer { rows: rows.len() as u64, ..Answer::default() }
}

/// Some of the rows.
#[derive(Debug)]
struct Batch {
    rows: Arc<Rows>,
    range: Range<usize>,
}

impl Actions for Batch {
    fn len(&self) -> usize {
        self.range.len()
    }

    fn row(&self, at: usize) -> &[u8] {
        self.rows.key(self.range.start + at)
    }

    fn write(&self, at: usize, out: &mut ActionWriter<'_>) -> Result<(), CellTooLarge> {
        let key = self.row(at);
        let mut cells = self.rows.cells(self.range.start + at);
        out.put(key, |put| cells.try_for_each(|(column, value)| put.value_at(FAMILY, column, TIME, value)))
    }
}
