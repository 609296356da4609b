//! Scans of several ranges, one after the other.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream;
use keystride::KeyRange;
use keystride_hbase::{Order as WireOrder, Row as WireRow, Scan as WireScan, Scanner, Table};

use super::counts::Counts;
use super::read::{cells, wire_selection};
use crate::sink::Sink;
use crate::{Order, RowBatch, RowStream, Scan, StoreError};

/// What scans are opened with.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) table: Table,
    pub(super) counts: Arc<Counts>,
    pub(super) rows_read: Arc<AtomicU64>,
}

/// A scan between two batches.
struct Ranges {
    open: Open,
    scan: Scan,
    /// Those not begun yet, in the order they are read.
    to_begin: VecDeque<KeyRange>,
    current: Option<Scanner>,
    left: u64,
}

/// The rows of all ranges. Each range is opened when the one before it is read.
pub(super) fn rows(open: Open, scan: Scan, ranges: Vec<KeyRange>) -> RowStream {
    let mut ranges = VecDeque::from(ranges);
    if scan.order == Order::Descending {
        ranges.make_contiguous().reverse();
    }
    if scan.selection.times.is_empty() {
        ranges.clear();
    }
    let left = scan.limit.unwrap_or(u64::MAX);
    let state = Ranges { open, scan, to_begin: ranges, current: None, left };
    Box::pin(stream::try_unfold(state, |mut state| async move {
        Ok(state.next().await?.map(|batch| (batch, state)))
    }))
}

impl Ranges {
    async fn next(&mut self) -> Result<Option<RowBatch>, StoreError> {
        while self.left > 0 {
            let Some(mut scanner) = self.current.take().or_else(|| self.begin()) else { return Ok(None) };
            let rows = scanner.next_rows().await;
            self.count(&scanner);
            let rows = rows.map_err(|error| StoreError::cluster(self.open.table.name(), error))?;
            let Some(rows) = rows else { continue };
            self.current = Some(scanner);
            let batch = self.take(&rows)?;
            if !batch.is_empty() {
                self.left -= batch.len() as u64;
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    fn begin(&mut self) -> Option<Scanner> {
        let range = self.to_begin.pop_front()?;
        let pace = &self.scan.pace;
        let mut scan = WireScan::range(range.start(), range.stop().unwrap_or_default())
            .select(wire_selection(&self.scan.selection))
            .first_rows(pace.first_rows.get())
            .rows_per_call(pace.max_rows.get())
            .bytes_per_call(pace.max_bytes.get().into())
            .with_metrics();
        if self.scan.order == Order::Descending {
            scan = scan.order(WireOrder::Reverse);
        }
        if self.left < u64::MAX {
            scan = scan.limit(self.left);
        }
        Some(self.open.table.scan(scan))
    }

    fn take(&self, rows: &[WireRow]) -> Result<RowBatch, StoreError> {
        let selection = &self.scan.selection;
        let mut sink = Sink::new(selection);
        for row in rows {
            let mut selected = selection.project(cells(row)).peekable();
            if selected.peek().is_some() {
                sink.add_selected(row.key(), selected)?;
            }
        }
        Ok(sink.into_batch())
    }

    fn count(&self, scanner: &Scanner) {
        for (region, rows) in scanner.take_rows_scanned() {
            self.open.counts.read(region.encoded_name(), rows);
            self.open.rows_read.fetch_add(rows, Ordering::Relaxed);
        }
    }
}
