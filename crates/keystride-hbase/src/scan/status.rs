//! What servers report about a scan besides rows.

use bytes::Bytes;

use crate::{RegionInfo, proto};

/// Reports of a scan, in total and by region.
#[derive(Debug, Default)]
pub(super) struct ScanStatus {
    pub(super) all: ScanMetrics,
    pub(super) rows_of: Vec<(RegionInfo, u64)>,
    pub(super) cursor: Option<Bytes>,
    pub(super) is_stale: bool,
}

/// Metrics of a scan [with metrics](crate::Scan::with_metrics).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanMetrics {
    /// Number of rows that servers scanned.
    pub rows_scanned: u64,
    /// Number of rows that filters left out.
    pub rows_filtered: u64,
    /// Bytes of the blocks read, from disk or from the block cache.
    pub block_bytes_scanned: u64,
}

impl ScanStatus {
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
