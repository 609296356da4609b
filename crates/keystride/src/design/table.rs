//! `[table]`: the name, the families, and what two rows with the same key mean.

use super::measure::{read_bytes_count, read_seconds};
use super::problem::Problem;
use super::raw::{Kind, Node};
use super::reader::{Complaints, Spanned, TableReader, read_text};

/// The contents of `[table]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSpec {
    /// `qualifier` or `namespace:qualifier`.
    pub name: String,
    /// The families, at least one.
    pub families: Vec<Family>,
    /// What two different rows with the same key mean; `None` for the store's default.
    pub on_same_key: Option<OnSameKey>,
}

/// What two different rows with the same key mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnSameKey {
    /// The later one is rejected, and reported with the line of the earlier one.
    Error,
    /// The later one wins, and the number of such rows is reported.
    Replace,
}

/// A column family with HBase's attributes; those not given have HBase's defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// Printable, without `:` or `/`.
    pub name: String,
    /// The number of versions kept per cell.
    pub versions: u32,
    /// The time to live of a cell, in seconds; `None` for no limit.
    pub ttl_s: Option<u32>,
    /// Block compression.
    pub compression: Compression,
    /// Bloom filter.
    pub bloom: Bloom,
    /// Data block encoding.
    pub encoding: BlockEncoding,
    /// The size of a block, in bytes.
    pub block_bytes: u32,
    /// Whether its blocks are kept in memory in preference to others.
    pub in_memory: bool,
}

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal / $hbase:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            pub(crate) const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)*];

            /// Its word in a design file.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Returns HBase's name of it.
            pub fn hbase_name(self) -> &'static str {
                match self { $(Self::$variant => $hbase,)* }
            }
        }
    };
}

names! {
    /// Block compression.
    Compression {
        /// None.
        None = "none" / "NONE",
        /// gzip.
        Gz = "gz" / "GZ",
        /// Snappy.
        Snappy = "snappy" / "SNAPPY",
        /// LZ4.
        Lz4 = "lz4" / "LZ4",
        /// LZO.
        Lzo = "lzo" / "LZO",
        /// Zstandard.
        Zstd = "zstd" / "ZSTD",
        /// bzip2.
        Bzip2 = "bzip2" / "BZIP2",
        /// LZMA.
        Lzma = "lzma" / "LZMA",
        /// Brotli.
        Brotli = "brotli" / "BROTLI",
    }
}

names! {
    /// Bloom filter.
    Bloom {
        /// None.
        None = "none" / "NONE",
        /// Of row keys.
        Row = "row" / "ROW",
        /// Of row keys and qualifiers.
        RowCol = "rowcol" / "ROWCOL",
    }
}

names! {
    /// Data block encoding.
    BlockEncoding {
        /// None.
        None = "none" / "NONE",
        /// Shared prefixes left out.
        Prefix = "prefix" / "PREFIX",
        /// Differences.
        Diff = "diff" / "DIFF",
        /// Differences, faster.
        FastDiff = "fast-diff" / "FAST_DIFF",
        /// An index of rows in each block.
        RowIndexV1 = "row-index-v1" / "ROW_INDEX_V1",
    }
}

const ON_SAME_KEY: [(&str, OnSameKey); 2] = [("error", OnSameKey::Error), ("replace", OnSameKey::Replace)];

impl OnSameKey {
    /// Returns its word in a design file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Replace => "replace",
        }
    }
}

impl Family {
    /// Creates a family with HBase's defaults.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            versions: 1,
            ttl_s: None,
            compression: Compression::None,
            bloom: Bloom::Row,
            encoding: BlockEncoding::None,
            block_bytes: 65_536,
            in_memory: false,
        }
    }
}

impl Family {
    /// Returns HBase's attributes that are not at their defaults, in the form that its shell and its protocol use.
    pub fn hbase_attributes(&self) -> Vec<(&'static str, String)> {
        let plain = Self::new("");
        let mut words = Vec::new();
        words.extend((self.versions != plain.versions).then(|| ("VERSIONS", self.versions.to_string())));
        words.extend(self.ttl_s.map(|seconds| ("TTL", seconds.to_string())));
        let compressed = self.compression != plain.compression;
        words.extend(compressed.then(|| ("COMPRESSION", self.compression.hbase_name().to_owned())));
        words
            .extend((self.bloom != plain.bloom).then(|| ("BLOOMFILTER", self.bloom.hbase_name().to_owned())));
        let encoded = self.encoding != plain.encoding;
        words.extend(encoded.then(|| ("DATA_BLOCK_ENCODING", self.encoding.hbase_name().to_owned())));
        words.extend(
            (self.block_bytes != plain.block_bytes).then(|| ("BLOCKSIZE", self.block_bytes.to_string())),
        );
        words.extend(self.in_memory.then(|| ("IN_MEMORY", "true".to_owned())));
        words
    }
}

pub(crate) fn read_table(mut table: TableReader<'_>, complaints: &mut Complaints) -> Option<TableSpec> {
    let name = table.text("name", complaints);
    if !table.has("name") {
        table.missing("name", "name = \"calls\"", complaints);
    }
    if let Some(name) = &name
        && let Err(InvalidTableName { found, expected }) = check_table_name(&name.value)
    {
        let found = format!("table name \"{found}\"");
        table.complain(complaints, "name", Problem::BadValue { found, expected: expected.to_owned() });
    }
    let families = read_families(&mut table, complaints);
    let on_same_key = table.choice("on_same_key", "rule", &ON_SAME_KEY, complaints);
    table.finish(complaints);
    Some(TableSpec { name: name?.value, families: families?, on_same_key })
}

/// A table's name that HBase does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("table name \"{found}\": expected {expected}")]
pub struct InvalidTableName {
    /// The name found.
    pub found: String,
    /// What HBase requires that the name does not meet.
    pub expected: &'static str,
}

/// Checks a table's name as HBase does.
pub(super) fn check_table_name(name: &str) -> Result<(), InvalidTableName> {
    let (namespace, qualifier) = name.split_once(':').unwrap_or(("default", name));
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let expected = if namespace.is_empty() || !namespace.chars().all(word) {
        "a namespace of letters, digits and _"
    } else if qualifier.is_empty() || !qualifier.chars().all(|c| word(c) || c == '-' || c == '.') {
        "letters, digits, _, - and ."
    } else if qualifier.starts_with(['-', '.']) {
        "a name that does not begin with - or ."
    } else if qualifier == "zookeeper" {
        "a name other than zookeeper, which HBase keeps for itself"
    } else {
        return Ok(());
    };
    Err(InvalidTableName { found: name.to_owned(), expected })
}

fn read_families(table: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<Vec<Family>> {
    let path = table.path_of("families");
    let Some(node) = table.node("families") else {
        table.missing("families", "families = [\"f\"]", complaints);
        return None;
    };
    let families: Vec<Family> = match &node.kind {
        Kind::Array(items) => items
            .iter()
            .filter_map(|item| read_text(item, &path, complaints))
            .map(|name| named(&name))
            .collect(),
        Kind::Table(_) => {
            let list = TableReader::open(node, path.clone(), complaints)?;
            let read = |entry: &super::raw::Entry| {
                read_family(&entry.word, &entry.value, list.path_of(&entry.word), complaints)
            };
            list.entries().iter().filter_map(read).collect()
        }
        _ => {
            super::reader::wrong_kind(node, "a list of names, or families.f = { … }", &path, complaints);
            return None;
        }
    };
    check_families(&families, node, &path, complaints);
    (!families.is_empty()).then_some(families)
}

fn named(name: &Spanned<String>) -> Family {
    Family::new(name.value.clone())
}

/// What HBase takes for the name of a family.
const FAMILY_NAME: &str =
    "1 to 127 printable bytes without :, / and \\, not beginning with a dot, other than recovered.edits";

fn check_families(families: &[Family], node: &Node, path: &str, complaints: &mut Complaints) {
    if families.is_empty() {
        let what = "a table has at least one family".to_owned();
        complaints.add(&node.span, path, Problem::Rule { what, help: "write families = [\"f\"]" });
    }
    for (index, family) in families.iter().enumerate() {
        let name = &family.name;
        if families[..index].iter().any(|before| before.name == *name) {
            complaints.add(&node.span, path, Problem::Twice { what: "family", name: name.clone() });
        }
        let printable = name.chars().all(|c| !c.is_control() && !matches!(c, ':' | '/' | '\\'));
        if name.is_empty()
            || name.len() > 127
            || !printable
            || name.starts_with('.')
            || name == "recovered.edits"
        {
            let found = format!("family \"{name}\"");
            let expected = FAMILY_NAME.to_owned();
            complaints.add(&node.span, path, Problem::BadValue { found, expected });
        }
    }
}

/// HBase keeps these numbers as Java's int.
fn java_int(
    table: &TableReader<'_>,
    word: &'static str,
    number: u64,
    unit: &str,
    complaints: &mut Complaints,
) -> Option<u32> {
    let fitting = i32::try_from(number).ok().and_then(|number| u32::try_from(number).ok());
    if fitting.is_none() {
        let (found, expected) = (format!("{number} {unit}"), format!("at most {} {unit}", i32::MAX));
        table.complain(complaints, word, Problem::BadValue { found, expected });
    }
    fitting
}

fn read_family(name: &str, node: &Node, path: String, complaints: &mut Complaints) -> Option<Family> {
    let mut table = TableReader::open(node, path, complaints)?;
    let plain = Family::new(name);
    let versions = table.int("versions", 1, i32::MAX.into(), complaints);
    let family = Family {
        versions: versions.and_then(|n| u32::try_from(n.value).ok()).unwrap_or(plain.versions),
        ttl_s: read_seconds(&mut table, "ttl", complaints)
            .and_then(|seconds| java_int(&table, "ttl", seconds, "seconds", complaints)),
        compression: table
            .choice("compression", "compression", Compression::WORDS, complaints)
            .unwrap_or(plain.compression),
        bloom: table.choice("bloom", "Bloom filter", Bloom::WORDS, complaints).unwrap_or(plain.bloom),
        encoding: table
            .choice("encoding", "block encoding", BlockEncoding::WORDS, complaints)
            .unwrap_or(plain.encoding),
        block_bytes: read_bytes_count(&mut table, "block_size", complaints)
            .and_then(|bytes| java_int(&table, "block_size", bytes, "bytes", complaints))
            .unwrap_or(plain.block_bytes),
        in_memory: table.bool("in_memory", complaints).unwrap_or(false),
        ..plain
    };
    table.finish(complaints);
    Some(family)
}
