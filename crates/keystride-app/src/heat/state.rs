//! What is known of a watched table.

use std::sync::Arc;
use std::time::Duration;

use keystride_heat::live::view::Sizes;
use keystride_heat::live::{Closed, Column, Layers, Meter, Traffic};
use keystride_store::Region;

use super::HeatError;
use super::archive::{ArchiveError, Restored};
use super::reading::{reading_of, sizes_of};

/// What is known of a watched table.
#[derive(Debug)]
pub(super) struct State {
    pub(super) layers: Layers,
    meter: Meter,
    pub(super) sizes: Option<Arc<Sizes>>,
    /// Why the last reading failed.
    pub(super) failure: Option<Arc<HeatError>>,
    /// When the last column of traffic ended.
    closed_ms: Option<i64>,
    /// Why columns are not kept in a file.
    pub(super) not_kept: Option<Arc<ArchiveError>>,
}

impl State {
    pub(super) fn new(period: Duration) -> Self {
        let period_ms = millis(period);
        let (layers, meter) = (Layers::new(period_ms), Meter::new(period_ms));
        Self { layers, meter, sizes: None, failure: None, closed_ms: None, not_kept: None }
    }

    /// Goes on after columns that were kept.
    pub(super) fn resume(&mut self, period: Duration, kept: Result<Restored, ArchiveError>) {
        match kept {
            Ok(Restored { layers, servers }) => {
                self.meter = Meter::resumed(millis(period), servers, layers.ended_ms());
                self.layers = layers;
            }
            Err(error) => {
                tracing::warn!("{error}");
                self.not_kept = Some(Arc::new(error));
            }
        }
    }

    pub(super) fn servers(&self) -> &[Box<str>] {
        self.meter.servers()
    }

    /// Takes what a store says, and returns the columns that it makes, the finest first.
    pub(super) fn take(&mut self, at_ms: i64, read: Result<Vec<Region>, HeatError>) -> Vec<Closed> {
        let column = match read {
            Ok(regions) => self.observe(at_ms, &regions),
            Err(error) => {
                self.failure = Some(Arc::new(error));
                self.meter.miss(at_ms)
            }
        };
        column.map(|column| self.layers.push(Arc::new(column))).unwrap_or_default()
    }

    /// Takes what has passed since the last column, and returns the columns that it makes, the finest first.
    pub(super) fn take_traffic(&mut self, at_ms: i64, traffic: &mut Traffic) -> Vec<Closed> {
        let since_ms = self.closed_ms.replace(at_ms);
        let passed = traffic.close(since_ms.unwrap_or(at_ms), at_ms);
        let column = match (since_ms, self.layers.ended_ms()) {
            (Some(since_ms), _) if since_ms < at_ms => passed,
            // Of what passed before the watch began, or before the clock was set back, the time is not known.
            (_, Some(ended_ms)) if ended_ms < at_ms => Column::gap(ended_ms, at_ms),
            _ => return Vec::new(),
        };
        self.layers.push(Arc::new(column))
    }

    fn observe(&mut self, at_ms: i64, regions: &[Region]) -> Option<Column> {
        self.failure = None;
        self.sizes = sizes_of(regions).map(Arc::new).or(self.sizes.take());
        // Boundaries of 4 GiB are more than any store gives.
        self.meter.observe(&reading_of(at_ms, regions)).unwrap_or_else(|_| self.meter.miss(at_ms))
    }
}

pub(super) fn millis(period: Duration) -> u32 {
    u32::try_from(period.as_millis()).unwrap_or(u32::MAX)
}
