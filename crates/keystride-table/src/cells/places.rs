//! Mapping of the cells of a stored row to fields.

use keystride::Design;
use keystride::design::Column;
use keystride::internal::QuickValues;
use keystride_store::{ColumnsId, Row as StoredRow};

/// The columns to read, in the order of a row's cells.
#[derive(Debug)]
pub(super) struct CellPlaces {
    places: Vec<CellPlace>,
    /// A cache of mappings for columns with an id, indexed by [`ColumnsId::place_of`].
    known: Vec<(Option<ColumnsId>, FoundCells)>,
    /// The mapping of the last row whose columns have no id.
    unknown: FoundCells,
    /// The slot in `known` of the current row, if it has one.
    slot: Option<usize>,
}

/// A column and how its cells are decoded.
#[derive(Debug)]
pub(super) struct CellPlace {
    family: Vec<u8>,
    pub(super) column: Column,
    pub(super) values: QuickValues,
    turn: Turn,
}

/// When a field is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// With the key, into the row.
    Early,
    /// After it has been decided whether the row is wanted.
    Late,
}

/// The cells of a row to read, in cell order.
#[derive(Debug, Default)]
pub(super) struct FoundCells {
    pub(super) early: Vec<FoundCell>,
    pub(super) late: Vec<FoundCell>,
}

/// The number of a cell, and the index of its [`CellPlace`].
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundCell {
    pub(super) cell: usize,
    pub(super) place: usize,
}

/// Number of slots for known sets of columns. Many are needed because each of several merged scans has its own ids.
const KNOWN: usize = 512;

impl CellPlaces {
    pub(super) fn new(design: &Design, turn_of: impl Fn(&Column) -> Option<Turn>) -> Self {
        let place = |column: &Column| {
            let turn = turn_of(column)?;
            let family = design.table().families[column.family].name.as_bytes().to_vec();
            Some(CellPlace {
                family,
                column: column.clone(),
                values: QuickValues::of_column(design, column),
                turn,
            })
        };
        let mut places: Vec<CellPlace> = design.columns().cells.iter().filter_map(place).collect();
        places.sort_by(|left, right| left.name().cmp(&right.name()));
        Self { places, known: Vec::new(), unknown: FoundCells::default(), slot: None }
    }

    /// Maps the cells of a row. Rows with the same columns as an earlier one are not searched again, as far as the
    /// store identifies them.
    pub(super) fn find(&mut self, stored: StoredRow<'_>) {
        let Some(id) = stored.columns_id() else {
            self.slot = None;
            return self.unknown.fill(&self.places, stored);
        };
        let slot = id.place_of(KNOWN);
        if self.known.len() <= slot {
            self.known.resize_with(slot + 1, || (None, FoundCells::default()));
        }
        let (known, found) = &mut self.known[slot];
        if *known != Some(id) {
            *known = Some(id);
            found.fill(&self.places, stored);
        }
        self.slot = Some(slot);
    }

    /// Returns all places, and the mapping of the current row.
    pub(super) fn found(&self) -> (&[CellPlace], &FoundCells) {
        (&self.places, self.slot.map_or(&self.unknown, |slot| &self.known[slot].1))
    }
}

impl CellPlace {
    fn name(&self) -> (&[u8], &[u8]) {
        (&self.family, self.column.qualifier.as_bytes())
    }
}

impl FoundCells {
    /// Merges cells and places. Only the first cell of each column is used, which is its newest version; cells
    /// without a place are skipped.
    fn fill(&mut self, places: &[CellPlace], stored: StoredRow<'_>) {
        self.early.clear();
        self.late.clear();
        let mut places = places.iter().enumerate().peekable();
        for (number, cell) in stored.cells().enumerate() {
            let name = (cell.family, cell.qualifier);
            while places.next_if(|(_, place)| place.name() < name).is_some() {}
            let Some((at, place)) = places.next_if(|(_, place)| place.name() == name) else { continue };
            let cell = FoundCell { cell: number, place: at };
            match place.turn {
                Turn::Early => self.early.push(cell),
                Turn::Late => self.late.push(cell),
            }
        }
    }
}
