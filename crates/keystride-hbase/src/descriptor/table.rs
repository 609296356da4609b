//! Tables.

use super::attributes::{
    Attributes, Configuration, attributes, attributes_from_proto, attributes_to_proto,
    configuration_from_proto, configuration_to_proto,
};
use super::{DescriptorError, FamilyDescriptor, SplitPolicy, TableDurability};
use crate::{FamilyName, TableName, proto};

/// A table: its name, its families and its settings.
///
/// A setting that is not set has the servers' default.
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
    /// The attributes that are set, by upper-case name; values are text. Known ones have methods.
    ///
    /// They can include settings of the region servers, by their own names: HBase 2 moves all of
    /// [`configuration`](Self::configuration) here.
    pub attributes: Attributes,
    /// Configuration of the region servers for this table.
    pub configuration: Configuration,
}

attributes!(TableDescriptor {
    /// Size of a store in bytes above which its region splits.
    "MAX_FILESIZE" max_file_bytes, set_max_file_bytes: u64, or_cluster;
    /// Size of the memstore in bytes above which a region is flushed.
    "MEMSTORE_FLUSHSIZE" memstore_flush_bytes, set_memstore_flush_bytes: u64, or_cluster;
    /// The class that selects the families to flush.
    "FLUSH_POLICY" flush_policy, set_flush_policy: String, or_cluster;
    /// When a server acknowledges writes, unless the write itself says.
    "DURABILITY" durability, set_durability: TableDurability = TableDurability::ClusterDefault;
    /// Whether writes are refused.
    "READONLY" read_only, set_read_only: bool = false;
    /// Whether compactions run.
    "COMPACTION_ENABLED" compaction_enabled, set_compaction_enabled: bool = true;
    /// Whether regions may split.
    "SPLIT_ENABLED" split_enabled, set_split_enabled: bool = true;
    /// Whether regions may merge.
    "MERGE_ENABLED" merge_enabled, set_merge_enabled: bool = true;
    /// Whether the normalizer evens out the sizes of its regions.
    "NORMALIZATION_ENABLED" normalization_enabled, set_normalization_enabled: bool, or_cluster;
    /// The normalizer's target number of regions.
    "NORMALIZER_TARGET_REGION_COUNT" normalizer_region_count, set_normalizer_region_count: i32, or_cluster;
    /// The normalizer's target region size in MiB.
    "NORMALIZER_TARGET_REGION_SIZE_MB" normalizer_region_mib, set_normalizer_region_mib: i64, or_cluster;
    /// The number of replicas of each region, including the primary.
    "REGION_REPLICATION" region_replication, set_region_replication: u32 = 1;
    /// Whether replicas receive writes before they are flushed.
    "REGION_MEMSTORE_REPLICATION" memstore_replication, set_memstore_replication: bool = true;
    /// Priority when servers open regions; higher is sooner.
    "PRIORITY" priority, set_priority: i32 = 0;
    /// HDFS erasure coding policy of its files.
    "ERASURE_CODING_POLICY" erasure_coding, set_erasure_coding: String, or_cluster;
});

impl TableDescriptor {
    /// A table with the servers' default settings and no families. Servers refuse to create one without a family.
    pub fn new(name: TableName) -> Self {
        let (attributes, configuration) = (Attributes::new(), Configuration::new());
        Self { name, families: Vec::new(), attributes, configuration }
    }

    /// Its families. Their names are unique.
    pub fn families(&self) -> &[FamilyDescriptor] {
        &self.families
    }

    /// The family with this name.
    pub fn family(&self, name: &FamilyName) -> Option<&FamilyDescriptor> {
        self.families.iter().find(|family| family.name == *name)
    }

    /// Adds or replaces a family.
    pub fn set_family(&mut self, family: FamilyDescriptor) -> &mut Self {
        match self.families.iter_mut().find(|known| known.name == family.name) {
            Some(known) => *known = family,
            None => self.families.push(family),
        }
        self
    }

    /// Removes a family.
    pub fn remove_family(&mut self, name: &FamilyName) -> Option<FamilyDescriptor> {
        let at = self.families.iter().position(|family| family.name == *name)?;
        Some(self.families.remove(at))
    }

    /// The split policy; `None` for the cluster's default. Attribute `SPLIT_POLICY`.
    ///
    /// # Errors
    ///
    /// [`DescriptorError`] if a setting of the policy is missing or invalid.
    pub fn split_policy(&self) -> Result<Option<SplitPolicy>, DescriptorError> {
        SplitPolicy::read(&self.attributes, &self.shown())
    }

    /// Sets or removes `SPLIT_POLICY` and the settings of the policy: [`Self::split_policy`].
    pub fn set_split_policy(&mut self, policy: Option<&SplitPolicy>) -> &mut Self {
        SplitPolicy::write(policy, &mut self.attributes);
        self
    }

    /// Its name in error messages.
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
