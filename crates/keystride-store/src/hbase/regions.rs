//! A table's regions, and what their servers say of them.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use keystride::{KeyRange, SplitPoints};
use keystride_hbase::{Error, RegionInfo, RegionStatus, ServerLoads, ServerName};

use super::HBaseStore;
use crate::{Region, RegionCounts, RegionId, RegionLoad, RegionState, StoreError, TableName};

/// What a server does not say in that time is done without.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);

/// What servers said.
#[derive(Debug, Default)]
struct ServerAnswers {
    /// Rows written to each region, by its whole name, and what else its server says.
    loads: HashMap<Vec<u8>, (u64, RegionLoad)>,
    /// Servers that said nothing.
    silent: HashMap<ServerName, RegionState>,
}

impl HBaseStore {
    /// The regions as hbase:meta has them, each with what its server says of it.
    pub(super) async fn read_regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError> {
        let admin = self.open()?.admin();
        let failed = |error| StoreError::cluster(table, error);
        let regions = admin.region_states(table).await.map_err(failed)?;
        let servers: BTreeSet<ServerName> = regions.iter().filter_map(serving).cloned().collect();
        let mut said = ServerAnswers::default();
        for asked in admin.server_loads(table, servers, ANSWER_WITHIN).await {
            said.hear(asked);
        }
        let is_disabled = regions.iter().any(|region| &*region.state == "CLOSED")
            && !admin.is_enabled(table).await.map_err(failed)?;
        Ok(regions.into_iter().map(|region| self.region(region, &said, is_disabled)).collect())
    }

    /// The split points, as hbase:meta has them.
    pub(super) async fn read_split_points(&self, table: &TableName) -> Result<SplitPoints, StoreError> {
        let regions = self.open()?.regions(table).await;
        let regions = regions.map_err(|error| StoreError::cluster(table, error))?;
        Ok(SplitPoints::new(regions.iter().skip(1).map(|(region, _)| &region.start))?)
    }

    fn region(&self, status: RegionStatus, said: &ServerAnswers, is_disabled: bool) -> Region {
        let (info, server) = (status.region, status.server);
        let told = said.loads.get(&info.name()[..]).copied();
        let state = match RegionState::of_hbase(&status.state) {
            RegionState::Closed if is_disabled => RegionState::Disabled,
            RegionState::Other(text) if text.is_empty() && server.is_none() => RegionState::Offline,
            RegionState::Other(text) if text.is_empty() => RegionState::Open,
            state => state,
        };
        let state = match (&server, state) {
            (Some(server), RegionState::Open) => match said.silent.get(server) {
                Some(silent) => silent.clone(),
                None if told.is_none() => RegionState::NotOnServer,
                None => RegionState::Open,
            },
            (_, state) => state,
        };
        let rows_written = told.map(|(rows_written, _)| rows_written).unwrap_or_default();
        let load = told.map(|(_, load)| load);
        let counts = RegionCounts { rows_written, ..self.counts.of(info.encoded_name()) };
        let id = RegionId::new(info.encoded_name());
        let server = server.map(|server| server.to_string());
        Region { id, range: range_of(&info), server, state, counts, load }
    }
}

impl ServerAnswers {
    fn hear(&mut self, asked: ServerLoads) {
        let server = asked.server;
        let reported_ms = asked.reported_ms.and_then(|reported_ms| i64::try_from(reported_ms).ok());
        match asked.loads {
            Ok(loads) => self.loads.extend(loads.into_iter().map(|load| {
                let bytes = load.store_file_bytes.saturating_add(load.memstore_bytes);
                let told = RegionLoad { rows_read: load.read_requests, bytes, reported_ms };
                (load.region.to_vec(), (load.write_requests, told))
            })),
            Err(error) => {
                tracing::info!(%server, %error, "a server says nothing of its regions");
                let is_dead = matches!(error, Error::Connect { .. });
                let state = if is_dead { RegionState::ServerDead } else { RegionState::ServerSilent };
                self.silent.insert(server, state);
            }
        }
    }
}

/// The server that can tell of a region.
fn serving(region: &RegionStatus) -> Option<&ServerName> {
    let is_there = region.state.is_empty() || RegionState::of_hbase(&region.state).is_counted();
    region.server.as_ref().filter(|_| is_there)
}

fn range_of(region: &RegionInfo) -> KeyRange {
    let stop = (!region.end.is_empty()).then(|| region.end.to_vec());
    KeyRange::new(region.start.to_vec(), stop)
}
