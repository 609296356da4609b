//! Regions, and changes of them.

use bytes::Bytes;

use super::table::{FakeRegion, FakeTable};
use super::{Exception, State};
use crate::{RegionInfo, ServerName, TableName, proto};

impl State {
    /// The region that a request names, if that server has it.
    pub(crate) fn region(
        &self,
        server: usize,
        wanted: &proto::RegionSpecifier,
    ) -> Result<(String, RegionInfo), Exception> {
        let found = self.tables.iter().find_map(|(table, known)| Some((table, known.named(&wanted.value)?)));
        let Some((table, (region, home))) = found else { return Err(Exception::not_serving(&wanted.value)) };
        match home {
            Some(at) if *at == self.servers[server] => Ok((table.clone(), region)),
            Some(to) if self.settings.tells_where_it_moved => Err(Exception::moved(to)),
            _ => Err(Exception::not_serving(&wanted.value)),
        }
    }

    /// Like [`Self::region`], and checks that the region holds the row.
    pub(crate) fn region_of_row(
        &mut self,
        server: usize,
        wanted: &proto::RegionSpecifier,
        row: &[u8],
    ) -> Result<String, Exception> {
        let (table, region) = self.region(server, wanted)?;
        if region.contains(row) {
            return Ok(table);
        }
        self.complain(format!("row {} was sent to region {region}", row.escape_ascii()));
        Err(Exception::new("regionserver.WrongRegionException", "Requested row out of range"))
    }

    /// Creates a table with these split points and assigns its regions to the servers in turn.
    pub(crate) fn create(&mut self, table: &str, points: &[&str]) {
        let mut bounds = vec![Bytes::new()];
        bounds.extend(points.iter().map(|point| Bytes::copy_from_slice(point.as_bytes())));
        bounds.push(Bytes::new());
        let id = self.next_number();
        let regions = bounds.windows(2).enumerate().map(|(number, ends)| {
            let mut region = region(table, &ends[0], &ends[1], id);
            region.put_on(Some(self.servers[number % self.servers.len()].clone()));
            region
        });
        let table_of = FakeTable { regions: regions.collect(), ..FakeTable::default() };
        self.tables.insert(table.into(), table_of);
    }

    /// Splits the region of a row at that row. The parent stays in hbase:meta, as in HBase.
    pub(crate) fn split(&mut self, table: &str, row: &str) {
        let id = self.next_number();
        let table = self.tables.get_mut(table).unwrap();
        let parent = table.region_of(row.as_bytes());
        if *parent.info.start == *row.as_bytes() {
            return;
        }
        let server = parent.serving.take();
        (parent.info.is_split, parent.info.is_offline) = (true, true);
        let (name, start, end) =
            (parent.info.table.to_string(), parent.info.start.clone(), parent.info.end.clone());
        let middle = Bytes::copy_from_slice(row.as_bytes());
        for (start, end) in [(&start, &middle), (&middle, &end)] {
            let mut daughter = region(&name, start, end, id);
            daughter.put_on(server.clone());
            table.regions.push(daughter);
        }
    }

    pub(crate) fn merge(&mut self, table: &str, row: &str) {
        let id = self.next_number();
        let known = self.tables.get_mut(table).unwrap();
        let first = known.region_of(row.as_bytes()).clone();
        if first.info.end.is_empty() {
            return;
        }
        let second = known.region_of(&first.info.end).clone();
        known.regions.retain(|region| region.info != first.info && region.info != second.info);
        let mut merged = region(table, &first.info.start, &second.info.end, id);
        merged.put_on(first.serving.or(second.serving));
        known.regions.push(merged);
    }

    pub(crate) fn move_to(&mut self, table: &str, row: &str, server: usize) {
        let server = self.servers[server].clone();
        self.tables.get_mut(table).unwrap().region_of(row.as_bytes()).put_on(Some(server));
    }

    pub(crate) fn add_replica(&mut self, table: &str, row: &str, server: usize) {
        let server = self.servers[server].clone();
        self.tables.get_mut(table).unwrap().region_of(row.as_bytes()).replica_server = Some(server);
    }

    /// Unassigns the region of a row, in hbase:meta too.
    pub(crate) fn unassign(&mut self, table: &str, row: &str) -> RegionInfo {
        let region = self.tables.get_mut(table).unwrap().region_of(row.as_bytes());
        region.put_on(None);
        region.info.clone()
    }

    pub(crate) fn assign(&mut self, region: &RegionInfo, server: usize) {
        let server = self.servers[server].clone();
        let table = self.tables.get_mut(&region.table.to_string()).unwrap();
        table.regions.iter_mut().find(|known| known.info == *region).unwrap().put_on(Some(server));
    }

    /// Makes hbase:meta name a server for the region of a row, true or not.
    pub(crate) fn list(&mut self, table: &str, row: &str, server: ServerName) {
        self.tables.get_mut(table).unwrap().region_of(row.as_bytes()).listed = Some(server);
    }

    /// Sets the state of a table. The regions of a disabled table are unassigned; hbase:meta still names their last
    /// server.
    pub(crate) fn set_table_state(&mut self, table: &str, to: proto::table_state::State) {
        let table = self.tables.get_mut(table).unwrap();
        table.state = to;
        for region in table.regions.iter_mut().filter(|region| !region.info.is_split) {
            region.serving = region.listed.clone().filter(|_| to == proto::table_state::State::Enabled);
        }
    }

    /// Assigns the regions of stopped servers to others.
    pub(crate) fn reassign(&mut self) {
        let up: Vec<usize> = (0..self.servers.len()).filter(|&server| self.up[server]).collect();
        let Some(&first) = up.first() else { return };
        let is_up = |at: &ServerName| up.iter().any(|&server| self.servers[server] == *at);
        let mut turn = 0;
        for region in self.tables.values_mut().flat_map(|table| &mut table.regions) {
            if !region.info.is_split && !region.serving.as_ref().is_some_and(is_up) {
                turn += 1;
                region.put_on(Some(self.servers[up[turn % up.len()]].clone()));
            }
        }
        for role in [&mut self.master, &mut self.meta_at] {
            if !role.is_some_and(|server| self.up[server]) {
                *role = Some(first);
            }
        }
    }
}

fn region(table: &str, start: &Bytes, end: &Bytes, region_id: u64) -> FakeRegion {
    let table = TableName::new(table).unwrap();
    let info = proto::RegionInfo {
        region_id,
        table_name: proto::TableName {
            namespace: table.namespace().to_owned().into(),
            qualifier: table.qualifier().to_owned().into(),
        },
        start_key: Some(start.clone()),
        end_key: Some(end.clone()),
        ..Default::default()
    };
    FakeRegion {
        info: RegionInfo::from_proto(&info).unwrap(),
        listed: None,
        serving: None,
        replica_server: None,
    }
}
