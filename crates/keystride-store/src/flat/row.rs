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
    /// The value of the cell at `index`, from 0.
    ///
    /// # Panics
    ///
    /// When there is no such cell.
    #[inline]
    pub fn at(&self, index: usize) -> &'a [u8] {
        let (onward, len) = self.onward(index);
        &onward[..len]
    }

    /// The bytes of the batch from the value of the cell at `index` on, and how long the value is. What lies behind it means
    /// nothing; but short values are copied faster with it, each as so many bytes.
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
    /// Its key.
    #[inline]
    pub fn key(&self) -> &'a [u8] {
        self.flat.slice(self.flat.rows[self.index].key)
    }

    /// Its cells, in the order they have in the batch.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell<'a>> + ExactSizeIterator + use<'a> {
        let flat = self.flat;
        self.cell_numbers().map(move |cell| flat.cell(cell))
    }

    /// The values of its cells.
    #[inline]
    pub fn values(&self) -> RowValues<'a> {
        RowValues { bytes: &self.flat.bytes, cells: &self.flat.cells[self.cell_numbers()] }
    }

    /// What stands for its columns, where the store knows rows that have the same.
    #[inline]
    pub fn columns_id(&self) -> Option<ColumnsId> {
        match self.flat.rows[self.index].known {
            Known::Columns(id) => Some(id),
            Known::Nothing | Known::InOrder => None,
        }
    }

    /// How many cells it has.
    pub fn cell_count(&self) -> usize {
        self.cell_numbers().len()
    }

    /// Whether it has no cell: in the answer to a get, nothing of the row can be seen.
    pub fn is_empty(&self) -> bool {
        self.cell_numbers().is_empty()
    }

    /// Bytes of its cells as [`RegionCounts::bytes_written`](crate::RegionCounts::bytes_written) counts them.
    pub(crate) fn byte_count(&self) -> u64 {
        let cells = &self.flat.cells[self.cell_numbers()];
        let of_cell =
            |cell: &CellSpan| u64::from(self.flat.names.get(cell.name).len) + u64::from(cell.value.len);
        cells.len() as u64 * self.key().len() as u64 + cells.iter().map(of_cell).sum::<u64>()
    }

    /// The first cell of a column: in what a store gives back, its newest version.
    pub fn cell(&self, family: &[u8], qualifier: &[u8]) -> Option<Cell<'a>> {
        self.cells().find(|cell| cell.qualifier == qualifier && cell.family == family)
    }

    /// Whether its cells are known to be puts of one timestamp in the order of their names, none of them twice.
    pub(crate) fn is_in_order(&self) -> bool {
        self.flat.rows[self.index].known == Known::InOrder
    }

    #[inline]
    pub(crate) fn cell_numbers(&self) -> Range<usize> {
        let start = self.index.checked_sub(1).map_or(0, |before| self.flat.rows[before].cells_end);
        start as usize..self.flat.rows[self.index].cells_end as usize
    }
}
