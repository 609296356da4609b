//! What a table is made of, and the regions it is cut into.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use keystride::{KeyRange, SplitError, SplitPoints};

use crate::{Family, FamilyName, StoreError, TableName};

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
    /// Its families, at least one, none twice. A store gives them back sorted by name.
    pub families: Vec<Family>,
    /// Text kept with the table, by name. A store attaches no meaning to it.
    pub attributes: BTreeMap<String, String>,
}

/// Names a region for as long as it lives: a split makes two regions with new names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(Arc<str>);

/// A region of a table and what has passed through it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its name.
    pub id: RegionId,
    /// The keys it holds.
    pub range: KeyRange,
    /// The server that holds it, as `host,port,start code`; `None` where there are no servers.
    pub server: Option<String>,
    /// What has been written and read.
    pub counts: RegionCounts,
}

impl Region {
    /// Where a table is cut whose regions these are, all of them in key order.
    ///
    /// # Errors
    ///
    /// [`SplitError`] when they are not in that order.
    pub fn split_points(regions: &[Self]) -> Result<SplitPoints, SplitError> {
        SplitPoints::new(regions.iter().skip(1).map(|region| region.range.start()))
    }
}

/// What passed through a region since it was made.
///
/// Counts of writes are kept with what was written, in the same step: where rows outlive the program, so do they, and
/// no crash parts one from the other. Reads leave nothing behind, so they are counted since the store was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegionCounts {
    /// Rows written; a row counts once for each batch it is in, and is not taken off when it is deleted or expires.
    pub rows_written: u64,
    /// Cells and marks written.
    pub cells_written: u64,
    /// Bytes of row keys, families, qualifiers and values written; the row key counts once per cell.
    pub bytes_written: u64,
    /// Rows read since the store was opened or the region was made, whichever is later: looked at by a scan, or asked
    /// for by a get, an increment, an append or a condition, found or not, filtered away or not.
    pub rows_read: u64,
}

impl TableDescription {
    /// A table with these families and no attributes.
    pub fn new(name: TableName, families: impl IntoIterator<Item = Family>) -> Self {
        Self { name, families: families.into_iter().collect(), attributes: BTreeMap::new() }
    }

    /// The same with one more attribute.
    #[must_use]
    pub fn with_attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attributes.insert(name.into(), value.into());
        self
    }

    /// The family of that name.
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

    /// The same with its families sorted, checked for what a store can keep.
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

    /// Where the family of a cell stands among `families`, which [`Self::checked`] has sorted.
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
    /// Takes a store's own name for a region.
    pub fn new(id: &str) -> Self {
        Self(id.into())
    }

    /// The name as text.
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
}
