//! hbase:meta, generated from the current regions.

use std::cmp::Ordering;

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;

use super::table::FakeRegion;
use super::{Answer, Exception, State, Stored, rows};
use crate::proto;

pub(crate) const META: &[u8] = b"hbase:meta,,1";

pub(crate) fn is_meta(region: &proto::RegionSpecifier) -> bool {
    *region.value == *META
}

pub(crate) fn check(state: &State, server: usize) -> Result<(), Exception> {
    if state.meta_at == Some(server) { Ok(()) } else { Err(Exception::not_serving(META)) }
}

/// Rows about regions, in the order of hbase:meta.
pub(crate) fn region_rows(state: &State) -> Vec<(Bytes, Vec<Stored>)> {
    let regions = state.tables.values().flat_map(|table| &table.regions);
    let mut rows: Vec<_> = regions.map(|region| (region.info.name().clone(), region_row(region))).collect();
    rows.sort_by(|(a, _), (b, _)| compare(a, b));
    rows
}

fn region_row(region: &FakeRegion) -> Vec<Stored> {
    let mut info = BytesMut::from(&b"PBUF"[..]);
    info.put_slice(&region.info.to_proto().encode_to_vec());
    let state = if region.info.is_split { "SPLIT" } else { "OPEN" };
    let mut cells = vec![("regioninfo", info.freeze())];
    cells.push(("seqnumDuringOpen", Bytes::copy_from_slice(&2_u64.to_be_bytes())));
    if let Some(server) = &region.listed {
        cells.push(("server", server.address().to_string().into()));
        cells.push(("serverstartcode", Bytes::copy_from_slice(&server.start_code.to_be_bytes())));
    }
    if let Some(server) = &region.replica_server {
        cells.push(("server_0001", server.address().to_string().into()));
        cells.push(("serverstartcode_0001", Bytes::copy_from_slice(&server.start_code.to_be_bytes())));
    }
    cells.push(("state", state.into()));
    let row = region.info.name();
    cells.into_iter().map(|(qualifier, value)| Stored::put(row, "info", qualifier, 1, value)).collect()
}

/// A table's own row has its state.
pub(crate) fn get(state: &State, server: usize, get: &proto::Get) -> Result<Answer, Exception> {
    check(state, server)?;
    let table = state.tables.get(&*String::from_utf8_lossy(&get.row));
    let cells = table.map(|table| {
        let value = proto::TableState { state: table.state.into() }.encode_to_vec();
        vec![Stored::put(&get.row, "table", "state", 1, value)]
    });
    Ok(rows::get_answer(get, &cells.unwrap_or_default()))
}

/// Region names compare by table, then start key, then the rest.
pub(crate) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    parts(a).cmp(&parts(b))
}

fn parts(name: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let Some(first) = name.iter().position(|&byte| byte == b',') else { return (name, b"", b"") };
    let last = name.iter().rposition(|&byte| byte == b',').unwrap_or(first);
    let start = if last > first { &name[first + 1..last] } else { b"" };
    (&name[..first], start, &name[last + 1..])
}
