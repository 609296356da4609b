//! A row held in memory.

use std::cmp::Ordering;
use std::ops::Range;

use crate::cell::Cell;
use crate::{CellKind, TableDescription};

/// The sorted cells of a row, with the bytes of all of them in one buffer.
#[derive(Debug, Default)]
pub(super) struct StoredRow {
    bytes: Vec<u8>,
    cells: Vec<StoredCell>,
}

#[derive(Debug)]
struct StoredCell {
    /// Index of the family in the table.
    family: usize,
    qualifier: Range<usize>,
    ts: i64,
    kind: CellKind,
    value: Range<usize>,
}

impl StoredRow {
    /// Adds a cell, replacing an equal one (same column, timestamp and kind).
    pub(super) fn insert(&mut self, family: usize, cell: &Cell<'_>) {
        let place = self.cells.binary_search_by(|stored| self.compare(stored, family, cell));
        let value = self.append(cell.value);
        match place {
            Ok(alike) => self.cells[alike].value = value,
            Err(place) => {
                let qualifier = self.append(cell.qualifier);
                let (ts, kind) = (cell.ts, cell.kind);
                self.cells.insert(place, StoredCell { family, qualifier, ts, kind, value });
            }
        }
    }

    /// Gives each family the index in `places` at its present one; their order stays.
    pub(super) fn move_families(&mut self, places: &[usize]) {
        self.cells.iter_mut().for_each(|cell| cell.family = places[cell.family]);
    }

    /// Returns the cells of one family.
    pub(super) fn family<'a>(
        &'a self,
        family: usize,
        table: &'a TableDescription,
    ) -> impl Iterator<Item = Cell<'a>> {
        let first = self.cells.partition_point(|cell| cell.family < family);
        let name = table.families[family].name.as_bytes();
        let of_family = self.cells[first..].iter().take_while(move |cell| cell.family == family);
        of_family.map(move |cell| self.cell(cell, name))
    }

    fn cell<'a>(&'a self, stored: &StoredCell, family: &'a [u8]) -> Cell<'a> {
        let qualifier = &self.bytes[stored.qualifier.clone()];
        let value = &self.bytes[stored.value.clone()];
        Cell { family, qualifier, ts: stored.ts, kind: stored.kind, value }
    }

    fn compare(&self, stored: &StoredCell, family: usize, cell: &Cell<'_>) -> Ordering {
        stored.family.cmp(&family).then_with(|| self.cell(stored, cell.family).cmp_in_family(cell))
    }

    fn append(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }
}
