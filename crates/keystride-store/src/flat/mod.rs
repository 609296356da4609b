//! Rows of cells in one contiguous buffer, the representation of both batches to write and batches that were read.

mod block;
mod names;
mod push;
mod row;
mod stamps;

use std::ops::Range;

use crate::CellKind;
use crate::cell::Cell;
use crate::columns_id::ColumnsId;

use names::{Name, Names};
use stamps::{Stamp, Stamps};

pub(crate) use block::CellBlock;
#[cfg(any(test, feature = "embedded"))]
pub(crate) use block::CellParts;
pub use row::{Row, RowValues};

/// Rows, their cells, and the bytes of both. Offsets have 32 bits, so the limit is just under 4 GiB.
///
/// Data shared between cells is stored once: a cell refers to its name and its stamp by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlatRows {
    bytes: Vec<u8>,
    families: Vec<Span>,
    rows: Vec<RowSpan>,
    cells: Vec<CellSpan>,
    names: Names,
    stamps: Stamps,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u32,
    len: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RowSpan {
    key: Span,
    cells_end: u32,
    known: Known,
}

/// What is known about all cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// They are puts with the same timestamp, in strictly ascending order of their names.
    InOrder,
    /// Their columns are identified by the id.
    Columns(ColumnsId),
}

#[derive(Debug, Clone, Copy)]
struct CellSpan {
    name: u32,
    stamp: u32,
    value: Span,
}

impl FlatRows {
    #[inline]
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Returns how many bytes fit before the buffer grows.
    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.bytes.capacity()
    }

    pub(crate) fn byte_count(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    pub(crate) fn row(&self, index: usize) -> Row<'_> {
        assert!(index < self.rows.len(), "row {index} of {}", self.rows.len());
        Row { flat: self, index }
    }

    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = Row<'_>> + ExactSizeIterator {
        (0..self.rows.len()).map(|index| Row { flat: self, index })
    }

    pub(crate) fn last_key(&self) -> Option<&[u8]> {
        self.rows.last().map(|row| self.slice(row.key))
    }

    /// Returns the names of the families in the order of their numbers, which are assigned on first use.
    pub(crate) fn family_names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.families.iter().map(|&span| self.slice(span))
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.families.clear();
        self.rows.clear();
        self.cells.clear();
        self.names.clear();
        self.stamps.clear();
    }

    #[inline]
    pub(crate) fn cell(&self, index: usize) -> Cell<'_> {
        let span = self.cells[index];
        let (name, stamp) = (self.names.get(span.name), self.stamps.get(span.stamp));
        Cell {
            family: self.slice(self.families[usize::from(name.family)]),
            qualifier: self.slice(name.qualifier),
            ts: stamp.ts,
            kind: stamp.kind,
            value: self.slice(span.value),
        }
    }

    /// Whether a cell may have this timestamp.
    pub(crate) fn may_have_ts(&self, ts: i64) -> bool {
        self.stamps.may_have(ts)
    }

    pub(crate) fn ts_of(&self, cell: usize) -> i64 {
        self.stamp_of(cell).ts
    }

    pub(crate) fn kind_of(&self, cell: usize) -> CellKind {
        self.stamp_of(cell).kind
    }

    /// Returns the number of a cell's family.
    pub(crate) fn family_of(&self, cell: usize) -> usize {
        usize::from(self.name_of(cell).family)
    }

    pub(crate) fn qualifier_len(&self, cell: usize) -> usize {
        self.name_of(cell).qualifier.len as usize
    }

    pub(crate) fn value_len(&self, cell: usize) -> usize {
        self.cells[cell].value.len as usize
    }

    #[inline]
    fn name_of(&self, cell: usize) -> Name {
        self.names.get(self.cells[cell].name)
    }

    #[inline]
    fn stamp_of(&self, cell: usize) -> Stamp {
        self.stamps.get(self.cells[cell].stamp)
    }

    /// Appends the qualifiers of some cells to `out`.
    pub(crate) fn copy_qualifiers(&self, cells: &[usize], out: &mut Vec<u8>) {
        self.copy(cells.iter().map(|&cell| self.name_of(cell).qualifier), out);
    }

    /// Appends the values of some cells to `out`.
    pub(crate) fn copy_values(&self, cells: &[usize], out: &mut Vec<u8>) {
        self.copy(cells.iter().map(|&cell| self.cells[cell].value), out);
    }

    /// Appends spans to `out`; adjacent ones are copied together.
    fn copy(&self, spans: impl Iterator<Item = Span>, out: &mut Vec<u8>) {
        let mut whole = Span { start: 0, len: 0 };
        for span in spans {
            if span.start == whole.start + whole.len {
                whole.len += span.len;
            } else {
                out.extend_from_slice(self.slice(whole));
                whole = span;
            }
        }
        out.extend_from_slice(self.slice(whole));
    }

    /// Whether two rows, given by the numbers of their cells, have the same columns and kinds in the same order, and
    /// each a single timestamp. It may return `false` for equal columns that do not share their names.
    pub(crate) fn are_alike(&self, a: Range<usize>, b: Range<usize>) -> bool {
        let (first, second) = (a.start, b.start);
        let is_alike = |(one, other): (usize, usize)| {
            self.cells[one].name == self.cells[other].name
                && self.kind_of(one) == self.kind_of(other)
                && (self.ts_of(one), self.ts_of(other)) == (self.ts_of(first), self.ts_of(second))
        };
        a.len() == b.len() && a.zip(b).all(is_alike)
    }

    #[inline]
    fn slice(&self, span: Span) -> &[u8] {
        &self.bytes[span.start as usize..][..span.len as usize]
    }
}

impl Span {
    /// Returns a part of the span, given relative to its start.
    fn part(self, range: &Range<u32>) -> Self {
        Self { start: self.start + range.start, len: range.end - range.start }
    }
}

#[cfg(test)]
mod tests;
