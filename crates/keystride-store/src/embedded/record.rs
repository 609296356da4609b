//! Serialization of tables and regions in the catalog.
//!
//! A **table record** is JSON: the table's number, the generation of its keyspaces, its attributes, and its families
//! by name with their attributes in HBase's terms. A **region record** is binary, because a table may have 65,536
//! regions:
//!
//! | Bytes | Field |
//! |---|---|
//! | 8 | number of the next region, big-endian |
//! | then for each region in key order: | |
//! | 8 | its number, big-endian |
//! | 2 | length of its first key, big-endian; 0 for the first region |
//! | n | its first key |

use std::collections::BTreeMap;

use keystride::SplitPoints;
use serde_json::{Map, Value, json};

use crate::{Family, FamilyName, StoreError, TableDescription, TableName};

/// A table as stored in the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableRecord {
    /// The table's number, never reused within the store.
    pub(super) id: u64,
    /// Incremented whenever the table's contents are replaced as a whole; part of the names of its keyspaces.
    pub(super) generation: u64,
    pub(super) description: TableDescription,
}

/// A table's regions as stored in the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RegionsRecord {
    pub(super) next: u64,
    /// The regions' numbers in key order; one more than there are splits.
    pub(super) numbers: Vec<u64>,
    pub(super) splits: SplitPoints,
}

const DAMAGED_TABLE: StoreError = StoreError::Damaged { what: "a table's record" };
const DAMAGED_REGIONS: StoreError = StoreError::Damaged { what: "a table's regions" };

impl TableRecord {
    /// Returns the name of the keyspace that holds a family.
    pub(super) fn keyspace(&self, family: &FamilyName) -> String {
        format!("{}.{}.{family}", self.id, self.generation)
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        let families: Map<String, Value> = self
            .description
            .families
            .iter()
            .map(|family| (family.name.to_string(), json!(family.attributes())))
            .collect();
        let record = json!({
            "id": self.id,
            "generation": self.generation,
            "attributes": self.description.attributes,
            "families": families,
        });
        record.to_string().into_bytes()
    }

    pub(super) fn from_json(name: TableName, json: &[u8]) -> Result<Self, StoreError> {
        let record: Value = serde_json::from_slice(json).map_err(|_| DAMAGED_TABLE)?;
        let number = |key: &str| record[key].as_u64().ok_or(DAMAGED_TABLE);
        let families = record["families"].as_object().ok_or(DAMAGED_TABLE)?;
        let families = families.iter().map(|(name, attributes)| {
            let name = FamilyName::new(name).map_err(|_| DAMAGED_TABLE)?;
            let attributes = texts(attributes)?;
            Family::from_attributes(
                name,
                attributes.iter().map(|(key, value)| (key.as_str(), value.as_str())),
            )
        });
        let description = TableDescription {
            name,
            families: families.collect::<Result<_, _>>()?,
            attributes: texts(&record["attributes"])?,
        };
        Ok(Self { id: number("id")?, generation: number("generation")?, description: description.checked()? })
    }
}

impl RegionsRecord {
    /// Creates regions numbered from `first` on.
    pub(super) fn new(splits: SplitPoints, first: u64) -> Self {
        let next = first + splits.region_count() as u64;
        Self { next, numbers: (first..next).collect(), splits }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.next.to_be_bytes().to_vec();
        let no_key: &[u8] = &[];
        let starts = std::iter::once(no_key).chain(self.splits.keys().iter().map(AsRef::as_ref));
        for (number, start) in self.numbers.iter().zip(starts) {
            let len = u16::try_from(start.len()).expect("a key has at most 32,767 bytes");
            bytes.extend_from_slice(&number.to_be_bytes());
            bytes.extend_from_slice(&len.to_be_bytes());
            bytes.extend_from_slice(start);
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        let (next, mut rest) = bytes.split_first_chunk().ok_or(DAMAGED_REGIONS)?;
        let (mut numbers, mut starts) = (Vec::new(), Vec::new());
        while !rest.is_empty() {
            let (number, start, after) = split_region(rest).ok_or(DAMAGED_REGIONS)?;
            numbers.push(number);
            starts.push(start);
            rest = after;
        }
        if starts.is_empty() || !starts.remove(0).is_empty() {
            return Err(DAMAGED_REGIONS);
        }
        Ok(Self { next: u64::from_be_bytes(*next), numbers, splits: SplitPoints::new(starts)? })
    }
}

fn split_region(bytes: &[u8]) -> Option<(u64, &[u8], &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    let (len, rest) = rest.split_first_chunk()?;
    let (start, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*len)))?;
    Some((u64::from_be_bytes(*number), start, rest))
}

fn texts(object: &Value) -> Result<BTreeMap<String, String>, StoreError> {
    let object = object.as_object().ok_or(DAMAGED_TABLE)?;
    let text =
        |(key, value): (&String, &Value)| Ok((key.clone(), value.as_str().ok_or(DAMAGED_TABLE)?.to_owned()));
    object.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> TableRecord {
        let name = TableName::new("ns:t").unwrap();
        let family = |name| Family {
            versions: 3,
            ttl_seconds: Some(60),
            ..Family::new(FamilyName::new(name).unwrap())
        };
        let description =
            TableDescription::new(name, [family("a"), family("b")]).with_attribute("design", "[key]\n\"§\"");
        TableRecord { id: 7, generation: 2, description }
    }

    #[test]
    fn a_table_reads_back_as_written() {
        let record = record();
        assert_eq!(
            TableRecord::from_json(record.description.name.clone(), &record.to_json()).unwrap(),
            record
        );
        assert_eq!(record.keyspace(&record.description.families[0].name), "7.2.a");
    }

    #[test]
    fn regions_read_back_as_written() {
        for splits in [SplitPoints::default(), SplitPoints::new(["a", "b\0"]).unwrap()] {
            let record = RegionsRecord::new(splits, 9);
            assert_eq!(RegionsRecord::from_bytes(&record.to_bytes()).unwrap(), record);
        }
    }

    #[test]
    fn damaged_records_are_refused() {
        let (table, regions) = (record(), RegionsRecord::new(SplitPoints::new(["k"]).unwrap(), 1));
        let (json, bytes) = (table.to_json(), regions.to_bytes());
        for len in 0..json.len() {
            assert!(TableRecord::from_json(table.description.name.clone(), &json[..len]).is_err(), "{len}");
        }
        let whole = [8 + 10, bytes.len()];
        for len in (0..bytes.len()).filter(|len| !whole.contains(len)) {
            assert!(RegionsRecord::from_bytes(&bytes[..len]).is_err(), "{len}");
        }
    }
}
