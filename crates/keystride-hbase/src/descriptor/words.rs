//! Attributes with a fixed set of values.

use std::fmt;
use std::str::FromStr;

/// Text that is not one of an attribute's values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not one of {allowed:?}")]
pub struct UnknownWord {
    /// The text.
    pub found: String,
    /// The allowed values.
    pub allowed: &'static [&'static str],
}

/// Defines an enum for an attribute, with HBase's word for each variant.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $word,)+ })
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(UnknownWord { found: word.into(), allowed: &[$($word),+] }),
                }
            }
        }
    };
}

words!(
    /// Compression of a family's blocks, by HBase's names.
    Compression {
        /// No compression.
        None = "NONE",
        /// Gzip.
        Gz = "GZ",
        /// Snappy.
        Snappy = "SNAPPY",
        /// LZ4.
        Lz4 = "LZ4",
        /// LZO.
        Lzo = "LZO",
        /// Zstandard.
        Zstd = "ZSTD",
        /// Bzip2.
        Bzip2 = "BZIP2",
        /// LZMA, from HBase 2.5 on.
        Lzma = "LZMA",
        /// Brotli, from HBase 2.5 on.
        Brotli = "BROTLI",
    }
);

words!(
    /// What a family's bloom filters contain.
    Bloom {
        /// No bloom filter.
        None = "NONE",
        /// Row keys.
        Row = "ROW",
        /// Row keys and qualifiers.
        RowCol = "ROWCOL",
        /// A prefix of the row key.
        RowPrefixFixedLength = "ROWPREFIX_FIXED_LENGTH",
    }
);

words!(
    /// Encoding of keys in a block.
    BlockEncoding {
        /// No encoding.
        None = "NONE",
        /// Leaves out the prefix shared with the previous key.
        Prefix = "PREFIX",
        /// Stores the difference to the previous key.
        Diff = "DIFF",
        /// Like `DIFF`, but faster.
        FastDiff = "FAST_DIFF",
        /// No encoding, with an index of rows.
        RowIndexV1 = "ROW_INDEX_V1",
    }
);

words!(
    /// What happens to deleted cells.
    KeepDeletedCells {
        /// Compactions remove them.
        False = "FALSE",
        /// They are kept and can be read with time ranges.
        True = "TRUE",
        /// They are kept until their time to live.
        Ttl = "TTL",
    }
);

words!(
    /// Encoding of keys in an index block.
    IndexEncoding {
        /// No encoding.
        None = "NONE",
        /// A tree of prefixes.
        PrefixTree = "PREFIX_TREE",
    }
);

words!(
    /// Compaction of the memstore in memory.
    MemoryCompaction {
        /// No in-memory compaction.
        None = "NONE",
        /// Flattens the index.
        Basic = "BASIC",
        /// Also removes versions that are not visible.
        Eager = "EAGER",
        /// The server decides how much is worthwhile.
        Adaptive = "ADAPTIVE",
    }
);

words!(
    /// Where changes are replicated to.
    ReplicationScope {
        /// Not replicated.
        Local = "0",
        /// Replicated to this cluster's peers.
        Global = "1",
    }
);

words!(
    /// The period that one file of compacted MOBs covers.
    MobPartition {
        /// A day.
        Daily = "DAILY",
        /// A week.
        Weekly = "WEEKLY",
        /// A month.
        Monthly = "MONTHLY",
    }
);

words!(
    /// When a server acknowledges writes to a table, unless the write itself says.
    TableDurability {
        /// The cluster's default, usually `SyncWal`.
        ClusterDefault = "USE_DEFAULT",
        /// Does not write the WAL; changes are lost if the server crashes.
        SkipWal = "SKIP_WAL",
        /// Writes the WAL asynchronously, after acknowledging.
        AsyncWal = "ASYNC_WAL",
        /// Writes the WAL to the file system before acknowledging.
        SyncWal = "SYNC_WAL",
        /// Writes the WAL and forces it to disk before acknowledging.
        FsyncWal = "FSYNC_WAL",
    }
);
