//! What the regions of a table have to do.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tokio::time::timeout;

use super::Admin;
use crate::conn::Call;
use crate::{Error, ServerName, TableName, proto};

/// What a server says of a region.
///
/// Requests are counted since the region was opened on this server; to move, split or reopen it begins at 0 again.
/// Sizes are whole MiB in bytes: servers say no more, and show less than one as one, or as none.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RegionLoad {
    /// The region's name.
    pub region: Bytes,
    /// The server that has it.
    pub server: ServerName,
    /// How many families it has.
    pub stores: u32,
    /// How many files.
    pub store_files: u32,
    /// Bytes in files.
    pub store_file_bytes: u64,
    /// Bytes in files if they were neither compressed nor encoded.
    pub uncompressed_bytes: u64,
    /// Bytes in memory that are in no file yet.
    pub memstore_bytes: u64,
    /// Gets, and rows that scans went over.
    pub read_requests: u64,
    /// Rows that filters kept back.
    pub filtered_reads: u64,
    /// Puts, deletes, increments and appends.
    pub write_requests: u64,
    /// How much of the files is on the server's own disks, from 0 to 1.
    pub locality: f32,
    /// Which compaction is under way.
    pub compaction: CompactionState,
    /// Cells of the compaction under way, or of the last one.
    pub compacting_cells: u64,
    /// How many of them are done.
    pub compacted_cells: u64,
    /// When the oldest of its files was made by a major compaction, in ms since 1970.
    pub last_major_compaction_ms: Option<u64>,
}

/// What came of asking a server for its loads.
#[derive(Debug)]
#[non_exhaustive]
pub struct ServerLoads {
    /// The server.
    pub server: ServerName,
    /// Its regions' loads.
    pub loads: Result<Vec<RegionLoad>, Error>,
}

/// Which compaction is under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CompactionState {
    /// None.
    #[default]
    None,
    /// Of some files.
    Minor,
    /// Of all files.
    Major,
    /// Both, in different families.
    MajorAndMinor,
}

const METHOD: &str = "GetRegionLoad";
const MIB: u64 = 1 << 20;
/// Servers asked at once.
const SERVERS_AT_ONCE: usize = 16;

impl Admin {
    /// What a table's regions have to do, asked of every server that has one, in key order. A region on its way
    /// is not among them.
    ///
    /// Before HBase 2 servers can't be asked. Then it is what they last told their master, which they do every three
    /// seconds.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`].
    pub async fn region_loads(&self, table: &TableName) -> Result<Vec<RegionLoad>, Error> {
        let mut attempts = self.client.attempts();
        loop {
            let timeout = attempts.call_timeout();
            match self.region_loads_once(table, timeout).await {
                Ok(loads) => return Ok(loads),
                // Its server is gone; it is listed anew.
                Err(error) => attempts.recover(error).await?,
            }
        }
    }

    /// What each of some servers says of the regions of a table that it has, asked once. A server that is silent for
    /// `limit` is passed over.
    pub async fn server_loads(
        &self,
        table: &TableName,
        servers: impl IntoIterator<Item = ServerName>,
        limit: Duration,
    ) -> Vec<ServerLoads> {
        let request = proto::GetRegionLoadRequest { table_name: Some(table.to_proto()) };
        let ask = async |server: ServerName| {
            let asked = timeout(limit, self.loads_of(&server, &request, limit)).await;
            let silent = || Error::Timeout { server: server.address(), method: METHOD, after: limit };
            let loads = asked.unwrap_or_else(|_| Err(silent()));
            ServerLoads { server, loads }
        };
        let calls: Vec<_> = servers.into_iter().map(ask).collect();
        let mut asked: Vec<ServerLoads> =
            stream::iter(calls).buffer_unordered(SERVERS_AT_ONCE).collect().await;
        let lacks = |asked: &ServerLoads| matches!(&asked.loads, Err(error) if error.lacks_method());
        // Before HBase 2 the master alone tells.
        if asked.iter().any(lacks) {
            let status = self.cluster_status().await;
            for server in asked.iter_mut().filter(|asked| lacks(asked)) {
                server.loads = status.clone().map(|status| status.loads_of(&server.server));
            }
        }
        asked
    }

    async fn region_loads_once(
        &self,
        table: &TableName,
        timeout: Duration,
    ) -> Result<Vec<RegionLoad>, Error> {
        let regions = self.client.regions(table).await?;
        let names = regions.iter().map(|(region, _)| region.name().clone());
        let places: BTreeMap<Bytes, usize> = names.zip(0..).collect();
        let servers: BTreeSet<ServerName> = regions.into_iter().filter_map(|(_, server)| server).collect();
        let asked = self.server_loads(table, servers, timeout).await;
        let loads = asked.into_iter().map(|asked| asked.loads).collect::<Result<Vec<_>, _>>()?;
        let mut loads: Vec<RegionLoad> = loads.into_iter().flatten().collect();
        loads.retain(|load| places.contains_key(&load.region));
        // Names are in another order than keys. Regions made meanwhile come last.
        loads.sort_by_key(|load| places.get(&load.region).copied().unwrap_or(usize::MAX));
        Ok(loads)
    }

    async fn loads_of(
        &self,
        server: &ServerName,
        request: &proto::GetRegionLoadRequest,
        timeout: Duration,
    ) -> Result<Vec<RegionLoad>, Error> {
        let answer: proto::GetRegionLoadResponse =
            self.call_server(server, Call::new(METHOD, timeout), request).await?;
        Ok(answer.region_loads.into_iter().map(|load| RegionLoad::from_proto(load, server)).collect())
    }
}

impl RegionLoad {
    pub(super) fn from_proto(load: proto::RegionLoad, server: &ServerName) -> Self {
        Self {
            server: server.clone(),
            stores: load.stores(),
            store_files: load.storefiles(),
            store_file_bytes: u64::from(load.storefile_size_mb()) * MIB,
            uncompressed_bytes: u64::from(load.store_uncompressed_size_mb()) * MIB,
            memstore_bytes: u64::from(load.mem_store_size_mb()) * MIB,
            read_requests: load.read_requests_count(),
            filtered_reads: load.filtered_read_requests_count(),
            write_requests: load.write_requests_count(),
            locality: load.data_locality(),
            compaction: CompactionState::from_code(load.compaction_state.unwrap_or_default()),
            compacting_cells: load.total_compacting_k_vs(),
            compacted_cells: load.current_compacted_k_vs(),
            last_major_compaction_ms: Some(load.last_major_compaction_ts()).filter(|&time_ms| time_ms != 0),
            region: load.region_specifier.value,
        }
    }
}

impl CompactionState {
    /// Both messages that say it have the same numbers.
    pub(super) fn from_code(code: i32) -> Self {
        match code {
            1 => Self::Minor,
            2 => Self::Major,
            3 => Self::MajorAndMinor,
            _ => Self::None,
        }
    }
}
