//! One cell, and the order of cells within a row.

use std::cmp::Ordering;

use keystride::escape;
use keystride_hbase::CellKind;

/// A cell of a row, borrowed from the batch that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    /// Name of the column family.
    pub family: &'a [u8],
    /// Name of the column in its family; may be empty.
    pub qualifier: &'a [u8],
    /// Milliseconds since 1970 by convention, never negative; [`LATEST`](crate::LATEST) occurs only in cells to be
    /// written.
    pub ts: i64,
    /// Whether the cell is a value or which delete marker it is.
    pub kind: CellKind,
    /// The value; empty for a delete marker.
    pub value: &'a [u8],
}

impl Cell<'_> {
    /// Compares cells of one row by family, qualifier, timestamp (newest first) and kind (delete markers before
    /// values).
    ///
    /// This is HBase's `CellComparatorImpl` without its tie-break by write order.
    pub fn cmp_in_row(&self, other: &Self) -> Ordering {
        self.family.cmp(other.family).then_with(|| self.cmp_in_family(other))
    }

    /// Returns the column as readable text, `family:qualifier`.
    pub(crate) fn column_name(&self) -> String {
        format!("{}:{}", escape::to_escaped(self.family), escape::to_escaped(self.qualifier))
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
