//! Regions and their counts for programs.

use keystride::KeyRange;
use serde::Serialize;

use crate::table::{Region, RegionCounts};

/// A region of a table: its index, its bounds in HBase's escaped form, and its counts as far as they are known.
#[derive(Debug, Clone, Serialize)]
pub struct RegionDocument {
    region: usize,
    #[serde(flatten)]
    range: KeyRange,
    id: String,
    rows_written: Option<u64>,
    bytes_written: Option<u64>,
    rows_read: Option<u64>,
    server: Option<String>,
    state: String,
}

/// What was written to and read from regions; nothing where it is not known.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CountsDocument {
    rows_written: Option<u64>,
    cells_written: Option<u64>,
    bytes_written: Option<u64>,
    rows_read: Option<u64>,
}

impl RegionDocument {
    /// Describes the region at an index among the table's.
    pub fn new(index: usize, region: &Region) -> Self {
        let counts = CountsDocument::from(region.known_counts());
        Self {
            region: index,
            range: region.range.clone(),
            id: region.id.to_string(),
            rows_written: counts.rows_written,
            bytes_written: counts.bytes_written,
            rows_read: counts.rows_read,
            server: region.server.clone(),
            state: region.state.to_string(),
        }
    }
}

impl From<Option<&RegionCounts>> for CountsDocument {
    fn from(counts: Option<&RegionCounts>) -> Self {
        Self {
            rows_written: counts.map(|counts| counts.rows_written),
            cells_written: counts.map(|counts| counts.cells_written),
            bytes_written: counts.map(|counts| counts.bytes_written),
            rows_read: counts.map(|counts| counts.rows_read),
        }
    }
}
