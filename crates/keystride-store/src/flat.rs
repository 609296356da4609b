//! Rows of cells in one run of bytes: what both a batch to write and a batch that was read are made of.

use std::ops::Range;

use crate::cell::{Cell, CellKind};
use crate::column_names::{ColumnNames, PutCell};
use crate::columns_id::ColumnsId;
use crate::mutation_error::{Full, MutationError};

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

/// Cells of one family and timestamp whose names lie together, and their values as well.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellBlock<'a> {
    pub(crate) family: &'a [u8],
    pub(crate) ts: i64,
    pub(crate) columns: Option<ColumnsId>,
    pub(crate) names: &'a [u8],
    pub(crate) values: &'a [u8],
    pub(crate) parts: &'a [CellParts],
}

/// Where a cell's qualifier and value lie in its block.
#[derive(Debug, Clone)]
pub(crate) struct CellParts {
    pub(crate) qualifier: Range<u32>,
    pub(crate) value: Range<u32>,
    pub(crate) kind: CellKind,
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

/// A row and its cells, borrowed from the batch that holds them.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    flat: &'a FlatRows,
    index: usize,
}

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
            self.find_name(columns, cell.column)?;
        }
        self.check_room(key.len() + values.len())?;
        if self.last_key() != Some(key) {
            self.begin_row(key)?;
        }
        let values = self.append(values);
        let names = &self.numbered.names;
        let mut start = 0;
        self.cells.extend(cells.iter().map(|cell| {
            let value = values.part(&(std::mem::replace(&mut start, cell.end)..cell.end));
            let (family, qualifier) = names[cell.column as usize].expect("every name was found above");
            CellSpan { ts, qualifier, value, family, kind: CellKind::Put }
        }));
        let known = if columns.ascend(cells) { Known::InOrder } else { Known::Nothing };
        self.end_cells(cells_end, known);
        Ok(())
    }

    /// Sees to it that the name of a numbered column is there.
    fn find_name(&mut self, columns: &ColumnNames, column: u32) -> Result<(), MutationError> {
        let index = column as usize;
        if let Some(Some(_)) = self.numbered.names.get(index) {
            return Ok(());
        }
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

impl Span {
    /// A part of it, counted from its start.
    fn part(self, range: &Range<u32>) -> Self {
        Self { start: self.start + range.start, len: range.end - range.start }
    }
}

impl<'a> CellBlock<'a> {
    pub(crate) fn cells(self) -> impl Iterator<Item = Cell<'a>> + Clone {
        self.parts.iter().map(move |parts| Cell {
            family: self.family,
            qualifier: &self.names[parts.qualifier.start as usize..parts.qualifier.end as usize],
            ts: self.ts,
            kind: parts.kind,
            value: &self.values[parts.value.start as usize..parts.value.end as usize],
        })
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

    /// The value of the cell at `index`, from 0, in the order of [`Row::cells`].
    ///
    /// # Panics
    ///
    /// When there is no such cell.
    #[inline]
    pub fn value_at(&self, index: usize) -> &'a [u8] {
        let cells = &self.flat.cells[self.cell_numbers()];
        self.flat.slice(cells[index].value)
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
        let key = self.key().len() as u64;
        let of_cell = |cell: &CellSpan| {
            let family = self.flat.families[usize::from(cell.family)];
            key + u64::from(family.len) + u64::from(cell.qualifier.len) + u64::from(cell.value.len)
        };
        self.flat.cells[self.cell_numbers()].iter().map(of_cell).sum()
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

fn offset(at: usize) -> Result<u32, Full> {
    u32::try_from(at).map_err(|_| Full)
}

/// For lengths that `check_room` has seen.
fn narrow(len: usize) -> u32 {
    u32::try_from(len).expect("room was checked before bytes are added")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put<'a>(qualifier: &'a [u8], value: &'a [u8]) -> Cell<'a> {
        Cell { family: b"f", qualifier, ts: 1, kind: CellKind::Put, value }
    }

    #[test]
    fn repeated_columns_keep_their_names_once() {
        let mut flat = FlatRows::default();
        for key in [b"r1", b"r2", b"r3"] {
            flat.begin_row(key).unwrap();
            flat.push_cell(&put(b"first", b"1")).unwrap();
            flat.push_cell(&put(b"second", b"")).unwrap();
        }
        assert_eq!(flat.byte_count(), 3 * 2 + 3 + b"f".len() + b"firstsecond".len());
        assert_eq!(flat.row(2).cell(b"f", b"second").unwrap().qualifier, b"second");
    }

    #[test]
    fn blocks_with_the_same_names_share_them() {
        let parts = [(0..1, 0..2), (1..3, 2..2)].map(|(qualifier, value)| CellParts {
            qualifier,
            value,
            kind: CellKind::Put,
        });
        let columns = Some(ColumnsId::next());
        let block = |values| CellBlock { family: b"f", ts: 7, columns, names: b"abb", values, parts: &parts };
        let mut flat = FlatRows::default();
        for (key, values) in [(b"r1", b"vv"), (b"r2", b"ww")] {
            flat.begin_row(key).unwrap();
            flat.push_block(&block(values)).unwrap();
        }
        assert_eq!(flat.byte_count(), 2 * 2 + b"f".len() + b"abb".len() + 2 * 2);
        assert_eq!([flat.row(0).columns_id(), flat.row(1).columns_id()], [columns; 2]);
        let cells: Vec<_> = flat.row(1).cells().collect();
        assert_eq!(cells, block(b"ww").cells().collect::<Vec<_>>());
        assert_eq!((cells[0].value, cells[1].qualifier), (&b"ww"[..], &b"bb"[..]));
    }

    #[test]
    fn rows_are_alike_that_repeat_their_columns_at_one_time() {
        let mut flat = FlatRows::default();
        for (key, first, second) in [(b"r1", 1, 1), (b"r2", 5, 5), (b"r3", 5, 6)] {
            flat.begin_row(key).unwrap();
            flat.push_cell(&Cell { ts: first, ..put(b"x", b"") }).unwrap();
            flat.push_cell(&Cell { ts: second, ..put(b"y", b"") }).unwrap();
        }
        assert!(flat.are_alike(0..2, 2..4));
        assert!(!flat.are_alike(0..2, 4..6));
        assert!(!flat.are_alike(0..2, 0..1));
    }

    #[test]
    fn a_row_may_have_no_cells() {
        let mut flat = FlatRows::default();
        flat.begin_row(b"a").unwrap();
        flat.begin_row(b"b").unwrap();
        flat.push_cell(&put(b"", b"")).unwrap();
        assert!(flat.row(0).is_empty());
        assert_eq!(flat.row(1).cell_count(), 1);
    }
}
