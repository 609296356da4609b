//! What servers tell of a scan besides rows.

use bytes::Bytes;

use crate::{RegionInfo, proto};

/// What was counted, all in all and by region.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) all: ScanMetrics,
    pub(super) rows_of: Vec<(RegionInfo, u64)>,
    pub(super) cursor: Option<Bytes>,
    /// Whether a copy of a region answered.
    pub(super) is_stale: bool,
}

/// What servers counted for a scan that was made [with metrics](crate::Scan::with_metrics).
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
