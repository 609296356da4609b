//! Rows.

use std::fmt;

use bytes::Bytes;

use crate::bytes_text::Escaped;
use crate::cell::{Cell, CellBlock, Cells, row_of_checked};

/// A row as it was read. Its cells are in HBase's order: family, qualifier, descending timestamp.
///
/// It shares the memory of the answer it came in; [`Self::compact`] copies it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// Checked cells.
    cells: Bytes,
}

impl Row {
    pub(crate) fn of_checked(cells: Bytes) -> Self {
        Self { cells }
    }

    /// The row key. Empty if nothing was found.
    pub fn key(&self) -> &[u8] {
        row_of_checked(&self.cells)
    }

    /// Its cells.
    pub fn cells(&self) -> Cells<'_> {
        CellBlock::cells(&self.cells)
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The newest cell of a column.
    pub fn cell(&self, family: &[u8], qualifier: &[u8]) -> Option<Cell<'_>> {
        self.cells().find(|cell| cell.family == family && cell.qualifier == qualifier)
    }

    /// The newest value of a column.
    pub fn value(&self, family: &[u8], qualifier: &[u8]) -> Option<&[u8]> {
        self.cell(family, qualifier).map(|cell| cell.value)
    }

    /// The cells in wire format.
    pub fn as_cell_block(&self) -> &Bytes {
        &self.cells
    }

    /// A copy that owns its memory.
    #[must_use]
    pub fn compact(&self) -> Self {
        Self { cells: Bytes::copy_from_slice(&self.cells) }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row({}) ", Escaped(self.key()))?;
        f.debug_list().entries(self.cells()).finish()
    }
}
