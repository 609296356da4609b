//! Execution of a prepared query, batch by batch.

use std::pin::Pin;

use futures_core::Stream;
use futures_util::{TryStreamExt, stream};
use keystride_store::{Order, RowBatch, RowStream};

use super::collect::Collect;
use super::gather::Gatherer;
use super::merge::Merge;
use super::top::Top;
use super::{PreparedQuery, Query, ReadError, Route, Rows};
use crate::Table;

/// The rows of a query in batches, none of them empty. Nothing is read before the stream is polled; dropping it ends
/// the query.
pub type RowsStream = Pin<Box<dyn Stream<Item = Result<Rows, ReadError>> + Send>>;

impl Table {
    /// Reads the rows of a query: [`Table::prepare`] and [`PreparedQuery::run`].
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the requested order is not available; later errors are returned by the stream.
    pub fn query(&self, query: &Query) -> Result<RowsStream, ReadError> {
        Ok(self.prepare(query)?.run())
    }
}

impl PreparedQuery {
    /// Executes the query.
    pub fn run(&self) -> RowsStream {
        Box::pin(self.collect(Gatherer::with_late(self, &self.late_fields())))
    }

    /// Executes the query. The rows are added to `collected`, and taken from it batch by batch.
    pub(crate) fn collect<C: Collect>(
        &self,
        collected: C,
    ) -> impl Stream<Item = Result<C::Batch, C::Error>> + use<C> {
        let execution = Execution { prepared: self.clone(), collected, source: Source::NotOpen };
        stream::try_unfold(execution, |mut execution| async move {
            Ok(execution.next_batch().await?.map(|batch| (batch, execution)))
        })
    }
}

/// A query in progress.
struct Execution<C> {
    prepared: PreparedQuery,
    collected: C,
    source: Source,
}

enum Source {
    NotOpen,
    /// A scan, its current batch, and the position in the batch.
    Scan(RowStream, RowBatch, usize),
    Merge(Merge),
    /// Rows that have all been read, in order.
    Top(std::vec::IntoIter<(Vec<u8>, keystride::Row)>),
}

impl<C: Collect> Execution<C> {
    async fn next_batch(&mut self) -> Result<Option<C::Batch>, C::Error> {
        if let Source::NotOpen = self.source {
            self.source = self.open().await?;
        }
        let Self { collected, source, .. } = self;
        match source {
            Source::NotOpen => {}
            Source::Scan(scan, batch, at) => fill_from_scan(collected, scan, batch, at).await?,
            Source::Merge(merge) => fill_from_merge(collected, merge).await?,
            Source::Top(rows) => {
                while !collected.is_full()
                    && let Some((key, row)) = rows.next()
                {
                    collected.put(&key, &row)?;
                }
            }
        }
        Ok(collected.take())
    }

    async fn open(&mut self) -> Result<Source, ReadError> {
        let gatherer = self.collected.gatherer();
        if gatherer.is_done() {
            return Ok(Source::Top(Vec::new().into_iter()));
        }
        let prepared = &self.prepared;
        match &prepared.route {
            Route::InTurn(order) => {
                Ok(Source::Scan(prepared.open(prepared.scan(*order)).await?, RowBatch::default(), 0))
            }
            Route::Top { .. } => {
                let scan = prepared.open(prepared.scan(Order::Ascending)).await?;
                Ok(Source::Top(Top::of(prepared, gatherer, scan).await?.into_iter()))
            }
            Route::Merged { lanes, order, .. } => {
                let mut scans = Vec::with_capacity(lanes.len());
                for lane in lanes {
                    scans.push(prepared.open(prepared.lane_scan(lane, *order, lanes.len())).await?);
                }
                let codec = prepared.table.codec();
                Ok(Source::Merge(Merge::open(lanes, scans, *order, codec).await?))
            }
        }
    }
}

async fn fill_from_scan<C: Collect>(
    collected: &mut C,
    scan: &mut RowStream,
    batch: &mut RowBatch,
    at: &mut usize,
) -> Result<(), C::Error> {
    while !collected.is_full() {
        if *at == batch.len() {
            let Some(next) = scan.try_next().await.map_err(ReadError::from)? else { break };
            (*batch, *at) = (next, 0);
        }
        add_rows(collected, batch, at)?;
    }
    Ok(())
}

/// Adds the rows of `batch` from the one at `at` on, until the collected batch is full.
fn add_rows<C: Collect>(collected: &mut C, batch: &RowBatch, at: &mut usize) -> Result<(), C::Error> {
    let mut added = Ok(());
    while added.is_ok() && *at < batch.len() && !collected.is_full() {
        added = collected.add(batch.row(*at));
        *at += 1;
    }
    // The error of an earlier row takes precedence.
    collected.check(batch.rows())?;
    added
}

async fn fill_from_merge<C: Collect>(collected: &mut C, merge: &mut Merge) -> Result<(), C::Error> {
    while !collected.is_full()
        && let Some(row) = merge.row()
    {
        let added = collected.add(row);
        collected.check([row])?;
        added?;
        if !collected.gatherer().is_done() {
            merge.advance().await.map_err(ReadError::from)?;
        }
    }
    Ok(())
}
