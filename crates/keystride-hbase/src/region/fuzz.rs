//! Malformed rows of hbase:meta.

use bytes::Bytes;
use prost::Message;

use super::cache::RegionCache;
use super::{Located, RegionInfo, read_meta_row};
use crate::cell::{CellBlock, CellWriter};
use crate::fuzz::Fuzz;
use crate::proto;

fn region(namespace: &str, table: &str, replica: i32) -> proto::RegionInfo {
    let table_name =
        proto::TableName { namespace: namespace.to_owned().into(), qualifier: table.to_owned().into() };
    proto::RegionInfo {
        region_id: 1_700_000_000_000,
        table_name,
        start_key: Some("b".into()),
        end_key: Some("m".into()),
        split: Some(replica > 0),
        replica_id: Some(replica),
        ..Default::default()
    }
}

fn row(region: &proto::RegionInfo) -> Bytes {
    let mut info = b"PBUF".to_vec();
    region.encode(&mut info).unwrap();
    let cells: [(&str, &[u8]); 4] = [
        ("regioninfo", &info),
        ("server", b"rs1:16020"),
        ("serverstartcode", &7_u64.to_be_bytes()),
        ("state", b"OPEN"),
    ];
    let mut out = CellWriter::default();
    for (qualifier, value) in cells {
        out.put(b"t,b,1700000000000.x.", b"info", qualifier.as_bytes(), 7, value).unwrap();
    }
    out.into_bytes()
}

/// Calls everything that uses a region.
fn use_region(region: &RegionInfo) {
    assert_eq!(region.encoded_name().len(), if region.table.to_string() == "hbase:meta" { 10 } else { 32 });
    assert!(region.end.is_empty() || !region.contains(&region.end));
    assert_eq!(RegionInfo::from_proto(&region.to_proto()).as_ref(), Some(region));
    drop((region.to_string(), region.specifier(), region.encoded_specifier()));
}

#[test]
fn a_row_of_meta_is_about_a_region_that_can_be_used_or_passed_over() {
    let regions = [region("default", "t", 0), region("hbase", "meta", 0), region("ops", "t", 2)];
    Fuzz::of("meta").and(regions.iter().map(row)).run(|input| {
        let Ok(cells) = CellBlock::new(Bytes::copy_from_slice(input)).take_all() else { return };
        let Some(row) = read_meta_row(&cells) else { return };
        use_region(&row.region);
        let Some(server) = row.serving() else { return };
        let mut cache = RegionCache::default();
        for start in ["", "b", "c"] {
            let mut region = row.region.clone();
            region.start = start.into();
            cache.insert(Located::new(region, server.clone()).into());
            drop((cache.find(b"b").cloned(), cache.find_before(b"").cloned()));
        }
        drop((server.address(), server.to_string()));
    });
}

#[test]
fn an_accepted_region_is_encoded_unchanged() {
    let regions = [region("default", "t", 0), region("hbase", "meta", 0), region("ops", "t", 2)];
    Fuzz::of("region").and(regions.iter().map(Message::encode_to_vec)).run(|input| {
        let Ok(message) = proto::RegionInfo::decode(input) else { return };
        RegionInfo::from_proto(&message).iter().for_each(use_region);
    });
}
