//! One cell, and the order cells have inside a row.

use std::cmp::Ordering;

/// The timestamp that asks the store for its own: on a write it becomes the store's clock, on
/// [`MutationBatch::delete`](crate::MutationBatch::delete) the newest version there is.
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

/// A cell of a row, borrowed from the batch that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    /// Name of the column family.
    pub family: &'a [u8],
    /// Name of the column in its family; may be empty.
    pub qualifier: &'a [u8],
    /// Milliseconds since 1970 by convention, never negative; [`LATEST`] only on the way in.
    pub ts: i64,
    /// Value or mark.
    pub kind: CellKind,
    /// The value; empty for a mark.
    pub value: &'a [u8],
}

impl CellKind {
    /// HBase's type code.
    ///
    /// ```
    /// # use keystride_store::CellKind;
    /// assert_eq!(CellKind::DeleteColumn.code(), 12);
    /// ```
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind with HBase's type code `code`; `None` for codes that never come over the wire.
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::Put, Self::Delete, Self::DeleteFamilyVersion, Self::DeleteColumn, Self::DeleteFamily]
            .into_iter()
            .find(|kind| kind.code() == code)
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

impl Cell<'_> {
    /// The order of cells in a row: family, qualifier, newest timestamp first, then marks before values.
    ///
    /// HBase's `CellComparatorImpl`, without its tie-break by write order.
    pub fn cmp_in_row(&self, other: &Self) -> Ordering {
        self.family.cmp(other.family).then_with(|| self.cmp_in_family(other))
    }

    pub(crate) fn cmp_in_family(&self, other: &Self) -> Ordering {
        self.qualifier
            .cmp(other.qualifier)
            .then_with(|| other.ts.cmp(&self.ts))
            .then_with(|| other.kind.cmp(&self.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back_to_their_kind() {
        for code in 0..=u8::MAX {
            assert!(CellKind::from_code(code).is_none_or(|kind| kind.code() == code));
        }
        assert_eq!(CellKind::from_code(14), Some(CellKind::DeleteFamily));
        assert_eq!(CellKind::from_code(0), None);
    }

    #[test]
    fn newer_sorts_first_and_marks_before_values() {
        let cell = |ts, kind| Cell { family: b"f", qualifier: b"q", ts, kind, value: b"" };
        let put = cell(5, CellKind::Put);
        assert_eq!(cell(6, CellKind::Put).cmp_in_row(&put), Ordering::Less);
        assert_eq!(cell(5, CellKind::Delete).cmp_in_row(&put), Ordering::Less);
        assert_eq!(cell(5, CellKind::DeleteColumn).cmp_in_row(&cell(5, CellKind::Delete)), Ordering::Less);
    }
}
