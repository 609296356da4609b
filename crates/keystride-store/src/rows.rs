//! The result of a read: rows of visible cells in one contiguous buffer.

use crate::flat::{FlatRows, Row};

/// Rows returned by a get or a scan, in the requested order; the cells of a row are in HBase's order.
///
/// All cells are puts: delete markers are applied, not returned.
#[derive(Debug, Clone, Default)]
pub struct RowBatch {
    pub(crate) flat: FlatRows,
}

impl RowBatch {
    /// Returns the number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.flat.row_count()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the total number of cells.
    pub fn cell_count(&self) -> usize {
        self.flat.cell_count()
    }

    /// Returns the size of its keys, names and values in bytes; shared ones count once.
    pub fn byte_count(&self) -> usize {
        self.flat.byte_count()
    }

    /// Returns the row at `index`, counted from 0.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub fn row(&self, index: usize) -> Row<'_> {
        self.flat.row(index)
    }

    /// Returns an iterator over the rows.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = Row<'_>> + ExactSizeIterator {
        self.flat.rows()
    }
}
