//! Attributes whose values are words.

use std::fmt;
use std::str::FromStr;

/// Text that is none of an attribute's values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is none of {allowed:?}")]
pub struct UnknownWord {
    /// The text.
    pub found: String,
    /// What would do.
    pub allowed: &'static [&'static str],
}

/// An attribute whose values are words: the enum, and the words HBase writes for it.
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
    /// How a family's blocks are compressed, by HBase's names.
    Compression {
        /// Not at all.
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
    /// What a family's bloom filters are made of.
    Bloom {
        /// No filter.
        None = "NONE",
        /// Row keys.
        Row = "ROW",
        /// Row keys and qualifiers.
        RowCol = "ROWCOL",
        /// The first bytes of row keys.
        RowPrefixFixedLength = "ROWPREFIX_FIXED_LENGTH",
    }
);

words!(
    /// How keys are packed inside a block.
    BlockEncoding {
        /// Each in full.
        None = "NONE",
        /// Without the bytes shared with the key before.
        Prefix = "PREFIX",
        /// Differences to the key before.
        Diff = "DIFF",
        /// Like `DIFF`, faster.
        FastDiff = "FAST_DIFF",
        /// In full, with an index of rows.
        RowIndexV1 = "ROW_INDEX_V1",
    }
);

words!(
    /// What becomes of deleted cells.
    KeepDeletedCells {
        /// They go.
        False = "FALSE",
        /// They stay readable through time ranges.
        True = "TRUE",
        /// They stay until their time to live is over.
        Ttl = "TTL",
    }
);

words!(
    /// How keys are packed inside a block of an index.
    IndexEncoding {
        /// Each in full.
        None = "NONE",
        /// As a tree of prefixes.
        PrefixTree = "PREFIX_TREE",
    }
);

words!(
    /// How cells are packed while still in memory.
    MemoryCompaction {
        /// Not at all.
        None = "NONE",
        /// Their index is made flat.
        Basic = "BASIC",
        /// The same, and versions that are no longer visible go.
        Eager = "EAGER",
        /// As much as the server finds worth it.
        Adaptive = "ADAPTIVE",
    }
);

words!(
    /// Where what is written goes.
    ReplicationScope {
        /// Nowhere else.
        Local = "0",
        /// To the clusters that are peers of this one.
        Global = "1",
    }
);

words!(
    /// How long a time one file of compacted MOBs covers.
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
    /// What a server does before it says that something is written to a table, where the write itself does not say.
    TableDurability {
        /// As the cluster does by default: mostly `SyncWal`.
        ClusterDefault = "USE_DEFAULT",
        /// It keeps it in memory alone: lost with the server.
        SkipWal = "SKIP_WAL",
        /// It will write the log soon.
        AsyncWal = "ASYNC_WAL",
        /// It gives the log to the file system.
        SyncWal = "SYNC_WAL",
        /// It forces the log to disk.
        FsyncWal = "FSYNC_WAL",
    }
);
