//! The public side of a scan.

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
use super::request::Scan;
use super::status::{ScanMetrics, ScanStatus};
use crate::{Error, RegionInfo, Row, Table, span};

/// A stream of the rows of a scan.
///
/// Nothing is read before the first poll; from then on, one answer is read ahead. Regions may move, split or lose their
/// server meanwhile: every row is returned exactly once. Dropping the scanner closes it at the server.
#[derive(Debug)]
pub struct Scanner {
    state: State,
    rows: vec::IntoIter<Row>,
    metrics: Arc<Mutex<ScanStatus>>,
}

#[derive(Debug)]
enum State {
    NotBegun(Box<Driver>),
    Running(mpsc::Receiver<Batch>),
    Over,
}

impl Table {
    /// Starts a scan of the table. The scanner must be polled inside a Tokio runtime.
    pub fn scan(&self, scan: Scan) -> Scanner {
        let metrics = Arc::default();
        let machine = Machine::new(scan);
        let driver = Driver::new(self.client().clone(), self.name().clone(), machine, Arc::clone(&metrics));
        Scanner { state: State::NotBegun(Box::new(driver)), rows: Vec::new().into_iter(), metrics }
    }
}

impl Scanner {
    /// The next rows, as many as arrived together. `None` at the end.
    ///
    /// # Errors
    ///
    /// Any error that is not worth retrying. It ends the scan.
    pub async fn next_rows(&mut self) -> Result<Option<Vec<Row>>, Error> {
        let left: Vec<Row> = self.rows.by_ref().collect();
        if !left.is_empty() {
            return Ok(Some(left));
        }
        std::future::poll_fn(|context| self.poll_batch(context)).await.transpose()
    }

    /// The metrics that servers have reported so far.
    pub fn metrics(&self) -> ScanMetrics {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// The position that servers last reported while they had no rows to return, for a scan [with a
    /// cursor](Scan::with_cursor). All rows before this one were scanned; in reverse order, all rows after it.
    pub fn cursor(&self) -> Option<Bytes> {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).cursor.clone()
    }

    /// Whether a replica was read, which may not have the newest changes.
    pub fn is_stale(&self) -> bool {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).is_stale
    }

    /// The number of rows scanned in each region since the last call of this function.
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
