//! Execution of a prepared query, batch by batch.

use std::pin::Pin;

use futures_core::Stream;
use futures_util::{TryStreamExt, stream};
use keystride_store::{Order, RowBatch, RowStream};

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
        // Rows to be sorted must be decoded completely, because they are kept until their position is known.
        let late = if let Route::Top { .. } = self.route { Vec::new() } else { self.late_fields() };
        let gatherer = Gatherer::with_late(self, &late);
        let run = Run { gatherer, prepared: self.clone(), source: Source::NotOpen };
        Box::pin(stream::try_unfold(run, |mut run| async move {
            Ok(run.next_rows().await?.map(|rows| (rows, run)))
        }))
    }
}

/// A query in progress.
struct Run {
    prepared: PreparedQuery,
    gatherer: Gatherer,
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

impl Run {
    async fn next_rows(&mut self) -> Result<Option<Rows>, ReadError> {
        if let Source::NotOpen = self.source {
            self.source = self.open().await?;
        }
        let Self { gatherer, source, .. } = self;
        match source {
            Source::NotOpen => {}
            Source::Scan(scan, batch, at) => fill_from_scan(gatherer, scan, batch, at).await?,
            Source::Merge(merge) => {
                while !gatherer.is_full()
                    && let Some(row) = merge.row()
                {
                    gatherer.add(row)?;
                    if !gatherer.is_done() {
                        merge.advance().await?;
                    }
                }
            }
            Source::Top(rows) => {
                while !gatherer.is_full()
                    && let Some((key, row)) = rows.next()
                {
                    gatherer.put(&key, &row);
                }
            }
        }
        Ok(gatherer.take())
    }

    async fn open(&mut self) -> Result<Source, ReadError> {
        if self.gatherer.is_done() {
            return Ok(Source::Top(Vec::new().into_iter()));
        }
        let prepared = &self.prepared;
        match &prepared.route {
            Route::InTurn(order) => {
                Ok(Source::Scan(prepared.open(prepared.scan(*order)).await?, RowBatch::default(), 0))
            }
            Route::Top { .. } => {
                let scan = prepared.open(prepared.scan(Order::Ascending)).await?;
                Ok(Source::Top(Top::of(prepared, &mut self.gatherer, scan).await?.into_iter()))
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

async fn fill_from_scan(
    gatherer: &mut Gatherer,
    scan: &mut RowStream,
    batch: &mut RowBatch,
    at: &mut usize,
) -> Result<(), ReadError> {
    while !gatherer.is_full() {
        if *at == batch.len() {
            let Some(next) = scan.try_next().await? else { break };
            (*batch, *at) = (next, 0);
            continue;
        }
        gatherer.add(batch.row(*at))?;
        *at += 1;
    }
    Ok(())
}
