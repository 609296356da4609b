//! A view of one row of a batch.

use std::ops::Range;

use super::{CellSpan, FlatRows, Known};
use crate::cell::Cell;
use crate::columns_id::ColumnsId;

/// A row and its cells, borrowed from the batch that holds them.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub(super) flat: &'a FlatRows,
    pub(super) index: usize,
}

/// The values of a row's cells, in the order of [`Row::cells`].
#[derive(Debug, Clone, Copy)]
pub struct RowValues<'a> {
    bytes: &'a [u8],
    cells: &'a [CellSpan],
}

impl<'a> RowValues<'a> {
    /// Returns the value of the cell at `index`, counted from 0.
    ///
    /// # Panics
    ///
    /// When there is no such cell.
    #[inline]
    pub fn at(&self, index: usize) -> &'a [u8] {
        let (onward, len) = self.onward(index);
        &onward[..len]
    }

    /// Returns the batch's bytes starting at the value of the cell at `index`, and the length of the value. The bytes
    /// after the value are unspecified, but with them available, short values can be copied faster as a chunk of
    /// fixed size.
    ///
    /// # Panics
    ///
    /// When there is no such cell.
    #[inline]
    pub fn onward(&self, index: usize) -> (&'a [u8], usize) {
        let value = self.cells[index].value;
        (&self.bytes[value.start as usize..], value.len as usize)
    }
}

impl<'a> Row<'a> {
    /// Returns the key.
    #[inline]
    pub fn key(&self) -> &'a [u8] {
        self.flat.slice(self.flat.rows[self.index].key)
    }

    /// Returns an iterator over the cells, in the order of the batch.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell<'a>> + ExactSizeIterator + use<'a> {
        let flat = self.flat;
        self.cell_numbers().map(move |cell| flat.cell(cell))
    }

    /// Returns the values of the cells.
    #[inline]
    pub fn values(&self) -> RowValues<'a> {
        RowValues { bytes: &self.flat.bytes, cells: &self.flat.cells[self.cell_numbers()] }
    }

    /// Returns the id of the row's columns, if the store has assigned one.
    #[inline]
    pub fn columns_id(&self) -> Option<ColumnsId> {
        match self.flat.rows[self.index].known {
            Known::Columns(id) => Some(id),
            Known::Nothing | Known::InOrder => None,
        }
    }

    /// Returns the number of cells.
    pub fn cell_count(&self) -> usize {
        self.cell_numbers().len()
    }

    /// Whether the row has no cells. In the result of a get this means that nothing of the row is visible.
    pub fn is_empty(&self) -> bool {
        self.cell_numbers().is_empty()
    }

    /// Returns the size of its cells as counted by
    /// [`RegionCounts::bytes_written`](crate::RegionCounts::bytes_written).
    pub fn byte_count(&self) -> u64 {
        let cells = &self.flat.cells[self.cell_numbers()];
        let of_cell =
            |cell: &CellSpan| u64::from(self.flat.names.get(cell.name).len) + u64::from(cell.value.len);
        cells.len() as u64 * self.key().len() as u64 + cells.iter().map(of_cell).sum::<u64>()
    }

    /// Returns the first cell of a column; in rows returned by a store, this is the newest version.
    pub fn cell(&self, family: &[u8], qualifier: &[u8]) -> Option<Cell<'a>> {
        self.cells().find(|cell| cell.qualifier == qualifier && cell.family == family)
    }

    /// Whether the cells are known to be puts with the same timestamp, in strictly ascending order of their names.
    pub(crate) fn is_in_order(&self) -> bool {
        self.flat.rows[self.index].known == Known::InOrder
    }

    #[inline]
    pub(crate) fn cell_numbers(&self) -> Range<usize> {
        let start = self.index.checked_sub(1).map_or(0, |before| self.flat.rows[before].cells_end);
        start as usize..self.flat.rows[self.index].cells_end as usize
    }
}
