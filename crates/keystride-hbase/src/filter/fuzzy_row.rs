//! Row patterns of fixed and free bytes.

use std::fmt;

use bytes::Bytes;

use crate::bytes_text::Escaped;
use crate::proto;

/// A pattern for the start of row keys, of fixed and free bytes.
///
/// The bytes after the pattern are free. A row that is shorter than the pattern matches if all its bytes do.
///
/// ```
/// # use keystride_hbase::{Filter, FuzzyRow};
/// // Keys are user (4 bytes), `_`, action (2 bytes), `_`, year (4 bytes), `_`, month: action 99, any January.
/// let january = FuzzyRow::new().free(4).fixed("_99_").free(4).fixed("_01");
/// assert_eq!(january.len(), 15);
/// let filter = Filter::fuzzy_rows([january]);
/// # let _ = filter;
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct FuzzyRow {
    /// 0 for free bytes.
    bytes: Vec<u8>,
    /// [`FIXED`] or [`FREE`] for each byte.
    mask: Vec<u8>,
}

const FIXED: u8 = 0;
const FREE: u8 = 1;

impl FuzzyRow {
    /// The empty pattern, which matches every row.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends fixed bytes.
    #[must_use]
    pub fn fixed(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.bytes.extend_from_slice(bytes.as_ref());
        self.mask.resize(self.bytes.len(), FIXED);
        self
    }

    /// Appends `count` free bytes.
    #[must_use]
    pub fn free(mut self, count: usize) -> Self {
        self.bytes.resize(self.bytes.len() + count, 0);
        self.mask.resize(self.bytes.len(), FREE);
        self
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it is the empty pattern.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn into_proto(self) -> proto::BytesBytesPair {
        proto::BytesBytesPair { first: Bytes::from(self.bytes), second: Bytes::from(self.mask) }
    }
}

impl fmt::Debug for FuzzyRow {
    /// Shows free bytes as `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FuzzyRow(")?;
        for (byte, &mask) in self.bytes.chunks(1).zip(&self.mask) {
            match mask {
                FREE => f.write_str("?")?,
                _ => write!(f, "{}", Escaped(byte))?,
            }
        }
        f.write_str(")")
    }
}
