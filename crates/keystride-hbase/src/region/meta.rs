//! Rows of hbase:meta.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;

use super::info::RegionInfo;
use crate::cell::{Cell, CellBlock};
use crate::{ServerName, proto};

/// A region's row in hbase:meta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MetaRow {
    pub(crate) region: RegionInfo,
    /// Its server. `None` while it is in transition.
    pub(crate) server: Option<ServerName>,
    /// The servers of its replicas, by replica id.
    pub(crate) replicas: Vec<(u32, ServerName)>,
    /// `OPEN`, `SPLITTING`, ...; empty if the row has none.
    pub(crate) state: Box<str>,
}

impl MetaRow {
    /// The server that serves the region now. The row of a closed region still has the last server.
    pub(crate) fn serving(&self) -> Option<&ServerName> {
        // Before HBase 2 there is no state.
        self.server.as_ref().filter(|_| matches!(&*self.state, "" | OPEN))
    }
}

#[derive(Debug, Default)]
struct ServerColumns {
    address: Option<(Box<str>, u16)>,
    start_code: Option<u64>,
}

impl ServerColumns {
    fn server(self) -> Option<ServerName> {
        let (host, port) = self.address?;
        Some(ServerName { host, port, start_code: self.start_code? })
    }
}

/// The state of a region that serves rows.
pub(super) const OPEN: &str = "OPEN";

/// Protobuf messages in cells start with it.
const MAGIC: &[u8] = b"PBUF";

/// Decodes the cells of one row. `None` if it is not about a region.
pub(crate) fn read_meta_row(cells: &Bytes) -> Option<MetaRow> {
    let mut region = None;
    let mut state = "".into();
    let mut servers: BTreeMap<u32, ServerColumns> = BTreeMap::new();
    for cell in CellBlock::cells(cells).filter(|cell| cell.family == b"info") {
        match cell.qualifier {
            b"regioninfo" => region = read_region(&cell),
            b"state" => state = String::from_utf8_lossy(cell.value).into(),
            _ => read_server_column(&cell, &mut servers),
        }
    }
    let mut servers =
        servers.into_iter().filter_map(|(replica, home)| Some((replica, home.server()?))).peekable();
    let server = servers.next_if(|(replica, _)| *replica == 0).map(|(_, server)| server);
    Some(MetaRow { region: region?, server, replicas: servers.collect(), state })
}

/// Decodes the columns `server` and `serverstartcode`; for a replica they end in `_` and four hexadecimal digits.
fn read_server_column(cell: &Cell<'_>, servers: &mut BTreeMap<u32, ServerColumns>) {
    let Ok(qualifier) = std::str::from_utf8(cell.qualifier) else { return };
    let (column, replica) = match qualifier.split_once('_') {
        None => (qualifier, Ok(0)),
        Some((column, digits)) => (column, u32::from_str_radix(digits, 16)),
    };
    let Ok(replica) = replica else { return };
    match column {
        "server" => servers.entry(replica).or_default().address = read_address(cell.value),
        "serverstartcode" => {
            let code = cell.value.try_into().ok().map(u64::from_be_bytes);
            servers.entry(replica).or_default().start_code = code;
        }
        _ => {}
    }
}

fn read_region(cell: &Cell<'_>) -> Option<RegionInfo> {
    let message = proto::RegionInfo::decode(cell.value.strip_prefix(MAGIC)?).ok()?;
    RegionInfo::from_proto(&message)
}

fn read_address(value: &[u8]) -> Option<(Box<str>, u16)> {
    let (host, port) = std::str::from_utf8(value).ok()?.rsplit_once(':')?;
    Some((host.into(), port.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{CellWriter, LATEST};
    use crate::region::Located;

    fn row(cells: &[(&[u8], &[u8])]) -> Option<MetaRow> {
        let mut out = CellWriter::default();
        for (qualifier, value) in cells {
            out.put(b"t1,10000000,1700000000000.x.", b"info", qualifier, LATEST, value).unwrap();
        }
        read_meta_row(&out.into_bytes())
    }

    /// `info:regioninfo` of table t1 from 10000000 to 20000000.
    const REGION: &[u8] =
        b"PBUF\x08\x80\xd0\x95\xff\xbc\x31\x12\x0d\x0a\x07default\x12\x02t1\x1a\x0810000000\
        \x22\x0820000000\x28\x00\x30\x00\x38\x00";

    #[test]
    fn a_region_and_its_server_are_read() {
        let code = 5_u64.to_be_bytes();
        let cells: [(&[u8], &[u8]); 4] = [
            (b"regioninfo", REGION),
            (b"server", b"rs1:16020"),
            (b"serverstartcode", &code),
            (b"state", b"OPEN"),
        ];
        let row = row(&cells).unwrap();
        assert_eq!((&row.region.start[..], &row.region.end[..]), (&b"10000000"[..], &b"20000000"[..]));
        assert_eq!(row.server.unwrap().to_string(), "rs1,16020,5");
        assert_eq!(&*row.state, "OPEN");
        assert_eq!(row.region.encoded_name(), "dd6cf9f3ebf4607e64ff42b549e67370");
    }

    #[test]
    fn replicas_have_servers_of_their_own() {
        let (code, second) = (5_u64.to_be_bytes(), 6_u64.to_be_bytes());
        let cells: [(&[u8], &[u8]); 7] = [
            (b"regioninfo", REGION),
            (b"server", b"rs1:16020"),
            (b"server_0001", b"rs2:16020"),
            (b"server_000A", b"rs3:16020"),
            (b"serverstartcode", &code),
            (b"serverstartcode_0001", &second),
            (b"state_0001", b"OPEN"),
        ];
        let row = row(&cells).unwrap();
        assert_eq!(row.server.clone().unwrap().to_string(), "rs1,16020,5");
        let [(1, copy)] = &row.replicas[..] else { panic!("{:?}", row.replicas) };
        assert_eq!(copy.to_string(), "rs2,16020,6");
        let located =
            Located { region: row.region, server: row.server.unwrap(), replicas: row.replicas.into() };
        let copy = located.replica(1).unwrap();
        // As in HBase's RegionInfo.createRegionName.
        assert!(copy.region.name().starts_with(b"t1,10000000,1700000000000_0001."));
        assert!(located.replica(2).is_none());
    }

    #[test]
    fn a_region_in_transition_has_no_server() {
        assert_eq!(row(&[(b"regioninfo", REGION), (b"server", b"")]).unwrap().server, None);
    }

    #[test]
    fn a_row_about_a_table_is_passed_over() {
        assert_eq!(row(&[(b"state", b"\x08\x00")]), None);
        assert_eq!(row(&[(b"regioninfo", b"PBU")]), None);
    }
}
