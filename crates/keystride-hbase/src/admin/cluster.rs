//! The state of the cluster, as the master reports it.

use super::{Admin, RegionLoad};
use crate::{Error, RegionInfo, ServerName, TableName, proto};

/// A cluster's state, as its master knows it. Region servers report to the master every few seconds.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ClusterStatus {
    /// HBase's version on the master.
    pub version: String,
    /// The cluster's id.
    pub cluster_id: String,
    /// The active master.
    pub master: Option<ServerName>,
    /// Backup masters.
    pub backup_masters: Vec<ServerName>,
    /// The region servers, sorted by name.
    pub servers: Vec<ServerStatus>,
    /// Dead region servers, sorted by name, until they come back.
    pub dead_servers: Vec<ServerName>,
    /// Regions in transition.
    pub regions_in_transition: Vec<RegionInTransition>,
    /// Region counts for each table, sorted by name, including HBase's own tables.
    pub tables: Vec<TableRegions>,
    /// Whether the balancer is on.
    pub is_balancer_on: bool,
}

/// A region server.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ServerStatus {
    /// Its name.
    pub server: ServerName,
    /// Requests since its last report.
    pub requests: u64,
    /// Requests since it was started.
    pub total_requests: u64,
    /// Used heap in bytes, a whole number of MiB.
    pub used_heap_bytes: u64,
    /// Maximum heap in bytes, a whole number of MiB.
    pub max_heap_bytes: u64,
    /// Start of the interval that its last report covers, in ms since 1970.
    pub report_start_ms: u64,
    /// End of that interval, in ms since 1970.
    pub report_end_ms: u64,
    /// The port of its web UI.
    pub web_port: Option<u32>,
    /// Its regions, from its last report.
    pub regions: Vec<RegionLoad>,
}

/// A region in transition from one state to another.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionInTransition {
    /// The region.
    pub region: RegionInfo,
    /// Its state, as HBase writes it: `OPENING`, `FAILED_OPEN`, ...
    pub state: &'static str,
    /// When it entered the state, in ms since 1970.
    pub since_ms: u64,
}

/// How many regions a table has, by state.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableRegions {
    /// The table.
    pub table: TableName,
    /// Open regions.
    pub open: u32,
    /// Split parents that are not yet cleaned up.
    pub split: u32,
    /// Closed regions.
    pub closed: u32,
    /// Regions in transition.
    pub in_transition: u32,
    /// All regions.
    pub total: u32,
}

const MIB: u64 = 1 << 20;

/// The parts of the status to ask for. Without them the master sends everything, including parts unused here.
const OPTIONS: [proto::Option; 9] = [
    proto::Option::HbaseVersion,
    proto::Option::ClusterId,
    proto::Option::LiveServers,
    proto::Option::DeadServers,
    proto::Option::Master,
    proto::Option::BackupMasters,
    proto::Option::RegionsInTransition,
    proto::Option::BalancerOn,
    proto::Option::TableToRegionsCount,
];

impl Admin {
    /// The cluster's state, as its master knows it.
    ///
    /// # Errors
    ///
    /// Any error of calling the master.
    pub async fn cluster_status(&self) -> Result<ClusterStatus, Error> {
        let request = proto::GetClusterStatusRequest { options: OPTIONS.map(Into::into).to_vec() };
        let answer: proto::GetClusterStatusResponse = self.call("GetClusterStatus", &request).await?;
        Ok(ClusterStatus::from_proto(answer.cluster_status))
    }
}

impl ClusterStatus {
    /// Regions per server.
    #[expect(clippy::cast_precision_loss, reason = "nobody has 2^52 regions")]
    pub fn average_load(&self) -> f64 {
        let regions: usize = self.servers.iter().map(|server| server.regions.len()).sum();
        if self.servers.is_empty() { 0.0 } else { regions as f64 / self.servers.len() as f64 }
    }

    /// The status of a server; `None` if the master has no report of it.
    pub(super) fn server(&self, server: &ServerName) -> Option<&ServerStatus> {
        self.servers.iter().find(|status| status.server == *server)
    }

    /// Leaves out names that can't be parsed: no call could use such a server or table.
    pub(super) fn from_proto(status: proto::ClusterStatus) -> Self {
        let mut servers: Vec<_> =
            status.live_servers.into_iter().filter_map(ServerStatus::from_proto).collect();
        servers.sort_by(|a, b| a.server.cmp(&b.server));
        let mut tables: Vec<_> =
            status.table_region_states_count.iter().filter_map(TableRegions::from_proto).collect();
        tables.sort_by(|a, b| a.table.cmp(&b.table));
        let in_transition = status.regions_in_transition.iter();
        Self {
            version: status.hbase_version.unwrap_or_default().version,
            cluster_id: status.cluster_id.unwrap_or_default().cluster_id,
            master: status.master.as_ref().and_then(ServerName::from_proto),
            backup_masters: names(&status.backup_masters),
            servers,
            dead_servers: names(&status.dead_servers),
            regions_in_transition: in_transition.filter_map(RegionInTransition::from_proto).collect(),
            tables,
            is_balancer_on: status.balancer_on.unwrap_or_default(),
        }
    }
}

impl ServerStatus {
    fn from_proto(info: proto::LiveServerInfo) -> Option<Self> {
        let server = ServerName::from_proto(&info.server)?;
        let load = info.server_load;
        Some(Self {
            requests: load.number_of_requests(),
            total_requests: load.total_number_of_requests(),
            used_heap_bytes: u64::from(load.used_heap_mb()) * MIB,
            max_heap_bytes: u64::from(load.max_heap_mb()) * MIB,
            report_start_ms: load.report_start_time(),
            report_end_ms: load.report_end_time(),
            web_port: load.info_server_port.filter(|&port| port != 0),
            regions: load
                .region_loads
                .into_iter()
                .map(|load| RegionLoad::from_proto(load, &server))
                .collect(),
            server,
        })
    }
}

impl RegionInTransition {
    fn from_proto(moving: &proto::RegionInTransition) -> Option<Self> {
        let state = &moving.region_state;
        Some(Self {
            region: RegionInfo::from_proto(&state.region_info)?,
            state: state.state().as_str_name(),
            since_ms: state.stamp(),
        })
    }
}

impl TableRegions {
    fn from_proto(counts: &proto::TableRegionStatesCount) -> Option<Self> {
        let table = TableName::from_proto(&counts.table_name).ok()?;
        let counts = &counts.region_states_count;
        Some(Self {
            table,
            open: counts.open_regions,
            split: counts.split_regions,
            closed: counts.closed_regions,
            in_transition: counts.regions_in_transition,
            total: counts.total_regions,
        })
    }
}

fn names(servers: &[proto::ServerName]) -> Vec<ServerName> {
    let mut names: Vec<_> = servers.iter().filter_map(ServerName::from_proto).collect();
    names.sort();
    names
}
