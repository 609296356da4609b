//! Table descriptions and regions.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use keystride::{KeyRange, SplitError, SplitPoints};

use crate::{Family, FamilyName, RegionState, StoreError, TableName};

/// A table's families and attributes.
///
/// ```
/// # use keystride_store::{Family, FamilyName, TableDescription, TableName};
/// let table = TableDescription::new(TableName::new("log")?, [Family::new(FamilyName::new("cf")?)])
///     .with_attribute("keystride.design", "[table]\nname = \"log\"");
/// assert_eq!(table.families.len(), 1);
/// # Ok::<(), keystride_store::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescription {
    /// Its name.
    pub name: TableName,
    /// Its families: at least one, with distinct names. A store returns them sorted by name.
    pub families: Vec<Family>,
    /// Named texts stored with the table. A store does not interpret them.
    pub attributes: BTreeMap<String, String>,
}

/// The name of a region, constant for its lifetime: a split creates two regions with new names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(Arc<str>);

/// A region of a table with its counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its name.
    pub id: RegionId,
    /// The keys it holds.
    pub range: KeyRange,
    /// The server that holds it, as `host,port,start code`; `None` where there are no servers.
    pub server: Option<String>,
    /// What it is doing.
    pub state: RegionState,
    /// What was written to and read from the region: see [`Region::known_counts`].
    pub counts: RegionCounts,
    /// What its server says of it; `None` where there are no servers, or the server does not tell.
    pub load: Option<RegionLoad>,
}

/// What the server of a region says of it, all clients together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegionLoad {
    /// Rows read since the server opened the region: those of gets, and those that scans returned.
    pub rows_read: u64,
    /// The size of its files and of what is in memory, in bytes: whole MiB.
    pub bytes: u64,
    /// When the server counted, in ms since 1970, if that was before it was asked: servers before HBase 2 report every three
    /// seconds.
    pub reported_ms: Option<i64>,
}

impl Region {
    /// Returns the counts; `None` where its server did not tell.
    pub fn known_counts(&self) -> Option<&RegionCounts> {
        self.state.is_counted().then_some(&self.counts)
    }

    /// Returns the split points of a table, given all its regions in key order.
    ///
    /// # Errors
    ///
    /// [`SplitError`] when they are not in that order.
    pub fn split_points(regions: &[Self]) -> Result<SplitPoints, SplitError> {
        SplitPoints::new(regions.iter().skip(1).map(|region| region.range.start()))
    }
}

/// What was written to and read from a region since it was created.
///
/// In the embedded and the memory store, write counts are kept in the same step as the data they count: where rows
/// are persistent, so are the counts, and a crash can't separate them. A split divides what was written to the region in
/// proportion to the rows of both halves, of which it counts up to a million each. Read counts are not stored; they start at zero
/// when the store is opened. For the counts of a cluster see [`HBaseStore`](crate::HBaseStore).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegionCounts {
    /// Rows written. A row counts once per batch that contains it, and is not subtracted when it is deleted or
    /// expires.
    pub rows_written: u64,
    /// Values and delete markers written.
    pub cells_written: u64,
    /// Bytes of row keys, families, qualifiers and values written; the row key counts once per cell.
    pub bytes_written: u64,
    /// Rows read since the store was opened or the region was created, whichever is later: rows that a scan examined,
    /// and rows requested by a get, an increment, an append or a condition, whether found or not and whether filtered
    /// out or not.
    pub rows_read: u64,
}

impl TableDescription {
    /// Creates a description with these families and no attributes.
    pub fn new(name: TableName, families: impl IntoIterator<Item = Family>) -> Self {
        Self { name, families: families.into_iter().collect(), attributes: BTreeMap::new() }
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with_attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attributes.insert(name.into(), value.into());
        self
    }

    /// Returns the family of that name.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownFamily`] when there is none.
    pub fn family(&self, name: &FamilyName) -> Result<&Family, StoreError> {
        self.families
            .iter()
            .find(|family| family.name == *name)
            .ok_or_else(|| StoreError::UnknownFamily { table: self.name.clone(), family: name.to_string() })
    }

    /// Returns the description after a change, as [`Store::alter`](crate::Store::alter) makes it.
    pub(crate) fn altered(&self, change: &Self) -> Result<Self, StoreError> {
        let mut altered = self.clone();
        for family in &change.families {
            match altered.families.iter_mut().find(|own| own.name == family.name) {
                Some(own) => *own = family.clone(),
                None => altered.families.push(family.clone()),
            }
        }
        altered.attributes.extend(change.attributes.clone());
        altered.checked()
    }

    /// Sorts the families and checks that a store can hold such a table.
    pub(crate) fn checked(mut self) -> Result<Self, StoreError> {
        self.families.sort_by(|a, b| a.name.cmp(&b.name));
        if self.families.is_empty() {
            return Err(StoreError::NoFamily { table: self.name });
        }
        if let Some(pair) = self.families.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(StoreError::FamilyTwice { family: pair[0].name.clone(), table: self.name });
        }
        match self.families.iter().find(|family| family.versions == 0) {
            Some(family) => Err(StoreError::FamilyAttribute {
                family: family.name.clone(),
                attribute: "VERSIONS".into(),
                value: "0".into(),
            }),
            None => Ok(self),
        }
    }

    /// Returns the index in `families` of the family with this name; [`Self::checked`] must have sorted them.
    pub(crate) fn family_index(&self, name: &[u8]) -> Result<usize, StoreError> {
        self.families.binary_search_by(|family| family.name.as_bytes().cmp(name)).map_err(|_| {
            StoreError::UnknownFamily {
                table: self.name.clone(),
                family: String::from_utf8_lossy(name).into_owned(),
            }
        })
    }
}

impl RegionId {
    /// Wraps a store's own name of a region.
    pub fn new(id: &str) -> Self {
        Self(id.into())
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RegionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RegionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RegionId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(families: &[&str]) -> TableDescription {
        let families = families.iter().map(|name| Family::new(FamilyName::new(name).unwrap()));
        TableDescription::new(TableName::new("t").unwrap(), families)
    }

    #[test]
    fn families_are_sorted_and_each_there_once() {
        let checked = table(&["b", "a"]).checked().unwrap();
        assert_eq!(checked.family_index(b"b").unwrap(), 1);
        assert!(matches!(checked.family_index(b"c"), Err(StoreError::UnknownFamily { .. })));
        assert!(matches!(table(&["a", "a"]).checked(), Err(StoreError::FamilyTwice { .. })));
        assert!(matches!(table(&[]).checked(), Err(StoreError::NoFamily { .. })));
    }

    #[test]
    fn regions_tell_the_points_they_were_split_at() {
        let points = SplitPoints::new(["g", "p"]).unwrap();
        let regions: Vec<_> = points
            .regions()
            .map(|range| Region {
                id: RegionId::new("r"),
                range,
                server: None,
                state: RegionState::Open,
                counts: RegionCounts::default(),
                load: None,
            })
            .collect();
        assert_eq!(Region::split_points(&regions).unwrap(), points);
        assert_eq!(regions[0].id.as_str(), "r");
    }
}
