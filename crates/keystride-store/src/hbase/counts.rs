//! What passed through regions, as far as this store saw it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::RegionCounts;

/// Counts by the region's encoded name.
#[derive(Debug, Default)]
pub(super) struct Counts {
    of: Mutex<HashMap<String, RegionCounts>>,
}

impl Counts {
    pub(super) fn of(&self, region: &str) -> RegionCounts {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).get(region).copied().unwrap_or_default()
    }

    pub(super) fn wrote(&self, region: &str, cells: u64, bytes: u64) {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = of.entry(region.to_owned()).or_default();
        counts.cells_written += cells;
        counts.bytes_written += bytes;
    }

    pub(super) fn read(&self, region: &str, rows: u64) {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        of.entry(region.to_owned()).or_default().rows_read += rows;
    }
}
