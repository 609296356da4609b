//! Read and write counts of a table's regions.

use keystride::design::TimeStyle;
use keystride_store::{CountsDocument, Region, StoreError};
use serde::Serialize;

use crate::Table;
use crate::explain::KeyBound;

/// A region with its counts, and its bounds described in terms of the design.
#[derive(Debug, Clone)]
pub struct RegionStats {
    /// The region with its counts of rows, cells and bytes written and rows read.
    pub region: Region,
    /// Its first key, inclusive; `None` for the table's start.
    pub start: Option<KeyBound>,
    /// Its end, exclusive; `None` for the table's end.
    pub stop: Option<KeyBound>,
}

/// A region's counts for programs, with its bounds described part by part.
#[derive(Debug, Clone, Serialize)]
pub struct RegionStatsDocument {
    region: usize,
    from: Option<String>,
    before: Option<String>,
    #[serde(flatten)]
    counts: CountsDocument,
}

impl RegionStatsDocument {
    /// Describes the region at an index among the table's.
    pub fn new(region: usize, stats: &RegionStats, style: &TimeStyle) -> Self {
        Self {
            region,
            from: stats.start.as_ref().map(|bound| bound.to_text(style)),
            before: stats.stop.as_ref().map(|bound| bound.to_text(style)),
            counts: stats.region.known_counts().into(),
        }
    }
}

impl Table {
    /// Returns the table's regions in key order, with their counts.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the regions can't be retrieved.
    pub async fn stats(&self) -> Result<Vec<RegionStats>, StoreError> {
        let regions = self.store().regions(self.name()).await?;
        Ok(regions.into_iter().map(|region| self.region_stats(region)).collect())
    }

    fn region_stats(&self, region: Region) -> RegionStats {
        let bound = |key: &[u8]| KeyBound::new(self.codec(), key);
        let start = Some(region.range.start()).filter(|start| !start.is_empty()).map(bound);
        let stop = region.range.stop().map(bound);
        RegionStats { region, start, stop }
    }
}
