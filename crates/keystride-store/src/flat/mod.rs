//! Rows of cells in one run of bytes: what both a batch to write and a batch that was read are made of.

mod block;
mod row;

use std::ops::Range;

use crate::CellKind;
use crate::cell::Cell;
use crate::column_names::{ColumnNames, PutCell};
use crate::columns_id::ColumnsId;
use crate::mutation_error::{Full, MutationError};

pub(crate) use block::{CellBlock, CellParts};
pub use row::Row;

/// Rows, their cells, and the bytes of both. Offsets are 32 bits, so it holds just under 4 GiB.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlatRows {
    bytes: Vec<u8>,
    families: Vec<Span>,
    rows: Vec<RowSpan>,
    cells: Vec<CellSpan>,
    /// Where the names of blocks lie whose columns have an id, each in its place of the table.
    block_names: Vec<Option<(ColumnsId, Span)>>,
    numbered: Numbered,
}

/// Where the names of numbered columns lie.
#[derive(Debug, Clone, Default)]
struct Numbered {
    /// Which columns these are.
    id: u64,
    names: Vec<Option<(u16, Span)>>,
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

/// What is known of all cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// They are puts of one timestamp in the order of their names, none of them twice.
    InOrder,
    /// The id stands for their columns.
    Columns(ColumnsId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CellSpan {
    ts: i64,
    qualifier: Span,
    value: Span,
    family: u16,
    kind: CellKind,
}

/// How many sets of columns of one batch share their names.
const BLOCK_NAMES: usize = 64;

impl FlatRows {
    /// Nothing, with room for as much as there is in `other`.
    pub(crate) fn with_room_of(other: &Self) -> Self {
        Self {
            bytes: Vec::with_capacity(other.bytes.len()),
            rows: Vec::with_capacity(other.rows.len()),
            cells: Vec::with_capacity(other.cells.len()),
            ..Self::default()
        }
    }

    #[inline]
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.cells.len()
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

    /// Where each family's name is first needed, a number stands for it afterwards.
    pub(crate) fn family_names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.families.iter().map(|&span| self.slice(span))
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.families.clear();
        self.rows.clear();
        self.cells.clear();
        self.block_names.clear();
        self.numbered.names.clear();
    }

    /// Begins a row without cells.
    pub(crate) fn begin_row(&mut self, key: &[u8]) -> Result<(), Full> {
        self.check_room(key.len())?;
        let cells_end = offset(self.cells.len())?;
        let key = self.append(key);
        self.rows.push(RowSpan { key, cells_end, known: Known::Nothing });
        Ok(())
    }

    /// Adds a cell to the row begun last.
    pub(crate) fn push_cell(&mut self, cell: &Cell<'_>) -> Result<(), Full> {
        self.check_room(cell.family.len() + cell.qualifier.len() + cell.value.len())?;
        let cells_end = offset(self.cells.len() + 1)?;
        let family = self.family_number(cell.family)?;
        let qualifier = self.append_qualifier(cell.qualifier);
        let value = self.append(cell.value);
        self.cells.push(CellSpan { ts: cell.ts, qualifier, value, family, kind: cell.kind });
        self.end_cells(cells_end, Known::Nothing);
        Ok(())
    }

    /// Adds the cells of a row, whose values lie one after the other; to the row begun last where that has its key.
    pub(crate) fn push_row(
        &mut self,
        key: &[u8],
        ts: i64,
        columns: &ColumnNames,
        values: &[u8],
        cells: &[PutCell],
    ) -> Result<(), MutationError> {
        let cells_end = offset(self.cells.len() + cells.len())?;
        if self.numbered.id != columns.id() {
            self.numbered = Numbered { id: columns.id(), names: Vec::new() };
        }
        for cell in cells {
            if self.numbered.name(cell.column).is_none() {
                self.add_name(columns, cell.column)?;
            }
        }
        self.check_room(key.len() + values.len())?;
        if self.last_key() != Some(key) {
            self.begin_row(key)?;
        }
        let values = self.append(values);
        let known = self.push_numbered(ts, values, columns, cells);
        self.end_cells(cells_end, known);
        Ok(())
    }

    /// Adds cells whose names are known, to no row yet; what is known of them.
    #[inline]
    fn push_numbered(&mut self, ts: i64, values: Span, columns: &ColumnNames, cells: &[PutCell]) -> Known {
        let Self { numbered, cells: all, .. } = self;
        let (mut start, mut next, mut ascend) = (0, 0, true);
        all.extend(cells.iter().map(|cell| {
            let (family, qualifier) = numbered.name(cell.column).expect("every name was found before");
            let value = values.part(&(start..cell.end));
            ascend &= cell.column >= next;
            (start, next) = (cell.end, cell.column + 1);
            CellSpan { ts, qualifier, value, family, kind: CellKind::Put }
        }));
        if ascend && next <= columns.ascending() { Known::InOrder } else { Known::Nothing }
    }

    /// Adds the name of a numbered column, which is not there yet.
    #[cold]
    fn add_name(&mut self, columns: &ColumnNames, column: u32) -> Result<(), MutationError> {
        let index = column as usize;
        columns.check(column)?;
        let (family, qualifier) = columns.name(column);
        self.check_room(family.len() + qualifier.len())?;
        let name = (self.family_number(family)?, self.append(qualifier));
        if self.numbered.names.len() <= index {
            self.numbered.names.resize(index + 1, None);
        }
        self.numbered.names[index] = Some(name);
        Ok(())
    }

    /// Adds the cells of a block to the row begun last. Blocks whose columns have the same id share the bytes of their
    /// names.
    pub(crate) fn push_block(&mut self, block: &CellBlock<'_>) -> Result<(), Full> {
        self.check_room(block.family.len() + block.names.len() + block.values.len())?;
        let cells_end = offset(self.cells.len() + block.parts.len())?;
        let family = self.family_number(block.family)?;
        let names = self.append_names(block);
        let values = self.append(block.values);
        self.cells.extend(block.parts.iter().map(|parts| CellSpan {
            ts: block.ts,
            qualifier: names.part(&parts.qualifier),
            value: values.part(&parts.value),
            family,
            kind: parts.kind,
        }));
        self.end_cells(cells_end, block.columns.map_or(Known::Nothing, Known::Columns));
        Ok(())
    }

    fn append_names(&mut self, block: &CellBlock<'_>) -> Span {
        let Some(id) = block.columns else { return self.append(block.names) };
        self.block_names.resize(BLOCK_NAMES, None);
        match self.block_names[id.place_of(BLOCK_NAMES)] {
            Some((known, span)) if known == id => span,
            _ => {
                let span = self.append(block.names);
                self.block_names[id.place_of(BLOCK_NAMES)] = Some((id, span));
                span
            }
        }
    }

    /// Ends the cells added to the row begun last. What is known of them is so of the row when it has no others.
    fn end_cells(&mut self, cells_end: u32, known: Known) {
        let [before @ .., row] = self.rows.as_mut_slice() else { return };
        let start = before.last().map_or(0, |row| row.cells_end);
        row.known = if row.cells_end == start { known } else { Known::Nothing };
        row.cells_end = cells_end;
    }

    /// Gives a cell another timestamp.
    pub(crate) fn set_ts(&mut self, cell: usize, ts: i64) {
        self.cells[cell].ts = ts;
    }

    pub(crate) fn cell(&self, index: usize) -> Cell<'_> {
        let span = self.cells[index];
        Cell {
            family: self.slice(self.families[usize::from(span.family)]),
            qualifier: self.slice(span.qualifier),
            ts: span.ts,
            kind: span.kind,
            value: self.slice(span.value),
        }
    }

    pub(crate) fn ts_of(&self, cell: usize) -> i64 {
        self.cells[cell].ts
    }

    pub(crate) fn kind_of(&self, cell: usize) -> CellKind {
        self.cells[cell].kind
    }

    pub(crate) fn qualifier_len(&self, cell: usize) -> usize {
        self.cells[cell].qualifier.len as usize
    }

    pub(crate) fn value_len(&self, cell: usize) -> usize {
        self.cells[cell].value.len as usize
    }

    /// Appends the qualifiers of some cells to `out`.
    pub(crate) fn copy_qualifiers(&self, cells: &[usize], out: &mut Vec<u8>) {
        self.copy(cells.iter().map(|&cell| self.cells[cell].qualifier), out);
    }

    /// Appends the values of some cells to `out`.
    pub(crate) fn copy_values(&self, cells: &[usize], out: &mut Vec<u8>) {
        self.copy(cells.iter().map(|&cell| self.cells[cell].value), out);
    }

    /// Appends spans to `out`; those that lie one after the other at once.
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
    /// each row one timestamp for all. It may say no of columns alike that do not share their names' bytes.
    pub(crate) fn are_alike(&self, a: Range<usize>, b: Range<usize>) -> bool {
        let (a, b) = (&self.cells[a], &self.cells[b]);
        let is_alike = |(one, other): (&CellSpan, &CellSpan)| {
            (one.family, one.kind, one.qualifier) == (other.family, other.kind, other.qualifier)
                && (one.ts, other.ts) == (a[0].ts, b[0].ts)
        };
        a.len() == b.len() && a.iter().zip(b).all(is_alike)
    }

    /// The number that stands for the family of a cell.
    pub(crate) fn family_of(&self, cell: usize) -> usize {
        usize::from(self.cells[cell].family)
    }

    #[inline]
    fn slice(&self, span: Span) -> &[u8] {
        &self.bytes[span.start as usize..][..span.len as usize]
    }

    fn append(&mut self, bytes: &[u8]) -> Span {
        let span = Span { start: narrow(self.bytes.len()), len: narrow(bytes.len()) };
        self.bytes.extend_from_slice(bytes);
        span
    }

    /// Tables repeat their columns row by row, so the cell as many cells back as a row has often holds the name
    /// already; its bytes are shared then.
    fn append_qualifier(&mut self, qualifier: &[u8]) -> Span {
        match self.twin_in_row_before() {
            Some(span) if self.slice(span) == qualifier => span,
            _ => self.append(qualifier),
        }
    }

    fn twin_in_row_before(&self) -> Option<Span> {
        let [.., before, _this] = self.rows.as_slice() else { return None };
        let first_of_before = self.rows.len().checked_sub(3).map_or(0, |row| self.rows[row].cells_end);
        let place_in_row = self.cells.len() - before.cells_end as usize;
        let twin = first_of_before as usize + place_in_row;
        (twin < before.cells_end as usize).then(|| self.cells[twin].qualifier)
    }

    fn family_number(&mut self, family: &[u8]) -> Result<u16, Full> {
        let known = self.families.iter().rposition(|&span| self.slice(span) == family);
        let number = known.unwrap_or(self.families.len());
        if known.is_none() {
            let span = self.append(family);
            self.families.push(span);
        }
        u16::try_from(number).map_err(|_| Full)
    }

    fn check_room(&self, more: usize) -> Result<(), Full> {
        offset(self.bytes.len().saturating_add(more)).map(|_| ())
    }
}

impl Numbered {
    #[inline]
    fn name(&self, column: u32) -> Option<(u16, Span)> {
        *self.names.get(column as usize)?
    }
}

impl Span {
    /// A part of it, counted from its start.
    fn part(self, range: &Range<u32>) -> Self {
        Self { start: self.start + range.start, len: range.end - range.start }
    }
}

fn offset(at: usize) -> Result<u32, Full> {
    u32::try_from(at).map_err(|_| Full)
}

/// For lengths that `check_room` has seen.
fn narrow(len: usize) -> u32 {
    u32::try_from(len).expect("room was checked before bytes are added")
}

#[cfg(test)]
mod tests;
