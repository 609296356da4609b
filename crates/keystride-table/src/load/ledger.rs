//! Keeps the counts of a load and reports them to the observer.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use keystride_heat::WindowCounter;
use keystride_store::{Clock, RegionId, Store};

use super::LoadId;
use super::counts::Counts;
use super::error::LoadError;
use super::latency::Latencies;
use super::progress::{LoadObserver, Phase, Proceed, Progress};
use super::report::{Ending, LoadReport, RegionRows, WriteMethod};
use super::same_key_rule::SameKeyRule;
use super::tally::{Hit, Tally};
use crate::source::Checkpoint;

/// After so many reads of stored rows, what they cost says something about the others.
const TELLING_READS: u64 = 256;

/// Registers stretches once they are stored, and notifies the observer.
pub(super) struct Ledger<'o> {
    observer: &'o mut dyn LoadObserver,
    clock: Arc<dyn Clock>,
    began_ms: i64,
    heat: WindowCounter,
    counts: Counts,
    bytes_read: u64,
    byte_count: Option<u64>,
    lags: Vec<(u32, u64)>,
    is_silent: bool,
    checkpoint: Option<Checkpoint>,
    latencies: Latencies,
    same_key_rows: Option<u64>,
    /// Whether the observer was told what comparing with stored rows costs.
    has_told_reads: bool,
    /// The store that is written to; `None` in a replay.
    store: Option<Arc<dyn Store>>,
}

/// What a report tells besides what the ledger has counted.
#[derive(Debug)]
pub(super) struct Closing {
    pub(super) id: LoadId,
    pub(super) stamp_ms: i64,
    pub(super) ending: Ending,
    pub(super) way: WriteMethod,
    pub(super) same_key: Option<SameKeyRule>,
    pub(super) resumed_from: Option<u64>,
    /// The regions in key order; empty in a replay.
    pub(super) regions: Vec<RegionId>,
}

impl<'o> Ledger<'o> {
    pub(super) fn new(
        observer: &'o mut dyn LoadObserver,
        clock: Arc<dyn Clock>,
        heat: WindowCounter,
        byte_count: Option<u64>,
    ) -> Self {
        let (began_ms, counts, latencies) = (clock.now_ms(), Counts::default(), Latencies::new());
        Self {
            observer,
            clock,
            began_ms,
            heat,
            counts,
            bytes_read: 0,
            byte_count,
            lags: Vec::new(),
            is_silent: false,
            checkpoint: None,
            latencies,
            same_key_rows: None,
            has_told_reads: false,
            store: None,
        }
    }

    /// Reports the retries of `store` from now on.
    pub(super) fn with_store(self, store: Arc<dyn Store>) -> Self {
        Self { store: Some(store), ..self }
    }

    /// Tells in which file the progress of the load is kept, if it is kept in one.
    pub(super) fn keep_progress_in(&mut self, file: Option<&Path>) {
        if let Some(file) = file {
            self.observer.keeps_progress_in(file);
        }
    }

    /// Registers that only so many of the latest rows are compared, if there is a limit.
    pub(super) fn compare_latest(&mut self, rows: Option<u64>) {
        self.same_key_rows = rows;
    }

    /// Registers that the store has just acknowledged a batch that it was given at `begun`.
    pub(super) fn acknowledged(&mut self, begun: Instant) {
        self.latencies.add(begun.elapsed());
    }

    /// Reports the rejects of a stretch that is not stored yet, and has them kept.
    pub(super) fn keep_rejects(&mut self, tally: &mut Tally) -> Result<(), LoadError> {
        if tally.rejects.is_empty() {
            return Ok(());
        }
        let mut rejects = std::mem::take(&mut tally.rejects).into_iter();
        let kept = rejects.try_for_each(|rejected| self.observer.rejected(&rejected));
        kept.and_then(|()| self.observer.keep_rejects()).map_err(LoadError::Rejects)
    }

    /// Registers a stretch: reports its rejects and the progress of the load.
    pub(super) fn enter(&mut self, tally: Tally, phase: Phase) -> Result<Proceed, LoadError> {
        for Hit { event_ms, region } in tally.hits {
            match event_ms {
                Some(event_ms) => self.heat.add_at(event_ms, region, 1),
                None => self.heat.add(region, 1),
            }
        }
        let kept = tally.rejects.iter().try_for_each(|rejected| self.observer.rejected(rejected));
        let reads = tally.stored_reads.filter(|reads| reads.rows >= TELLING_READS && !self.has_told_reads);
        if let Some(reads) = reads {
            self.has_told_reads = true;
            self.observer.compares_stored(&reads);
        }
        self.counts = tally.counts;
        (self.bytes_read, self.checkpoint) = (tally.bytes_read, tally.checkpoint);
        (self.lags, self.is_silent) = (tally.lags, tally.is_silent);
        // Report the progress first: the stretch is stored even if its rejects could not be recorded.
        let proceed = self.tell(phase);
        kept.map_err(LoadError::Rejects)?;
        Ok(proceed)
    }

    /// Reports the progress of the load.
    pub(super) fn tell(&mut self, phase: Phase) -> Proceed {
        let (elapsed_ms, retries) = (self.elapsed_ms(), self.retries());
        let Self { counts, heat, bytes_read, byte_count, lags, is_silent, checkpoint, .. } = self;
        self.observer.progress(&Progress {
            phase,
            counts,
            bytes_read: *bytes_read,
            byte_count: *byte_count,
            lags,
            is_silent: *is_silent,
            checkpoint: checkpoint.as_ref(),
            elapsed_ms,
            retries,
            heat,
        })
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.clock.now_ms() - self.began_ms).unwrap_or(0)
    }

    fn retries(&self) -> u64 {
        self.store.as_ref().map_or(0, |store| store.retries())
    }

    /// Returns the report of the load, which has ended.
    pub(super) fn close(self, closing: Closing) -> LoadReport {
        let (elapsed_ms, retries) = (self.elapsed_ms(), self.retries());
        let Closing { id, stamp_ms, ending, way, same_key, resumed_from, regions } = closing;
        let (series, heat) = self.heat.finish();
        let mut ids = regions.into_iter();
        let region_rows = series.overall().rows().iter();
        LoadReport {
            id,
            stamp_ms,
            ending,
            way,
            same_key,
            same_key_rows: self.same_key_rows,
            counts: self.counts,
            resumed_from,
            regions: region_rows.map(|rows| RegionRows { region: ids.next(), rows: *rows }).collect(),
            balance: series.balance(),
            heat,
            batch_latency: self.latencies.summary(),
            retries,
            bytes_read: self.bytes_read,
            elapsed_ms,
        }
    }
}
