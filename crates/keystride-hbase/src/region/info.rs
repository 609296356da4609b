//! Regions and their names.

use std::fmt;

use bytes::{BufMut, Bytes, BytesMut};
use data_encoding::HEXLOWER;
use md5::{Digest, Md5};

use crate::bytes_text::Escaped;
use crate::{ServerName, TableName, proto};

/// A region of a table.
#[derive(Clone, PartialEq, Eq)]
pub struct RegionInfo {
    /// The table.
    pub table: TableName,
    /// The start key; empty for the first region.
    pub start: Bytes,
    /// The end key (exclusive); empty for the last region.
    pub end: Bytes,
    /// When it was created, in ms since 1970.
    pub id: u64,
    /// The replica id; 0 for the primary.
    pub replica: u32,
    /// Whether it was split, so that only its daughters serve rows.
    pub is_split: bool,
    /// Whether it is offline.
    pub is_offline: bool,
    name: Bytes,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) region: RegionInfo,
    pub(crate) server: ServerName,
    /// The servers of its replicas, by replica id.
    pub(crate) replicas: Box<[(u32, ServerName)]>,
}

impl Located {
    /// A region without replicas.
    pub(crate) fn new(region: RegionInfo, server: ServerName) -> Self {
        Self { region, server, replicas: Box::default() }
    }

    /// The replica with this id.
    pub(crate) fn replica(&self, number: u32) -> Option<Self> {
        if number == self.region.replica {
            return Some(self.clone());
        }
        let (_, server) = self.replicas.iter().find(|(replica, _)| *replica == number)?;
        Some(Self::new(self.region.replica(number), server.clone()))
    }

    /// All its open replicas besides the primary.
    pub(crate) fn open_replicas(&self) -> impl Iterator<Item = Self> {
        self.replicas.iter().filter_map(|&(number, _)| self.replica(number))
    }
}

/// Rows of hbase:meta have the same maximum length as other rows.
const MAX_ROW: usize = 32_767;

impl RegionInfo {
    pub(crate) fn from_proto(info: &proto::RegionInfo) -> Option<Self> {
        let table = TableName::from_proto(&info.table_name).ok()?;
        let replica = u32::try_from(info.replica_id()).ok()?;
        let name = region_name(&table, info.start_key(), info.region_id, replica);
        Some(Self {
            table,
            start: info.start_key.clone().unwrap_or_default(),
            end: info.end_key.clone().unwrap_or_default(),
            id: info.region_id,
            replica,
            is_split: info.split(),
            is_offline: info.offline(),
            name,
        })
    }

    pub(crate) fn to_proto(&self) -> proto::RegionInfo {
        proto::RegionInfo {
            region_id: self.id,
            table_name: self.table.to_proto(),
            start_key: Some(self.start.clone()),
            end_key: Some(self.end.clone()),
            offline: Some(self.is_offline),
            split: Some(self.is_split),
            replica_id: Some(self.replica.cast_signed()),
        }
    }

    /// The replica with this id.
    pub(crate) fn replica(&self, number: u32) -> Self {
        let name = region_name(&self.table, &self.start, self.id, number);
        Self { replica: number, name, ..self.clone() }
    }

    /// Its name: `table,start,id.md5.`
    pub fn name(&self) -> &Bytes {
        &self.name
    }

    /// The encoded name: the 32 hexadecimal digits at the end of its name, which also name its directory.
    pub fn encoded_name(&self) -> &str {
        if self.table == meta_table() {
            return META_ENCODED;
        }
        self.name_hash()
    }

    fn name_hash(&self) -> &str {
        let digits = &self.name[self.name.len() - 33..self.name.len() - 1];
        std::str::from_utf8(digits).expect("they were written as hexadecimal digits")
    }

    /// Whether it holds the row `row`.
    pub fn contains(&self, row: &[u8]) -> bool {
        *self.start <= *row && (self.end.is_empty() || *row < *self.end)
    }

    pub(crate) fn specifier(&self) -> proto::RegionSpecifier {
        proto::RegionSpecifier {
            r#type: proto::region_specifier::RegionSpecifierType::RegionName.into(),
            value: self.name.clone(),
        }
    }

    pub(crate) fn encoded_specifier(&self) -> proto::RegionSpecifier {
        proto::RegionSpecifier {
            r#type: proto::region_specifier::RegionSpecifierType::EncodedRegionName.into(),
            value: self.encoded_name().to_owned().into(),
        }
    }
}

fn region_name(table: &TableName, start: &[u8], id: u64, replica: u32) -> Bytes {
    let mut name = meta_key(table, start, &id.to_string());
    if replica > 0 {
        name.put_slice(format!("_{replica:04X}").as_bytes());
    }
    let hash = HEXLOWER.encode(&Md5::digest(&name));
    name.put_slice(format!(".{hash}.").as_bytes());
    name.freeze()
}

/// `table,row,id`: the key of a row in hbase:meta, or between two of them. Truncates a row that is too long.
pub(super) fn meta_key(table: &TableName, row: &[u8], id: &str) -> BytesMut {
    let table = table.to_string();
    let room = MAX_ROW.saturating_sub(table.len() + id.len() + 2);
    let row = &row[..row.len().min(room)];
    let mut key = BytesMut::with_capacity(table.len() + row.len() + id.len() + 2 + 40);
    key.put_slice(table.as_bytes());
    key.put_u8(b',');
    key.put_slice(row);
    key.put_u8(b',');
    key.put_slice(id.as_bytes());
    key
}

pub(crate) fn meta_table() -> TableName {
    TableName::new("hbase:meta").expect("it is a name")
}

/// Jenkins hash of its name, as older versions used for all regions.
const META_ENCODED: &str = "1588230740";

/// The one region of hbase:meta. It never splits, and its name has no hash.
pub(crate) fn meta_region() -> RegionInfo {
    RegionInfo {
        table: meta_table(),
        start: Bytes::new(),
        end: Bytes::new(),
        id: 1,
        replica: 0,
        is_split: false,
        is_offline: false,
        name: Bytes::from_static(b"hbase:meta,,1"),
    }
}

impl fmt::Display for RegionInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Escaped(&self.name), f)
    }
}

impl fmt::Debug for RegionInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_carry_the_hash_that_hbase_gives_them() {
        let name = |table: &str, start: &[u8], id, replica| {
            let name = region_name(&TableName::new(table).unwrap(), start, id, replica);
            String::from_utf8(name.to_vec()).unwrap()
        };
        assert_eq!(
            name("tsdb-uid", b"3", 1_473_757_159_520, 0),
            "tsdb-uid,3,1473757159520.27b3d8215465683e2f61127b0f3b0be3."
        );
        assert_eq!(
            name("t1", b"", 1_343_241_605_007, 0),
            "t1,,1343241605007.89bcf35b2666c0a5a6187372da617e0b."
        );
        assert!(
            name("t1", b"10000000", 1_700_000_000_000, 1)
                .ends_with("_0001.e907b58e2f2138acc2ff3b5bdf12fddb.")
        );
        assert!(name("ns1:t1", b"", 1_700_000_000_000, 0).ends_with(".a7e28ee91aff520ba172818d084f2eb8."));
    }

    #[test]
    fn a_region_ends_before_its_end() {
        let mut region = meta_region();
        region.start = Bytes::from_static(b"b");
        region.end = Bytes::from_static(b"d");
        let inside: Vec<bool> =
            [&b"a"[..], b"b", b"c", b"d"].iter().map(|row| region.contains(row)).collect();
        assert_eq!(inside, [false, true, true, false]);
    }
}
