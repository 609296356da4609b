//! Scans as streams: batches are read one at a time, on blocking threads or on the thread that polls.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use keystride::KeyRange;
use tokio::task::{JoinHandle, spawn_blocking};

use super::open_scans::{NextRow, ScanPosition};
use super::open_store::OpenStore;
use super::options::Reading;
use super::row_reader::RowReader;
use super::table::OpenTable;
use crate::regions::{ReadTally, RegionMap};
use crate::sink::{Pacer, Sink};
use crate::{Order, Pace, RowBatch, Scan, Selection, StoreError, TableName};

/// Number of rows after which a thread pauses even if none of them matched, so that a dropped scan does not continue.
const MOST_ROWS_AT_ONCE: u64 = 16_384;

/// Number of batches that are read only on demand; after these, the next batch is read ahead.
pub(super) const BATCHES_ON_DEMAND: u32 = 3;

/// Size limit of batches read on the thread that polls, so that a batch and what is derived from it stay in the
/// processor's private caches.
const BYTES_IN_PLACE: NonZeroU32 = NonZeroU32::new(64 << 10).expect("65,536 is not 0");

/// A scan between two batches.
struct ScanState {
    store: Arc<OpenStore>,
    table: Arc<OpenTable>,
    place: Arc<ScanPosition>,
    regions: Arc<RegionMap>,
    order: Order,
    /// The range that is being read.
    range: Option<KeyRange>,
    /// The ranges not started yet, in key order.
    ranges: VecDeque<KeyRange>,
    selection: Selection,
    pacer: Pacer,
    tally: ReadTally,
    is_done: bool,
}

/// The stream of a scan's batches.
pub(super) struct Batches {
    stage: Stage,
    given: u32,
}

enum Stage {
    Idle(Box<ScanState>),
    Reading(JoinHandle<(Box<ScanState>, Result<RowBatch, StoreError>)>),
    Over,
}

impl OpenStore {
    /// Opens a scan; nothing is read yet.
    pub(super) fn scan(self: &Arc<Self>, name: &TableName, scan: Scan) -> Result<Batches, StoreError> {
        let table = self.table(name)?;
        let ranges = scan.checked_ranges()?.into();
        let (reader, regions) = self.scan_reader(&table, &scan.selection, scan.order)?;
        Ok(Batches::new(ScanState {
            store: Arc::clone(self),
            table,
            place: self.open_scans.add(reader),
            regions,
            order: scan.order,
            range: None,
            ranges,
            selection: scan.selection,
            pacer: Pacer::new(pace_of(scan.pace, self.reading), scan.limit),
            tally: ReadTally::default(),
            is_done: scan.limit == Some(0),
        }))
    }

    /// Returns a reader of a table as it is now, and its regions.
    pub(super) fn scan_reader(
        &self,
        table: &OpenTable,
        selection: &Selection,
        order: Order,
    ) -> Result<(RowReader, Arc<RegionMap>), StoreError> {
        let state = table.state()?;
        let reader = self.reader(&state, selection, order, self.clock.now_ms())?;
        Ok((reader, Arc::clone(&state.regions)))
    }
}

fn pace_of(pace: Pace, reading: Reading) -> Pace {
    match reading {
        Reading::Ahead => pace,
        Reading::InPlace => Pace { max_bytes: pace.max_bytes.min(BYTES_IN_PLACE), ..pace },
    }
}

impl ScanState {
    /// Reads a batch, going on where the last one ended.
    fn read_batch(&mut self) -> Result<RowBatch, StoreError> {
        let mut reader = match self.place.take() {
            NextRow::At(reader) => reader,
            NextRow::After(row) => Box::new(self.reader_after(&row)?),
        };
        let batch = self.read_rows(&mut reader)?;
        if !self.is_done {
            self.place.put(reader);
        }
        Ok(batch)
    }

    /// Reads until the batch is full, the scan is done, or [`MOST_ROWS_AT_ONCE`] rows have been read.
    fn read_rows(&mut self, reader: &mut RowReader) -> Result<RowBatch, StoreError> {
        let mut sink = Sink::new(&self.selection);
        let mut rows = 0;
        while rows < MOST_ROWS_AT_ONCE && !self.pacer.is_full(sink.batch()) {
            if reader.next_row()? {
                self.regions.count_read(&mut self.tally, reader.key());
                rows += 1;
                reader.offer(&mut sink)?;
            } else {
                let next = match self.order {
                    Order::Ascending => self.ranges.pop_front(),
                    Order::Descending => self.ranges.pop_back(),
                };
                let Some(range) = next else {
                    self.is_done = true;
                    break;
                };
                reader.open(&range)?;
                self.range = Some(range);
            }
        }
        self.regions.report(&mut self.tally);
        self.store.rows_read.fetch_add(rows, Ordering::Relaxed);
        let batch = sink.into_batch();
        self.pacer.gave(&batch);
        self.is_done |= self.pacer.is_done();
        Ok(batch)
    }

    /// Returns a reader that goes on after the row `row`, in the table as it is now.
    fn reader_after(&mut self, row: &[u8]) -> Result<RowReader, StoreError> {
        let (mut reader, regions) = self.store.scan_reader(&self.table, &self.selection, self.order)?;
        (self.regions, self.tally) = (regions, ReadTally::default());
        if let Some(range) = &self.range {
            let rest = match self.order {
                Order::Ascending => KeyRange::new([row, b"\0"].concat(), range.stop().map(<[u8]>::to_vec)),
                Order::Descending => KeyRange::new(range.start(), Some(row.to_vec())),
            };
            if !rest.is_empty() {
                reader.open(&rest)?;
            }
        }
        Ok(reader)
    }
}

impl Batches {
    fn new(scan: ScanState) -> Self {
        Self { stage: Stage::Idle(Box::new(scan)), given: 0 }
    }

    fn begin(&mut self) {
        if let Stage::Idle(scan) = std::mem::replace(&mut self.stage, Stage::Over) {
            self.stage = read(scan);
        }
    }

    /// Reads a batch on this thread. Yields if many rows were read and none of them matched.
    fn poll_in_place(&mut self, context: &Context<'_>) -> Poll<Option<Result<RowBatch, StoreError>>> {
        let Stage::Idle(mut scan) = std::mem::replace(&mut self.stage, Stage::Over) else {
            return Poll::Ready(None);
        };
        let batch = scan.read_batch();
        match self.take(scan, batch) {
            None if matches!(self.stage, Stage::Idle(_)) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            batch => Poll::Ready(batch),
        }
    }

    /// Advances the state after a batch was read; `None` if there is nothing to return yet.
    fn take(
        &mut self,
        scan: Box<ScanState>,
        batch: Result<RowBatch, StoreError>,
    ) -> Option<Result<RowBatch, StoreError>> {
        let is_empty = batch.as_ref().is_ok_and(RowBatch::is_empty);
        self.given += u32::from(!is_empty);
        self.stage = if scan.is_done || batch.is_err() {
            Stage::Over
        } else if scan.store.reading == Reading::Ahead && (is_empty || self.given >= BATCHES_ON_DEMAND) {
            read(scan)
        } else {
            Stage::Idle(scan)
        };
        (!is_empty).then_some(batch)
    }
}

fn read(mut scan: Box<ScanState>) -> Stage {
    Stage::Reading(spawn_blocking(move || {
        let batch = scan.read_batch();
        (scan, batch)
    }))
}

impl Stream for Batches {
    type Item = Result<RowBatch, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match &mut self.stage {
                Stage::Over => return Poll::Ready(None),
                Stage::Idle(scan) if scan.store.reading == Reading::InPlace => {
                    return self.poll_in_place(context);
                }
                Stage::Idle(_) => self.begin(),
                Stage::Reading(reading) => {
                    let joined = ready!(Pin::new(reading).poll(context));
                    self.stage = Stage::Over;
                    let (scan, batch) = super::joined(joined, "read a batch of rows")?;
                    if let Some(batch) = self.take(scan, batch) {
                        return Poll::Ready(Some(batch));
                    }
                }
            }
        }
    }
}
