//! Tables.

use super::attributes::{
    Attributes, Configuration, attributes, attributes_from_proto, attributes_to_proto,
    configuration_from_proto, configuration_to_proto,
};
use super::{DescriptorError, FamilyDescriptor, SplitPolicy, TableDurability};
use crate::{FamilyName, TableName, proto};

/// A table: its name, its families and all of its settings.
///
/// What is not set has the servers' defaults.
///
/// ```
/// # use keystride_hbase::{FamilyDescriptor, FamilyName, SplitPolicy, TableDescriptor, TableName};
/// let mut table = TableDescriptor::new(TableName::new("ops:log")?);
/// table.set_family(FamilyDescriptor::new(FamilyName::new("cf")?));
/// table.set_split_policy(Some(&SplitPolicy::Disabled)).set_merge_enabled(false);
/// assert_eq!(table.families().len(), 1);
/// assert_eq!(table.split_policy()?, Some(SplitPolicy::Disabled));
/// assert_eq!(table.attributes[b"MERGE_ENABLED".as_slice()], "false");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescriptor {
    /// Its name.
    pub name: TableName,
    families: Vec<FamilyDescriptor>,
    /// What is set, by upper-case names; values are text. Methods read and write those that are known.
    ///
    /// Here are settings of the region servers too, by their own names: HBase 2 moves all of
    /// [`configuration`](Self::configuration) in here.
    pub attributes: Attributes,
    /// Settings of the region servers that hold for this table alone.
    pub configuration: Configuration,
}

attributes!(TableDescriptor {
    /// At how many bytes of a store a region splits.
    "MAX_FILESIZE" max_file_bytes, set_max_file_bytes: u64, or_cluster;
    /// At how many bytes in memory a region writes a file.
    "MEMSTORE_FLUSHSIZE" memstore_flush_bytes, set_memstore_flush_bytes: u64, or_cluster;
    /// The class that chooses which families are flushed.
    "FLUSH_POLICY" flush_policy, set_flush_policy: String, or_cluster;
    /// What a server does before it says that something is written, where the write itself does not say.
    "DURABILITY" durability, set_durability: TableDurability = TableDurability::ClusterDefault;
    /// Whether it takes no writes.
    "READONLY" read_only, set_read_only: bool = false;
    /// Whether files are merged.
    "COMPACTION_ENABLED" compaction_enabled, set_compaction_enabled: bool = true;
    /// Whether regions may split.
    "SPLIT_ENABLED" split_enabled, set_split_enabled: bool = true;
    /// Whether regions may be merged.
    "MERGE_ENABLED" merge_enabled, set_merge_enabled: bool = true;
    /// Whether the normalizer makes its regions alike in size.
    "NORMALIZATION_ENABLED" normalization_enabled, set_normalization_enabled: bool, or_cluster;
    /// How many regions the normalizer aims at.
    "NORMALIZER_TARGET_REGION_COUNT" normalizer_region_count, set_normalizer_region_count: i32, or_cluster;
    /// Which size of a region, in MiB, the normalizer aims at.
    "NORMALIZER_TARGET_REGION_SIZE_MB" normalizer_region_mib, set_normalizer_region_mib: i64, or_cluster;
    /// How many servers open each region, the one that writes included.
    "REGION_REPLICATION" region_replication, set_region_replication: u32 = 1;
    /// Whether the others hear of writes before they are in files.
    "REGION_MEMSTORE_REPLICATION" memstore_replication, set_memstore_replication: bool = true;
    /// Its rank among tables where servers have to choose; more is sooner.
    "PRIORITY" priority, set_priority: i32 = 0;
    /// HDFS's erasure coding policy for its files.
    "ERASURE_CODING_POLICY" erasure_coding, set_erasure_coding: String, or_cluster;
});

impl TableDescriptor {
    /// A table with the servers' defaults, without a family yet: servers refuse to create one so.
    pub fn new(name: TableName) -> Self {
        let (attributes, configuration) = (Attributes::new(), Configuration::new());
        Self { name, families: Vec::new(), attributes, configuration }
    }

    /// Its families, no two of one name.
    pub fn families(&self) -> &[FamilyDescriptor] {
        &self.families
    }

    /// The family of this name.
    pub fn family(&self, name: &FamilyName) -> Option<&FamilyDescriptor> {
        self.families.iter().find(|family| family.name == *name)
    }

    /// Adds a family, in place of the one that had its name.
    pub fn set_family(&mut self, family: FamilyDescriptor) -> &mut Self {
        match self.families.iter_mut().find(|known| known.name == family.name) {
            Some(known) => *known = family,
            None => self.families.push(family),
        }
        self
    }

    /// Takes a family out.
    pub fn remove_family(&mut self, name: &FamilyName) -> Option<FamilyDescriptor> {
        let at = self.families.iter().position(|family| family.name == *name)?;
        Some(self.families.remove(at))
    }

    /// When regions split; `None` is what the cluster does by default. Attribute `SPLIT_POLICY`.
    ///
    /// # Errors
    ///
    /// [`DescriptorError`] if the policy lacks what it needs, or that is what it can't be.
    pub fn split_policy(&self) -> Result<Option<SplitPolicy>, DescriptorError> {
        SplitPolicy::read(&self.attributes, &self.shown())
    }

    /// Sets `SPLIT_POLICY` and what the policy needs, or removes them: [`Self::split_policy`].
    pub fn set_split_policy(&mut self, policy: Option<&SplitPolicy>) -> &mut Self {
        SplitPolicy::write(policy, &mut self.attributes);
        self
    }

    /// What messages call it.
    fn shown(&self) -> String {
        format!("table {}", self.name)
    }

    pub(crate) fn to_proto(&self) -> proto::TableSchema {
        proto::TableSchema {
            table_name: Some(self.name.to_proto()),
            attributes: attributes_to_proto(&self.attributes),
            column_families: self.families.iter().map(FamilyDescriptor::to_proto).collect(),
            configuration: configuration_to_proto(&self.configuration),
        }
    }

    pub(crate) fn from_proto(schema: proto::TableSchema) -> Result<Self, DescriptorError> {
        let incomplete = DescriptorError::Incomplete { what: "table descriptor", part: "name" };
        let mut table = Self::new(TableName::from_proto(&schema.table_name.ok_or(incomplete)?)?);
        table.attributes = attributes_from_proto(schema.attributes);
        table.configuration = configuration_from_proto(schema.configuration);
        for schema in schema.column_families {
            let family = FamilyDescriptor::from_proto(schema)?;
            if table.family(&family.name).is_some() {
                return Err(DescriptorError::FamilyTwice { table: table.name, family: family.name });
            }
            table.families.push(family);
        }
        Ok(table)
    }
}
