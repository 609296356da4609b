//! Types of cells, and the timestamp that stands for the server's time.

/// The timestamp that a server replaces: on a write by its clock, on a [`CellKind::Delete`] by the timestamp of the
/// newest version.
///
/// HBase's `HConstants.LATEST_TIMESTAMP`, Java's `Long.MAX_VALUE`.
pub const LATEST: i64 = i64::MAX;

/// The type of a cell: a value, or one of HBase's four delete markers. The number is HBase's type code.
///
/// A delete marker also hides cells written after it, until a major compaction removes both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CellKind {
    /// A value.
    Put = 4,
    /// Hides the version of a column with exactly this timestamp.
    Delete = 8,
    /// Hides all columns of the family with exactly this timestamp. The qualifier is empty.
    DeleteFamilyVersion = 10,
    /// Hides all versions of a column up to this timestamp.
    DeleteColumn = 12,
    /// Hides all columns of the family up to this timestamp. The qualifier is empty.
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

    /// The type with HBase's type code `code`. `None` for codes that are never sent.
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

    /// Whether it is a delete marker.
    pub fn is_delete(self) -> bool {
        self != Self::Put
    }

    /// Whether it applies to a whole family, so that the qualifier is empty.
    pub fn is_of_family(self) -> bool {
        matches!(self, Self::DeleteFamily | Self::DeleteFamilyVersion)
    }
}
