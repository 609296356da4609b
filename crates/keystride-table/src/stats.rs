//! What passed through each region of a table.

use keystride_store::{Region, StoreError};

use crate::Table;
use crate::explain::KeyBound;

/// A region, its counts, and its bounds in the design's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionStats {
    /// The region with its counts of rows, cells and bytes written and rows read.
    pub region: Region,
    /// Its first key, inclusive; `None` for the table's start.
    pub start: Option<KeyBound>,
    /// Its end, exclusive; `None` for the table's end.
    pub stop: Option<KeyBound>,
}

impl Table {
    /// The table's regions in key order with what passed through each.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the store can't tell.
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
