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
use super::tally::{ScanMetrics, Tally};
use crate::{Error, RegionInfo, Row, Table, span};

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

#[derive(Debug)]
enum State {
    NotBegun(Box<Driver>),
    Running(mpsc::Receiver<Batch>),
    Over,
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

    /// Whether a copy of a region has answered, which may not know of the newest changes.
    pub fn is_stale(&self) -> bool {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).is_stale
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
