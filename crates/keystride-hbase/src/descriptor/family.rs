//! Column families.

use super::attributes::{
    Attributes, Configuration, attributes, attributes_from_proto, attributes_to_proto,
    configuration_from_proto, configuration_to_proto, parse, read, write,
};
use super::{
    BlockEncoding, Bloom, Compression, DescriptorError, IndexEncoding, KeepDeletedCells, MemoryCompaction,
    MobPartition, ReplicationScope,
};
use crate::{FamilyName, proto};

/// A column family: its name and its settings.
///
/// A setting that is not set has the server's default, so a name is enough.
///
/// ```
/// # use keystride_hbase::{Bloom, Compression, FamilyDescriptor, FamilyName};
/// let mut family = FamilyDescriptor::new(FamilyName::new("cf")?);
/// family.set_versions(3).set_ttl_seconds(Some(86_400)).set_compression(Compression::Zstd);
/// family.set_row_prefix_bloom(8);
/// assert_eq!(family.attributes[b"VERSIONS".as_slice()], "3");
/// assert_eq!((family.bloom()?, family.row_prefix_bloom()?), (Bloom::RowPrefixFixedLength, Some(8)));
/// assert_eq!(family.block_bytes()?, 65_536);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyDescriptor {
    /// Its name.
    pub name: FamilyName,
    /// The attributes that are set, by upper-case name; values are text. Known ones have methods.
    pub attributes: Attributes,
    /// Configuration of the region servers for this family.
    pub configuration: Configuration,
}

/// HBase's `TTL` for "never expires", `HConstants.FOREVER`.
const FOREVER: u32 = 2_147_483_647;

const TTL: &str = "TTL";
const BLOOM: &str = "BLOOMFILTER";
const ROW_PREFIX_LENGTH: &str = "RowPrefixBloomFilter.prefix_length";

attributes!(FamilyDescriptor {
    /// How many versions of a column are kept. Servers refuse 0.
    "VERSIONS" versions, set_versions: u32 = 1;
    /// How many versions are kept even after their time to live.
    "MIN_VERSIONS" min_versions, set_min_versions: u32 = 0;
    /// Compression of blocks. The master refuses a codec that it can't load itself.
    "COMPRESSION" compression, set_compression: Compression = Compression::None;
    /// Compression of files written by compactions, if different.
    "COMPRESSION_COMPACT" compaction_compression, set_compaction_compression: Compression, or_cluster;
    /// Compression of files written by major compactions, if different.
    "COMPRESSION_COMPACT_MAJOR" major_compression, set_major_compression: Compression, or_cluster;
    /// Compression of files written by minor compactions, if different.
    "COMPRESSION_COMPACT_MINOR" minor_compression, set_minor_compression: Compression, or_cluster;
    /// Encoding of keys in a data block.
    "DATA_BLOCK_ENCODING" block_encoding, set_block_encoding: BlockEncoding = BlockEncoding::None;
    /// Encoding of keys in an index block. Since HBase 2.6.
    "INDEX_BLOCK_ENCODING" index_encoding, set_index_encoding: IndexEncoding = IndexEncoding::None;
    /// Size of a block in bytes, before compression.
    "BLOCKSIZE" block_bytes, set_block_bytes: u32 = 65_536;
    /// Whether blocks are cached when they are read.
    "BLOCKCACHE" block_cache, set_block_cache: bool = true;
    /// Whether its blocks have the highest priority in the block cache.
    "IN_MEMORY" in_memory, set_in_memory: bool = false;
    /// Compaction of the memstore in memory.
    "IN_MEMORY_COMPACTION" memory_compaction, set_memory_compaction: MemoryCompaction, or_cluster;
    /// What happens to deleted cells.
    "KEEP_DELETED_CELLS" keep_deleted_cells, set_keep_deleted_cells: KeepDeletedCells = KeepDeletedCells::False;
    /// Whether a delete marker hides only cells written before it, whatever their timestamps.
    "NEW_VERSION_BEHAVIOR" new_version_behavior, set_new_version_behavior: bool = false;
    /// Whether changes are replicated to other clusters.
    "REPLICATION_SCOPE" replication_scope, set_replication_scope: ReplicationScope = ReplicationScope::Local;
    /// Whether tags are compressed with the keys.
    "COMPRESS_TAGS" compress_tags, set_compress_tags: bool = true;
    /// Whether data blocks are cached when they are written.
    "CACHE_DATA_ON_WRITE" cache_data_on_write, set_cache_data_on_write: bool = false;
    /// Whether index blocks are cached when they are written.
    "CACHE_INDEX_ON_WRITE" cache_index_on_write, set_cache_index_on_write: bool = false;
    /// Whether bloom filter blocks are cached when they are written.
    "CACHE_BLOOMS_ON_WRITE" cache_blooms_on_write, set_cache_blooms_on_write: bool = false;
    /// Whether blocks are evicted from the cache when their file is closed.
    "EVICT_BLOCKS_ON_CLOSE" evict_blocks_on_close, set_evict_blocks_on_close: bool = false;
    /// Whether a file's blocks are read into the cache when it is opened.
    "PREFETCH_BLOCKS_ON_OPEN" prefetch_blocks_on_open, set_prefetch_blocks_on_open: bool = false;
    /// Whether large values are stored separately, as MOBs.
    "IS_MOB" mob, set_mob: bool = false;
    /// Size in bytes above which a value is stored as a MOB.
    "MOB_THRESHOLD" mob_threshold_bytes, set_mob_threshold_bytes: u64 = 102_400;
    /// The period that one file of compacted MOBs covers.
    "MOB_COMPACT_PARTITION_POLICY" mob_partition, set_mob_partition: MobPartition = MobPartition::Daily;
    /// HDFS replication of its files; 0 for HDFS's default.
    "DFS_REPLICATION" dfs_replication, set_dfs_replication: u16 = 0;
    /// HDFS storage policy of its files: `HOT`, `ONE_SSD`, ...
    "STORAGE_POLICY" storage_policy, set_storage_policy: String, or_cluster;
    /// Cipher for its files, such as `AES`. The key in `ENCRYPTION_KEY` is wrapped by the cluster.
    "ENCRYPTION" encryption, set_encryption: String, or_cluster;
});

impl FamilyDescriptor {
    /// A family with the servers' default settings.
    pub fn new(name: FamilyName) -> Self {
        Self { name, attributes: Attributes::new(), configuration: Configuration::new() }
    }

    /// Time to live: seconds from its timestamp until a cell expires; `None` for never. Attribute `TTL`.
    ///
    /// # Errors
    ///
    /// [`DescriptorError::Setting`] if its value is invalid.
    pub fn ttl_seconds(&self) -> Result<Option<u32>, DescriptorError> {
        Ok(read(&self.attributes, TTL, &self.shown())?.filter(|&seconds| seconds != FOREVER))
    }

    /// Sets `TTL`: [`Self::ttl_seconds`].
    pub fn set_ttl_seconds(&mut self, seconds: Option<u32>) -> &mut Self {
        write(&mut self.attributes, TTL, Some(&seconds.unwrap_or(FOREVER)));
        self
    }

    /// The type of bloom filter in its files. Attribute `BLOOMFILTER`, by default `Bloom::Row`.
    ///
    /// # Errors
    ///
    /// [`DescriptorError::Setting`] if its value is invalid.
    pub fn bloom(&self) -> Result<Bloom, DescriptorError> {
        Ok(read(&self.attributes, BLOOM, &self.shown())?.unwrap_or(Bloom::Row))
    }

    /// Sets `BLOOMFILTER`. A row prefix filter also needs a length: [`Self::set_row_prefix_bloom`] sets both.
    pub fn set_bloom(&mut self, bloom: Bloom) -> &mut Self {
        write(&mut self.attributes, BLOOM, Some(&bloom));
        self
    }

    /// Length in bytes of the row prefixes in the bloom filter; `None` for another type of filter.
    ///
    /// # Errors
    ///
    /// [`DescriptorError`] if the length is missing or invalid.
    pub fn row_prefix_bloom(&self) -> Result<Option<u32>, DescriptorError> {
        if self.bloom()? != Bloom::RowPrefixFixedLength {
            return Ok(None);
        }
        let of = self.shown();
        let Some(text) = self.configuration.get(ROW_PREFIX_LENGTH) else {
            return Err(DescriptorError::Missing { of, name: ROW_PREFIX_LENGTH, needed_by: BLOOM });
        };
        let (name, value) = (ROW_PREFIX_LENGTH.to_owned(), text.clone());
        parse(text).map(Some).map_err(|reason| DescriptorError::Setting { of, name, value, reason })
    }

    /// Sets a bloom filter of row prefixes of 1 to 127 bytes: the attribute `BLOOMFILTER`, and
    /// `RowPrefixBloomFilter.prefix_length` in the configuration.
    pub fn set_row_prefix_bloom(&mut self, length: u32) -> &mut Self {
        self.configuration.insert(ROW_PREFIX_LENGTH.to_owned(), length.to_string());
        self.set_bloom(Bloom::RowPrefixFixedLength)
    }

    /// Its name in error messages.
    fn shown(&self) -> String {
        format!("family {}", self.name)
    }

    pub(crate) fn to_proto(&self) -> proto::ColumnFamilySchema {
        proto::ColumnFamilySchema {
            name: self.name.as_bytes().to_vec().into(),
            attributes: attributes_to_proto(&self.attributes),
            configuration: configuration_to_proto(&self.configuration),
        }
    }

    pub(crate) fn from_proto(schema: proto::ColumnFamilySchema) -> Result<Self, DescriptorError> {
        Ok(Self {
            name: FamilyName::from_bytes(&schema.name)?,
            attributes: attributes_from_proto(schema.attributes),
            configuration: configuration_from_proto(schema.configuration),
        })
    }
}
