//! What was read: rows of visible cells in one run of bytes.

use crate::flat::{FlatRows, Row};

/// Rows that a get or a scan gave back, in the order asked for; the cells of a row in HBase's order.
///
/// All cells are puts: marks are obeyed, not shown.
#[derive(Debug, Clone, Default)]
pub struct RowBatch {
    pub(crate) flat: FlatRows,
}

impl RowBatch {
    /// How many rows it holds.
    #[inline]
    pub fn len(&self) -> usize {
        self.flat.row_count()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many cells its rows have together.
    pub fn cell_count(&self) -> usize {
        self.flat.cell_count()
    }

    /// How many bytes its keys, names and values take, shared ones once.
    pub fn byte_count(&self) -> usize {
        self.flat.byte_count()
    }

    /// The row at `index`, from 0.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub fn row(&self, index: usize) -> Row<'_> {
        self.flat.row(index)
    }

    /// Its rows.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = Row<'_>> + ExactSizeIterator {
        self.flat.rows()
    }
}
