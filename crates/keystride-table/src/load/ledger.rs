//! Keeps the counts of a load and reports them to the observer.

use std::sync::Arc;

use keystride_heat::{Balance, WindowCounter};
use keystride_store::Clock;

use super::counts::Counts;
use super::error::LoadError;
use super::progress::{LoadObserver, Phase, Proceed, Progress};
use super::tally::{Hit, Tally};

/// Registers stretches once they are stored, and notifies the observer.
pub(super) struct Ledger<'o> {
    observer: &'o mut dyn LoadObserver,
    clock: Arc<dyn Clock>,
    began_ms: i64,
    heat: WindowCounter,
    counts: Counts,
    bytes_read: u64,
    byte_count: Option<u64>,
}

/// The totals at the end of a load.
#[derive(Debug)]
pub(super) struct ClosedLedger {
    pub(super) counts: Counts,
    pub(super) bytes_read: u64,
    /// Number of rows of each region, in key order.
    pub(super) region_rows: Vec<u64>,
    pub(super) balance: Option<Balance>,
}

impl<'o> Ledger<'o> {
    pub(super) fn new(
        observer: &'o mut dyn LoadObserver,
        clock: Arc<dyn Clock>,
        heat: WindowCounter,
        byte_count: Option<u64>,
    ) -> Self {
        let began_ms = clock.now_ms();
        Self { observer, clock, began_ms, heat, counts: Counts::default(), bytes_read: 0, byte_count }
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
        self.counts = tally.counts;
        self.bytes_read = tally.bytes_read;
        // Report the progress first: the stretch is stored even if its rejects could not be recorded.
        let proceed = self.tell(phase);
        kept.map_err(LoadError::Rejects)?;
        Ok(proceed)
    }

    /// Reports the progress of the load.
    pub(super) fn tell(&mut self, phase: Phase) -> Proceed {
        let elapsed_ms = self.elapsed_ms();
        let Self { counts, heat, bytes_read, byte_count, .. } = self;
        self.observer.progress(&Progress {
            phase,
            counts,
            bytes_read: *bytes_read,
            byte_count: *byte_count,
            elapsed_ms,
            heat,
        })
    }

    pub(super) fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.clock.now_ms() - self.began_ms).unwrap_or(0)
    }

    pub(super) fn close(self) -> ClosedLedger {
        let series = self.heat.finish();
        ClosedLedger {
            counts: self.counts,
            bytes_read: self.bytes_read,
            region_rows: series.overall().rows().to_vec(),
            balance: series.balance(),
        }
    }
}
