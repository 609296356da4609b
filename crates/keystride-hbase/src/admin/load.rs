//! Load of regions.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tokio::time::timeout;

use super::Admin;
use crate::conn::Call;
use crate::{Error, ServerName, TableName, proto};

/// A region's load, as its server reports it.
///
/// Request counts start at 0 when a region is opened on a server, so they are reset by moves, splits and reopens. Sizes
/// are whole MiB, in bytes: servers report no more, and round a size below 1 MiB to 1 MiB or to 0.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RegionLoad {
    /// The region's full name.
    pub region: Bytes,
    /// The server that reports it.
    pub server: ServerName,
    /// Number of stores (families).
    pub stores: u32,
    /// Number of store files.
    pub store_files: u32,
    /// Size of the store files, in bytes.
    pub store_file_bytes: u64,
    /// Size of the store files without compression and encoding, in bytes.
    pub uncompressed_bytes: u64,
    /// Size of the memstores, in bytes.
    pub memstore_bytes: u64,
    /// Number of gets and of rows read by scans.
    pub read_requests: u64,
    /// Number of rows that filters left out.
    pub filtered_reads: u64,
    /// Number of puts, deletes, increments and appends.
    pub write_requests: u64,
    /// The share of its files on the server's own disks, from 0 to 1.
    pub locality: f32,
    /// Which compaction is running.
    pub compaction: CompactionState,
    /// Number of cells in the running compaction, or in the last one.
    pub compacting_cells: u64,
    /// Number of those cells that are compacted.
    pub compacted_cells: u64,
    /// Time of the major compaction that wrote its oldest file, in ms since 1970.
    pub last_major_compaction_ms: Option<u64>,
}

/// Result of asking one server for its region loads.
#[derive(Debug)]
#[non_exhaustive]
pub struct ServerLoads {
    /// The server.
    pub server: ServerName,
    /// When it counted them, in ms since 1970, if that was before it was asked: servers before HBase 2 report to the master
    /// every three seconds.
    pub reported_ms: Option<u64>,
    /// The loads of its regions.
    pub loads: Result<Vec<RegionLoad>, Error>,
}

/// Which compaction is running.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CompactionState {
    /// None.
    #[default]
    None,
    /// A minor compaction.
    Minor,
    /// A major compaction.
    Major,
    /// Both, in different families.
    MajorAndMinor,
}

const METHOD: &str = "GetRegionLoad";
const MIB: u64 = 1 << 20;
const SERVERS_AT_ONCE: usize = 16;

impl Admin {
    /// The loads of a table's regions in key order, read from every server that has one. Regions in transition are left
    /// out.
    ///
    /// Servers before HBase 2 don't support the call. Then these are the loads last reported to the master, which
    /// servers do every three seconds.
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
                // The server is gone; list the regions again.
                Err(error) => attempts.recover(error).await?,
            }
        }
    }

    /// The region loads of a table on each of the given servers, asked once. A server that does not answer within
    /// `limit` has an error.
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
            ServerLoads { server, reported_ms: None, loads }
        };
        let calls: Vec<_> = servers.into_iter().map(ask).collect();
        let mut asked: Vec<ServerLoads> =
            stream::iter(calls).buffer_unordered(SERVERS_AT_ONCE).collect().await;
        let lacks = |asked: &ServerLoads| matches!(&asked.loads, Err(error) if error.lacks_method());
        // Before HBase 2 only the master has the loads.
        if asked.iter().any(lacks) {
            let status = self.cluster_status().await;
            for asked in asked.iter_mut().filter(|asked| lacks(asked)) {
                let report = status.as_ref().map(|status| status.server(&asked.server));
                let report = report.map_err(Clone::clone);
                asked.reported_ms =
                    report.as_ref().ok().copied().flatten().map(|report| report.report_end_ms);
                asked.loads =
                    report.map(|report| report.map(|report| report.regions.clone()).unwrap_or_default());
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
        // Region names don't sort like start keys. Regions created in the meantime come last.
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
    /// Both messages that carry a compaction state use the same numbers.
    pub(super) fn from_code(code: i32) -> Self {
        match code {
            1 => Self::Minor,
            2 => Self::Major,
            3 => Self::MajorAndMinor,
            _ => Self::None,
        }
    }
}
