//! A column family and its HBase settings.

use std::collections::BTreeMap;

use keystride_hbase::{BlockEncoding, Bloom, Compression, KeepDeletedCells};

use crate::{FamilyName, StoreError};

/// A column family: its name and its settings, with HBase's defaults.
///
/// All settings are stored with the table. The embedded and the memory store honor `versions`, `min_versions` and
/// `ttl_seconds`; they only record the others, for a cluster that the table may move to.
///
/// ```
/// # use keystride_store::{Family, FamilyName};
/// let family = Family { versions: 3, ..Family::new(FamilyName::new("cf")?) };
/// assert_eq!(family.attributes()["VERSIONS"], "3");
/// assert_eq!(family.attributes()["TTL"], "2147483647");
/// # Ok::<(), keystride_store::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// Its name.
    pub name: FamilyName,
    /// How many versions of a column are visible, at least 1.
    pub versions: u32,
    /// How many versions stay visible after their time to live has passed.
    pub min_versions: u32,
    /// How many seconds after its timestamp a cell stays visible; `None` for unlimited.
    pub ttl_seconds: Option<u32>,
    /// How blocks are compressed. Recorded only.
    pub compression: Compression,
    /// Which bloom filter files carry. Recorded only.
    pub bloom: Bloom,
    /// How keys are packed inside a block. Recorded only.
    pub block_encoding: BlockEncoding,
    /// Size of a block in bytes. Recorded only.
    pub block_bytes: u32,
    /// Whether blocks of the family get HBase's in-memory priority in the block cache. Recorded only.
    pub in_memory: bool,
    /// What happens to deleted cells. Recorded only: they are always hidden.
    pub keep_deleted_cells: KeepDeletedCells,
}

/// HBase's `TTL` for cells that never expire, `HConstants.FOREVER`.
const FOREVER: u32 = 2_147_483_647;

impl Family {
    /// A family with HBase's defaults.
    pub fn new(name: FamilyName) -> Self {
        Self {
            name,
            versions: 1,
            min_versions: 0,
            ttl_seconds: None,
            compression: Compression::None,
            bloom: Bloom::Row,
            block_encoding: BlockEncoding::None,
            block_bytes: 65_536,
            in_memory: false,
            keep_deleted_cells: KeepDeletedCells::False,
        }
    }

    /// Returns the settings in the form of HBase's schema: upper-case names with values as text.
    pub fn attributes(&self) -> BTreeMap<&'static str, String> {
        BTreeMap::from([
            ("VERSIONS", self.versions.to_string()),
            ("MIN_VERSIONS", self.min_versions.to_string()),
            ("TTL", self.ttl_seconds.unwrap_or(FOREVER).to_string()),
            ("COMPRESSION", self.compression.to_string()),
            ("BLOOMFILTER", self.bloom.to_string()),
            ("DATA_BLOCK_ENCODING", self.block_encoding.to_string()),
            ("BLOCKSIZE", self.block_bytes.to_string()),
            ("IN_MEMORY", self.in_memory.to_string()),
            ("KEEP_DELETED_CELLS", self.keep_deleted_cells.to_string()),
        ])
    }

    /// Reads settings in the form of HBase's schema. Settings that are not mentioned keep their defaults. Unknown
    /// attributes are ignored, because HBase has many that do not affect what a reader sees.
    ///
    /// # Errors
    ///
    /// [`StoreError::FamilyAttribute`] for an invalid value of an attribute.
    pub fn from_attributes<'a>(
        name: FamilyName,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, StoreError> {
        let mut family = Self::new(name);
        for (attribute, value) in attributes {
            family.set(attribute, value).ok_or_else(|| StoreError::FamilyAttribute {
                family: family.name.clone(),
                attribute: attribute.into(),
                value: value.into(),
            })?;
        }
        Ok(family)
    }

    fn set(&mut self, attribute: &str, value: &str) -> Option<()> {
        match attribute {
            "VERSIONS" => self.versions = value.parse().ok().filter(|&versions| versions >= 1)?,
            "MIN_VERSIONS" => self.min_versions = value.parse().ok()?,
            "TTL" => self.ttl_seconds = Some(value.parse().ok()?).filter(|&seconds| seconds != FOREVER),
            "COMPRESSION" => self.compression = value.parse().ok()?,
            "BLOOMFILTER" => self.bloom = value.parse().ok()?,
            "DATA_BLOCK_ENCODING" => self.block_encoding = value.parse().ok()?,
            "BLOCKSIZE" => self.block_bytes = value.parse().ok()?,
            "IN_MEMORY" => self.in_memory = value.parse().ok()?,
            "KEEP_DELETED_CELLS" => self.keep_deleted_cells = value.parse().ok()?,
            _ => {}
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_read_back_as_written() {
        let family = Family {
            versions: 7,
            min_versions: 2,
            ttl_seconds: Some(86_400),
            compression: Compression::Zstd,
            bloom: Bloom::RowCol,
            block_encoding: BlockEncoding::FastDiff,
            block_bytes: 16_384,
            in_memory: true,
            keep_deleted_cells: KeepDeletedCells::Ttl,
            ..Family::new(FamilyName::new("cf").unwrap())
        };
        let attributes = family.attributes();
        let read = attributes.iter().map(|(name, value)| (*name, value.as_str()));
        assert_eq!(Family::from_attributes(family.name.clone(), read).unwrap(), family);
    }

    #[test]
    fn a_value_that_can_not_be_is_refused() {
        let name = FamilyName::new("cf").unwrap();
        for (attribute, value) in [("VERSIONS", "0"), ("TTL", "soon"), ("COMPRESSION", "zip")] {
            assert!(Family::from_attributes(name.clone(), [(attribute, value)]).is_err(), "{attribute}");
        }
        assert!(Family::from_attributes(name, [("MOB_THRESHOLD", "x")]).is_ok());
    }

    #[test]
    fn a_new_family_has_the_defaults_of_hbase() {
        let attributes = Family::new(FamilyName::new("cf").unwrap()).attributes();
        let expected = [
            ("BLOCKSIZE", "65536"),
            ("BLOOMFILTER", "ROW"),
            ("COMPRESSION", "NONE"),
            ("DATA_BLOCK_ENCODING", "NONE"),
            ("IN_MEMORY", "false"),
            ("KEEP_DELETED_CELLS", "FALSE"),
            ("MIN_VERSIONS", "0"),
            ("TTL", "2147483647"),
            ("VERSIONS", "1"),
        ];
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(attributes, expected);
    }
}
