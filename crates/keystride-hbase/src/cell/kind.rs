//! Kinds of cells, and the timestamp that leaves the time to the server.

/// The timestamp that asks the server for its own: on a write it becomes the server's clock, on
/// a [`CellKind::Delete`] the newest version there is.
///
/// HBase's `HConstants.LATEST_TIMESTAMP`, Java's `Long.MAX_VALUE`.
pub const LATEST: i64 = i64::MAX;

/// A value, or one of HBase's four marks that hide values. The number is HBase's type code.
///
/// A mark hides what it covers even when that is written after it, until HBase's major compaction removes both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CellKind {
    /// A value.
    Put = 4,
    /// Hides the one version of a column that has exactly this timestamp.
    Delete = 8,
    /// Hides every column of the family at exactly this timestamp; its qualifier is empty.
    DeleteFamilyVersion = 10,
    /// Hides all versions of a column up to this timestamp.
    DeleteColumn = 12,
    /// Hides all columns of the family up to this timestamp; its qualifier is empty.
    DeleteFamily = 14,
}

impl CellKind {
    /// HBase's type code.
    ///
    /// ```
    /// # use keystride_hbase::CellKind;
    /// assert_eq!(CellKind::DeleteColumn.code(), 12);
    /// ```
    #[inline]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind with HBase's type code `code`; `None` for codes that never come over the wire.
    #[inline]
    pub fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            4 => Self::Put,
            8 => Self::Delete,
            10 => Self::DeleteFamilyVersion,
            12 => Self::DeleteColumn,
            14 => Self::DeleteFamily,
            _ => return None,
        })
    }

    /// Whether it hides values instead of holding one.
    pub fn is_delete(self) -> bool {
        self != Self::Put
    }

    /// Whether it speaks of a whole family, so that it has no qualifier.
    pub fn is_of_family(self) -> bool {
        matches!(self, Self::DeleteFamily | Self::DeleteFamilyVersion)
    }
}
