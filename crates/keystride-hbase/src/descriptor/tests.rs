//! Descriptors on the wire: field values, and lossless round trips.

use bytes::Bytes;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use prost::Message;

use super::*;
use crate::{FamilyName, TableName, proto};

fn family(name: &str) -> FamilyDescriptor {
    FamilyDescriptor::new(FamilyName::new(name).unwrap())
}

fn table() -> TableDescriptor {
    TableDescriptor::new(TableName::new("ns:t").unwrap())
}

fn shown(attributes: &std::collections::BTreeMap<Bytes, Bytes>) -> String {
    let text = |bytes| str::from_utf8(bytes).unwrap();
    let pairs: Vec<_> =
        attributes.iter().map(|(name, value)| format!("{}={}", text(name), text(value))).collect();
    pairs.join(" ")
}

#[test]
fn nothing_set_is_hbases_defaults() {
    let family = family("cf");
    assert_eq!((family.versions(), family.min_versions(), family.ttl_seconds()), (Ok(1), Ok(0), Ok(None)));
    assert_eq!((family.compression(), family.bloom()), (Ok(Compression::None), Ok(Bloom::Row)));
    assert_eq!((family.block_encoding(), family.block_bytes()), (Ok(BlockEncoding::None), Ok(65_536)));
    assert_eq!(
        (family.block_cache(), family.in_memory(), family.compress_tags()),
        (Ok(true), Ok(false), Ok(true))
    );
    assert_eq!(family.replication_scope(), Ok(ReplicationScope::Local));
    assert_eq!((family.memory_compaction(), family.storage_policy()), (Ok(None), Ok(None)));
    let table = table();
    assert_eq!((table.split_policy(), table.max_file_bytes()), (Ok(None), Ok(None)));
    assert_eq!(
        (table.durability(), table.region_replication()),
        (Ok(TableDurability::ClusterDefault), Ok(1))
    );
    assert_eq!((table.read_only(), table.split_enabled()), (Ok(false), Ok(true)));
    let minimal = proto::ColumnFamilySchema { name: Bytes::from_static(b"cf"), ..Default::default() };
    assert_eq!(family.to_proto(), minimal);
}

#[test]
fn attributes_of_families_are_text_under_hbases_names() {
    let mut family = family("cf");
    family.set_versions(3).set_min_versions(1).set_ttl_seconds(Some(60)).set_compression(Compression::Gz);
    family.set_bloom(Bloom::RowCol).set_block_encoding(BlockEncoding::FastDiff).set_block_bytes(8_192);
    family.set_block_cache(false).set_in_memory(true).set_keep_deleted_cells(KeepDeletedCells::Ttl);
    family.set_replication_scope(ReplicationScope::Global).set_mob(true).set_mob_threshold_bytes(10);
    family.set_memory_compaction(Some(MemoryCompaction::Eager)).set_dfs_replication(2);
    family.set_mob_partition(MobPartition::Weekly).set_storage_policy(Some("ONE_SSD".into()));
    assert_eq!(
        shown(&family.attributes),
        "BLOCKCACHE=false BLOCKSIZE=8192 BLOOMFILTER=ROWCOL COMPRESSION=GZ DATA_BLOCK_ENCODING=FAST_DIFF \
         DFS_REPLICATION=2 IN_MEMORY=true IN_MEMORY_COMPACTION=EAGER IS_MOB=true KEEP_DELETED_CELLS=TTL \
         MIN_VERSIONS=1 MOB_COMPACT_PARTITION_POLICY=WEEKLY MOB_THRESHOLD=10 REPLICATION_SCOPE=1 \
         STORAGE_POLICY=ONE_SSD TTL=60 VERSIONS=3"
    );
    assert_eq!((family.versions(), family.ttl_seconds()), (Ok(3), Ok(Some(60))));
    assert_eq!((family.block_encoding(), family.mob()), (Ok(BlockEncoding::FastDiff), Ok(true)));
    family.set_ttl_seconds(None).set_storage_policy(None);
    assert_eq!(
        (family.ttl_seconds(), family.attributes[b"TTL".as_slice()].as_ref()),
        (Ok(None), &b"2147483647"[..])
    );
    assert!(!family.attributes.contains_key(b"STORAGE_POLICY".as_slice()));
}

#[test]
fn attributes_of_tables_are_text_under_hbases_names() {
    let mut table = table();
    table.set_max_file_bytes(Some(1 << 30)).set_memstore_flush_bytes(Some(1 << 27)).set_read_only(true);
    table.set_durability(TableDurability::AsyncWal).set_split_enabled(false).set_merge_enabled(false);
    table.set_region_replication(2).set_normalization_enabled(Some(true)).set_priority(10);
    table.set_normalizer_region_mib(Some(512)).set_compaction_enabled(false);
    assert_eq!(
        shown(&table.attributes),
        "COMPACTION_ENABLED=false DURABILITY=ASYNC_WAL MAX_FILESIZE=1073741824 MEMSTORE_FLUSHSIZE=134217728 \
         MERGE_ENABLED=false NORMALIZATION_ENABLED=true NORMALIZER_TARGET_REGION_SIZE_MB=512 PRIORITY=10 \
         READONLY=true REGION_REPLICATION=2 SPLIT_ENABLED=false"
    );
    assert_eq!((table.durability(), table.priority()), (Ok(TableDurability::AsyncWal), Ok(10)));
}

#[test]
fn words_are_read_in_any_case() {
    let mut family = family("cf");
    family.attributes.insert("COMPRESSION".into(), "snappy".into());
    family.attributes.insert("IN_MEMORY".into(), "TRUE".into());
    assert_eq!((family.compression(), family.in_memory()), (Ok(Compression::Snappy), Ok(true)));
}

#[test]
fn an_invalid_value_is_an_error_that_says_where() {
    let mut family = family("cf");
    family.attributes.insert("VERSIONS".into(), "many".into());
    family.attributes.insert("COMPRESSION".into(), Bytes::from_static(b"\xff"));
    let text = family.versions().unwrap_err().to_string();
    assert_eq!(text, "VERSIONS of family cf can't be \"many\": invalid digit found in string");
    assert!(matches!(family.compression(), Err(DescriptorError::Setting { .. })));
    assert_eq!(family.block_bytes(), Ok(65_536));
}

#[test]
fn a_bloom_filter_of_prefixes_has_its_length_in_the_configuration() {
    let mut family = family("cf");
    assert_eq!(family.row_prefix_bloom(), Ok(None));
    family.set_row_prefix_bloom(8);
    assert_eq!(shown(&family.attributes), "BLOOMFILTER=ROWPREFIX_FIXED_LENGTH");
    assert_eq!(family.configuration["RowPrefixBloomFilter.prefix_length"], "8");
    assert_eq!(family.row_prefix_bloom(), Ok(Some(8)));
    family.configuration.clear();
    assert!(matches!(family.row_prefix_bloom(), Err(DescriptorError::Missing { .. })));
}

#[test]
fn split_policies_bring_what_they_need_and_take_it_with_them() {
    let package = "SPLIT_POLICY=org.apache.hadoop.hbase.regionserver.";
    let cases = [
        (SplitPolicy::Disabled, "DisabledRegionSplitPolicy"),
        (SplitPolicy::ConstantSize, "ConstantSizeRegionSplitPolicy"),
        (SplitPolicy::IncreasingToUpperBound, "IncreasingToUpperBoundRegionSplitPolicy"),
        (SplitPolicy::Stepping, "SteppingSplitPolicy"),
        (SplitPolicy::Busy, "BusyRegionSplitPolicy"),
    ];
    let mut table = table();
    for (policy, class) in cases {
        table.set_split_policy(Some(&policy));
        assert_eq!(shown(&table.attributes), format!("{package}{class}"));
        assert_eq!(table.split_policy(), Ok(Some(policy)));
    }
    let policies = [
        SplitPolicy::KeyPrefix { length: 4 },
        SplitPolicy::DelimitedKeyPrefix { delimiter: "|".into() },
        SplitPolicy::Other("com.example.Mine".into()),
    ];
    for policy in policies {
        table.set_split_policy(Some(&policy));
        assert_eq!(table.split_policy(), Ok(Some(policy)));
    }
    assert_eq!(shown(&table.attributes), "SPLIT_POLICY=com.example.Mine");
    table.set_split_policy(Some(&SplitPolicy::KeyPrefix { length: 4 }));
    table.attributes.remove(b"KeyPrefixRegionSplitPolicy.prefix_length".as_slice());
    assert!(matches!(table.split_policy(), Err(DescriptorError::Missing { .. })));
    table.set_split_policy(None);
    assert!(table.attributes.is_empty());
}

#[test]
fn a_family_is_set_once() {
    let mut table = table();
    let mut changed = family("a");
    changed.set_versions(2);
    table.set_family(family("a")).set_family(family("b")).set_family(changed.clone());
    assert_eq!(table.families(), [changed.clone(), family("b")]);
    assert_eq!((table.family(&changed.name), table.families().len()), (Some(&changed), 2));
    assert_eq!(table.remove_family(&changed.name), Some(changed.clone()));
    assert_eq!(table.remove_family(&changed.name), None);
}

#[test]
fn what_can_not_be_read_is_an_error() {
    let schema = table().to_proto();
    let nameless = proto::TableSchema { table_name: None, ..schema.clone() };
    let missing = DescriptorError::Incomplete { what: "table descriptor", part: "name" };
    assert_eq!(TableDescriptor::from_proto(nameless), Err(missing));
    for name in [b"\xff".as_slice(), b"a:b", b""] {
        let family = proto::ColumnFamilySchema { name: Bytes::from_static(name), ..Default::default() };
        let schema = proto::TableSchema { column_families: vec![family], ..schema.clone() };
        assert!(matches!(TableDescriptor::from_proto(schema), Err(DescriptorError::Name(_))), "{name:?}");
    }
    let twice = vec![family("a").to_proto(), family("a").to_proto()];
    let error = TableDescriptor::from_proto(proto::TableSchema { column_families: twice, ..schema });
    assert!(matches!(error, Err(DescriptorError::FamilyTwice { .. })), "{error:?}");
}

#[test]
fn a_table_is_these_fields() {
    let mut table = table();
    table.set_family(family("cf")).set_read_only(true);
    table.configuration.insert("k".into(), "v".into());
    let pair = proto::BytesBytesPair { first: "READONLY".into(), second: "true".into() };
    let expected = proto::TableSchema {
        table_name: Some(proto::TableName { namespace: "ns".into(), qualifier: "t".into() }),
        attributes: vec![pair],
        column_families: vec![proto::ColumnFamilySchema { name: "cf".into(), ..Default::default() }],
        configuration: vec![proto::NameStringPair { name: "k".into(), value: "v".into() }],
    };
    let bytes = table.to_proto().encode_to_vec();
    assert_eq!(proto::TableSchema::decode(bytes.as_slice()).unwrap(), expected);
}

#[test]
fn a_namespace_travels_whole() {
    let mut namespace = NamespaceDescriptor::new("ops").unwrap();
    namespace.configuration.insert("k".into(), "v".into());
    let bytes = namespace.to_proto().encode_to_vec();
    let read = proto::NamespaceDescriptor::decode(bytes.as_slice()).unwrap();
    assert_eq!(read.name, "ops");
    assert_eq!(NamespaceDescriptor::from_proto(read), Ok(namespace));
    let not_text =
        proto::NamespaceDescriptor { name: Bytes::from_static(b"\xff"), configuration: Vec::new() };
    assert!(NamespaceDescriptor::from_proto(not_text).is_err());
}

#[test]
fn a_snapshot_travels_whole() {
    let asked = SnapshotDescriptor::new("s-1", TableName::new("ns:t").unwrap()).unwrap();
    let message = proto::SnapshotDescription {
        name: "s-1".into(),
        table: Some("ns:t".into()),
        r#type: Some(1),
        ..Default::default()
    };
    assert_eq!(asked.to_proto(), message);
    for (kind, code) in [(SnapshotKind::Disabled, 0), (SnapshotKind::Flush, 1), (SnapshotKind::SkipFlush, 2)]
    {
        let mut snapshot = asked.clone();
        snapshot.kind = kind;
        (snapshot.created_ms, snapshot.ttl_seconds) = (Some(1_400_657_685_457), Some(60));
        (snapshot.owner, snapshot.version) = (Some("ada".into()), Some(2));
        snapshot.max_file_bytes = Some(1 << 30);
        let read =
            proto::SnapshotDescription::decode(snapshot.to_proto().encode_to_vec().as_slice()).unwrap();
        assert_eq!((read.r#type, read.ttl), (Some(code), Some(60)));
        assert_eq!(SnapshotDescriptor::from_proto(read), Ok(snapshot));
    }
    let unset = proto::SnapshotDescription { creation_time: Some(0), ttl: Some(-1), ..message.clone() };
    assert_eq!(SnapshotDescriptor::from_proto(unset), Ok(asked));
    let odd = proto::SnapshotDescription { r#type: Some(9), ..message.clone() };
    assert!(matches!(
        SnapshotDescriptor::from_proto(odd),
        Err(DescriptorError::SnapshotKind { code: 9, .. })
    ));
    assert!(SnapshotDescriptor::from_proto(proto::SnapshotDescription { table: None, ..message }).is_err());
    assert!(SnapshotDescriptor::new("ns:s", TableName::new("t").unwrap()).is_err());
}

prop_compose! {
    fn any_pairs()(pairs in btree_map(vec(any::<u8>(), 0..8), vec(any::<u8>(), 0..8), 0..6))
        -> Vec<proto::BytesBytesPair> {
        let pair = |(first, second): (Vec<u8>, Vec<u8>)| {
            proto::BytesBytesPair { first: first.into(), second: second.into() }
        };
        pairs.into_iter().map(pair).collect()
    }
}

prop_compose! {
    fn any_configuration()(pairs in btree_map(any::<String>(), any::<String>(), 0..4))
        -> Vec<proto::NameStringPair> {
        pairs.into_iter().map(|(name, value)| proto::NameStringPair { name, value }).collect()
    }
}

prop_compose! {
    fn any_schema()(
        qualifier in "[a-z][a-z0-9._-]{0,10}",
        attributes in any_pairs(),
        configuration in any_configuration(),
        families in btree_map("[a-z]{1,9}", (any_pairs(), any_configuration()), 0..4),
    ) -> proto::TableSchema {
        let family = |(name, (attributes, configuration)): (String, _)| {
            proto::ColumnFamilySchema { name: name.into(), attributes, configuration }
        };
        proto::TableSchema {
            table_name: Some(proto::TableName { namespace: "ns".into(), qualifier: qualifier.into() }),
            attributes,
            column_families: families.into_iter().map(family).collect(),
            configuration,
        }
    }
}

proptest! {
    #[test]
    fn what_a_server_sends_goes_back_unchanged(schema in any_schema()) {
        let table = TableDescriptor::from_proto(schema.clone()).unwrap();
        let bytes = table.to_proto().encode_to_vec();
        let read = proto::TableSchema::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(&read, &schema);
        prop_assert_eq!(TableDescriptor::from_proto(read).unwrap(), table);
    }

    #[test]
    fn no_descriptor_makes_it_panic(bytes in vec(any::<u8>(), 0..64)) {
        if let Ok(schema) = proto::TableSchema::decode(bytes.as_slice()) {
            let _ = TableDescriptor::from_proto(schema);
        }
    }
}
