//! Adding rows and cells.

use super::names::Name;
use super::stamps::Stamp;
use super::{CellBlock, CellSpan, FlatRows, Known, RowSpan, Span};
use crate::CellKind;
use crate::cell::Cell;
use crate::column_names::{ColumnNames, PutCell};
use crate::mutation_error::{Full, MutationError};

/// For longer rows no memory is reserved beyond what they take.
const LONG_BYTES: usize = 1 << 20;

impl FlatRows {
    /// Starts a row, which has no cells yet.
    pub(crate) fn begin_row(&mut self, key: &[u8]) -> Result<(), Full> {
        self.check_room(key.len())?;
        let cells_end = offset(self.cells.len())?;
        let key = self.append(key);
        self.rows.push(RowSpan { key, cells_end, known: Known::Nothing });
        Ok(())
    }

    /// Adds a cell to the last row.
    pub(crate) fn push_cell(&mut self, cell: &Cell<'_>) -> Result<(), Full> {
        self.check_room(cell.family.len() + cell.qualifier.len() + cell.value.len())?;
        let cells_end = offset(self.cells.len() + 1)?;
        let stamp = self.stamps.number(Stamp { ts: cell.ts, kind: cell.kind })?;
        let name = self.name_number(cell)?;
        let value = self.append(cell.value);
        self.cells.push(CellSpan { name, stamp, value });
        self.end_cells(cells_end, Known::Nothing);
        Ok(())
    }

    /// Adds the cells of a row, with their values back to back, to the last row if it has the same key, else to a new
    /// one.
    pub(crate) fn push_row(
        &mut self,
        key: &[u8],
        ts: i64,
        columns: &ColumnNames,
        values: &[u8],
        cells: &[PutCell],
    ) -> Result<(), MutationError> {
        let cells_end = offset(self.cells.len() + cells.len())?;
        self.names.renumber(columns.id());
        for cell in cells {
            if self.names.renumbered(cell.column).is_none() {
                self.add_column(columns, cell.column)?;
            }
        }
        self.check_room(key.len() + values.len())?;
        let stamp = self.stamps.number(Stamp { ts, kind: CellKind::Put })?;
        if self.last_key() != Some(key) {
            self.begin_row(key)?;
        }
        let values = self.append(values);
        let known = self.push_numbered(stamp, values, columns, cells);
        self.end_cells(cells_end, known);
        Ok(())
    }

    /// Adds cells whose names are known, without assigning them to a row yet. Returns what is known about them.
    #[inline]
    fn push_numbered(&mut self, stamp: u32, values: Span, columns: &ColumnNames, cells: &[PutCell]) -> Known {
        let Self { names, cells: all, .. } = self;
        let (mut start, mut next, mut ascend) = (0, 0, true);
        all.extend(cells.iter().map(|cell| {
            let name = names.renumbered(cell.column).expect("every name was found before");
            let value = values.part(&(start..cell.end));
            ascend &= cell.column >= next;
            (start, next) = (cell.end, cell.column + 1);
            CellSpan { name, stamp, value }
        }));
        if ascend && next <= columns.ascending() { Known::InOrder } else { Known::Nothing }
    }

    /// Adds the name of a column that has not been added yet.
    #[cold]
    fn add_column(&mut self, columns: &ColumnNames, column: u32) -> Result<(), MutationError> {
        columns.check(column)?;
        let (family, qualifier) = columns.name(column);
        self.check_room(family.len() + qualifier.len())?;
        let (family, qualifier) = (self.family_number(family)?, self.append(qualifier));
        let number = self.add_name(family, qualifier)?;
        self.names.keep_renumbered(column, number);
        Ok(())
    }

    /// Adds the cells of a block to the last row. Blocks whose columns have the same id share their names.
    pub(crate) fn push_block(&mut self, block: &CellBlock<'_>) -> Result<(), Full> {
        self.check_room(block.family.len() + block.names.len() + block.values.len())?;
        let cells_end = offset(self.cells.len() + block.parts.len())?;
        let first_name = self.block_names(block)?;
        let stamp = self.stamps.number(Stamp { ts: block.ts, kind: CellKind::Put })?;
        let values = self.append(block.values);
        let first = self.cells.len();
        self.cells.extend((first_name..).zip(block.parts).map(|(name, parts)| {
            let value = values.part(&parts.value);
            CellSpan { name, stamp, value }
        }));
        let marks = (first..).zip(block.parts).filter(|(_, parts)| parts.kind.is_delete());
        for (cell, parts) in marks {
            self.cells[cell].stamp = self.stamps.number(Stamp { ts: block.ts, kind: parts.kind })?;
        }
        self.end_cells(cells_end, block.columns.map_or(Known::Nothing, Known::Columns));
        Ok(())
    }

    /// Returns the number of a block's first name; the others have consecutive numbers.
    fn block_names(&mut self, block: &CellBlock<'_>) -> Result<u32, Full> {
        if let Some(first) = block.columns.and_then(|id| self.names.find_block(id)) {
            return Ok(first);
        }
        let (family, names) = (self.family_number(block.family)?, self.append(block.names));
        let first = self.names.next()?;
        for parts in block.parts {
            self.add_name(family, names.part(&parts.qualifier))?;
        }
        block.columns.into_iter().for_each(|id| self.names.keep_block(id, first));
        Ok(first)
    }

    /// Assigns the cells added since to the last row. `known` applies to the row only if it has no other cells.
    fn end_cells(&mut self, cells_end: u32, known: Known) {
        let [before @ .., row] = self.rows.as_mut_slice() else { return };
        let start = before.last().map_or(0, |row| row.cells_end);
        row.known = if row.cells_end == start { known } else { Known::Nothing };
        row.cells_end = cells_end;
    }

    /// Changes the timestamp of a cell.
    pub(crate) fn set_ts(&mut self, cell: usize, ts: i64) -> Result<(), Full> {
        self.cells[cell].stamp = self.stamps.number(Stamp { ts, kind: self.kind_of(cell) })?;
        Ok(())
    }

    /// Replaces timestamp `from` by `to` in all cells whose kind satisfies `kinds`.
    pub(crate) fn replace_ts(&mut self, from: i64, to: i64, kinds: impl Fn(CellKind) -> bool) {
        self.stamps.replace_ts(from, to, kinds);
    }

    fn append(&mut self, bytes: &[u8]) -> Span {
        let span = Span { start: narrow(self.bytes.len()), len: narrow(bytes.len()) };
        if bytes.len() > LONG_BYTES {
            self.bytes.reserve_exact(bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        span
    }

    /// Returns the number of a cell's name. Most rows have the same columns as the row before them, so the cell at
    /// the same position there is checked first.
    fn name_number(&mut self, cell: &Cell<'_>) -> Result<u32, Full> {
        let family = self.family_number(cell.family)?;
        let twin = self.twin_in_row_before();
        let has_name = |number: &u32| {
            let name = self.names.get(*number);
            name.family == family && self.slice(name.qualifier) == cell.qualifier
        };
        match twin.filter(has_name) {
            Some(number) => Ok(number),
            None => {
                let qualifier = self.append(cell.qualifier);
                self.add_name(family, qualifier)
            }
        }
    }

    /// Returns the name of the cell in the previous row at the position that the next cell will have.
    fn twin_in_row_before(&self) -> Option<u32> {
        let [.., before, _this] = self.rows.as_slice() else { return None };
        let first_of_before = self.rows.len().checked_sub(3).map_or(0, |row| self.rows[row].cells_end);
        let place_in_row = self.cells.len() - before.cells_end as usize;
        let twin = first_of_before as usize + place_in_row;
        (twin < before.cells_end as usize).then(|| self.cells[twin].name)
    }

    fn add_name(&mut self, family: u16, qualifier: Span) -> Result<u32, Full> {
        let len = self.families[usize::from(family)].len + qualifier.len;
        self.names.add(Name { family, qualifier, len })
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

fn offset(at: usize) -> Result<u32, Full> {
    u32::try_from(at).map_err(|_| Full)
}

/// Converts a length that `check_room` has checked.
fn narrow(len: usize) -> u32 {
    u32::try_from(len).expect("room was checked before bytes are added")
}
