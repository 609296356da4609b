//! Tables and regions.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::Stored;
use crate::{RegionInfo, ServerName, proto};

#[derive(Debug, Default)]
pub(crate) struct FakeTable {
    pub(crate) state: proto::table_state::State,
    pub(crate) rows: BTreeMap<Bytes, Vec<Stored>>,
    pub(crate) regions: Vec<FakeRegion>,
}

#[derive(Debug, Clone)]
pub(crate) struct FakeRegion {
    pub(crate) info: RegionInfo,
    /// The server that hbase:meta names.
    pub(crate) listed: Option<ServerName>,
    /// The server that has it.
    pub(crate) serving: Option<ServerName>,
    /// The server that has its replica.
    pub(crate) replica_server: Option<ServerName>,
}

impl FakeRegion {
    pub(super) fn put_on(&mut self, server: Option<ServerName>) {
        self.listed.clone_from(&server);
        self.serving = server;
    }
}

impl FakeTable {
    pub(crate) fn region_of(&mut self, row: &[u8]) -> &mut FakeRegion {
        let mut served = self.regions.iter_mut().filter(|region| !region.info.is_split);
        served.find(|region| region.info.contains(row)).expect("the regions of a table leave no hole")
    }

    /// A region or replica by name, and the server that has it.
    pub(super) fn named(&self, name: &[u8]) -> Option<(RegionInfo, Option<&ServerName>)> {
        let is = |info: &RegionInfo| info.name() == name || info.encoded_name().as_bytes() == name;
        let itself = |region: &FakeRegion| is(&region.info);
        let copy = |region: &FakeRegion| is(&region.info.replica(1));
        let found = self.regions.iter().find(|region| itself(region) || copy(region))?;
        Some(if itself(found) {
            (found.info.clone(), found.serving.as_ref())
        } else {
            (found.info.replica(1), found.replica_server.as_ref())
        })
    }
}
