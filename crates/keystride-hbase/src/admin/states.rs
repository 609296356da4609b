//! States of regions in hbase:meta.

use super::Admin;
use crate::region::MetaRow;
use crate::{Error, RegionInfo, ServerName, TableName};

/// A region's row in hbase:meta.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionStatus {
    /// The region.
    pub region: RegionInfo,
    /// `OPEN`, `OPENING`, `CLOSED`, `SPLITTING` and so on, as HBase spells them; empty if hbase:meta has no state.
    pub state: Box<str>,
    /// The server that has the region, or had it last.
    pub server: Option<ServerName>,
    /// The servers of its replicas, by replica id.
    pub replicas: Vec<(u32, ServerName)>,
}

impl Admin {
    /// A table's regions in key order, with their states. Split and merged parents are left out.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`]; any error of reading hbase:meta.
    pub async fn region_states(&self, table: &TableName) -> Result<Vec<RegionStatus>, Error> {
        Ok(self.client.meta_rows(table).await?.into_iter().map(RegionStatus::from).collect())
    }
}

impl From<MetaRow> for RegionStatus {
    fn from(row: MetaRow) -> Self {
        Self { region: row.region, state: row.state, server: row.server, replicas: row.replicas }
    }
}
