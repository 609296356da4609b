//! What hbase:meta says of regions.

use super::Admin;
use crate::region::MetaRow;
use crate::{Error, RegionInfo, ServerName, TableName};

/// A region as hbase:meta has it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionStatus {
    /// The region.
    pub region: RegionInfo,
    /// `OPEN`, `OPENING`, `CLOSED`, `SPLITTING` and so on, as HBase spells them; empty where it is not said.
    pub state: Box<str>,
    /// The server that has it, or had it last.
    pub server: Option<ServerName>,
    /// The servers of its copies, with their numbers.
    pub replicas: Vec<(u32, ServerName)>,
}

impl Admin {
    /// A table's regions in key order, each with its state. Those that were split or merged are not among them.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`], and what keeps hbase:meta from being read.
    pub async fn region_states(&self, table: &TableName) -> Result<Vec<RegionStatus>, Error> {
        Ok(self.client.meta_rows(table).await?.into_iter().map(RegionStatus::from).collect())
    }
}

impl From<MetaRow> for RegionStatus {
    fn from(row: MetaRow) -> Self {
        Self { region: row.region, state: row.state, server: row.server, replicas: row.replicas }
    }
}
