//! The reader's side of a scan.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::vec;

use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::mpsc;
use tracing::Instrument;

use super::driver::{Batch, Driver};
use super::machine::Machine;
use super::question::Scan;
use crate::{Error, RegionInfo, Row, Table, proto, span};

/// Rows of a scan, one after the other.
///
/// Nothing is read before it is polled for the first time; from then on, one answer ahead of the reader. Regions that
/// move, split or lose their server don't show: no row is left out, and none comes twice. Dropping it ends the scan.
#[derive(Debug)]
pub struct Scanner {
    state: State,
    rows: vec::IntoIter<Row>,
    metrics: Arc<Mutex<Tally>>,
}

/// What was counted, all in all and by region.
#[derive(Debug, Default)]
pub(super) struct Tally {
    all: ScanMetrics,
    rows_of: Vec<(RegionInfo, u64)>,
    pub(super) cursor: Option<Bytes>,
}

#[derive(Debug)]
enum State {
    NotBegun(Box<Driver>),
    Running(mpsc::Receiver<Batch>),
    Over,
}

/// What servers counted for a scan that was made [with metrics](Scan::with_metrics).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanMetrics {
    /// Rows that servers looked at.
    pub rows_scanned: u64,
    /// Rows that filters kept back.
    pub rows_filtered: u64,
    /// Bytes of blocks that were read, from disk or from the cache.
    pub block_bytes_scanned: u64,
}

impl Tally {
    pub(super) fn add(&mut self, region: &RegionInfo, answer: &proto::ScanMetrics) {
        let mut here = ScanMetrics::default();
        here.add(answer);
        self.all.add(answer);
        match self.rows_of.last_mut().filter(|(last, _)| last == region) {
            Some((_, rows)) => *rows = rows.saturating_add(here.rows_scanned),
            None => self.rows_of.push((region.clone(), here.rows_scanned)),
        }
    }
}

impl ScanMetrics {
    fn add(&mut self, answer: &proto::ScanMetrics) {
        for metric in &answer.metrics {
            let value = u64::try_from(metric.value()).unwrap_or_default();
            let sum = match metric.name() {
                "ROWS_SCANNED" => &mut self.rows_scanned,
                "ROWS_FILTERED" => &mut self.rows_filtered,
                "BLOCK_BYTES_SCANNED" => &mut self.block_bytes_scanned,
                _ => continue,
            };
            *sum = sum.saturating_add(value);
        }
    }
}

impl Table {
    /// Scans the table. It must be polled inside a Tokio runtime.
    pub fn scan(&self, scan: Scan) -> Scanner {
        let metrics = Arc::default();
        let machine = Machine::new(scan);
        let driver = Driver::new(self.client().clone(), self.name().clone(), machine, Arc::clone(&metrics));
        Scanner { state: State::NotBegun(Box::new(driver)), rows: Vec::new().into_iter(), metrics }
    }
}

impl Scanner {
    /// The rows that come next, as many as came together; `None` at the end.
    ///
    /// # Errors
    ///
    /// What keeps the scan from going on. It is over then.
    pub async fn next_rows(&mut self) -> Result<Option<Vec<Row>>, Error> {
        let left: Vec<Row> = self.rows.by_ref().collect();
        if !left.is_empty() {
            return Ok(Some(left));
        }
        std::future::poll_fn(|context| self.poll_batch(context)).await.transpose()
    }

    /// What servers have counted so far.
    pub fn metrics(&self) -> ScanMetrics {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// How far servers were when they last had no row to give for long, for a scan that was made
    /// [with a cursor](Scan::with_cursor): all rows before this one were looked at; backwards, all behind it.
    pub fn cursor(&self) -> Option<Bytes> {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).cursor.clone()
    }

    /// Rows that each region has looked at since this was last asked.
    pub fn take_rows_scanned(&self) -> Vec<(RegionInfo, u64)> {
        std::mem::take(&mut self.metrics.lock().unwrap_or_else(PoisonError::into_inner).rows_of)
    }

    fn poll_batch(&mut self, context: &mut Context<'_>) -> Poll<Option<Batch>> {
        let running = match &mut self.state {
            State::Over => return Poll::Ready(None),
            State::Running(running) => running,
            state @ State::NotBegun(_) => {
                let (out, running) = mpsc::channel(1);
                let State::NotBegun(driver) = std::mem::replace(state, State::Running(running)) else {
                    unreachable!("it was matched just now")
                };
                let span = span::scan(&driver.table);
                tokio::spawn(driver.run(out).instrument(span));
                return self.poll_batch(context);
            }
        };
        let batch = ready!(running.poll_recv(context));
        if !matches!(batch, Some(Ok(_))) {
            self.state = State::Over;
        }
        Poll::Ready(batch)
    }
}

impl Stream for Scanner {
    type Item = Result<Row, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Poll::Ready(Some(Ok(row)));
            }
            match ready!(self.poll_batch(context)) {
                Some(Ok(rows)) => self.rows = rows.into_iter(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}
