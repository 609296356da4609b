//! A table held in memory.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use keystride::{Key, KeyRange, SplitPoints};

use super::row::StoredRow;
use crate::cell::Cell;
use crate::flat::FlatRows;
use crate::intake::{family_places, stamp};
use crate::regions::{RegionMap, WriteTally};
use crate::sink::Sink;
use crate::visible::View;
use crate::{Clock, Columns, Note, Order, Selection, StoreError, TableDescription, Write, Written};

#[derive(Debug)]
pub(super) struct MemoryTable {
    pub(super) description: Arc<TableDescription>,
    pub(super) regions: RegionMap,
    rows: BTreeMap<Box<[u8]>, StoredRow>,
    notes: BTreeMap<String, Vec<u8>>,
}

impl MemoryTable {
    pub(super) fn new(description: Arc<TableDescription>, regions: RegionMap) -> Self {
        Self { description, regions, rows: BTreeMap::new(), notes: BTreeMap::new() }
    }

    pub(super) fn clear(&mut self, regions: RegionMap) {
        *self = Self::new(Arc::clone(&self.description), regions);
    }

    pub(super) fn alter(&mut self, change: &TableDescription) -> Result<(), StoreError> {
        let altered = self.description.altered(change)?;
        let names = self.description.families.iter().map(|family| family.name.as_bytes());
        let places = names.map(|name| altered.family_index(name)).collect::<Result<Vec<_>, _>>()?;
        self.rows.values_mut().for_each(|row| row.move_families(&places));
        self.description = Arc::new(altered);
        Ok(())
    }

    pub(super) fn splits(&self) -> SplitPoints {
        self.regions.splits().clone()
    }

    /// Returns the number of rows of the region that contains `at`, before it and from it on.
    pub(super) fn rows_around(&self, at: &Key) -> [u64; 2] {
        let region = self.regions.range_of(at.as_bytes());
        let rows = self.rows.range::<[u8], _>((Bound::Included(region.start()), Bound::Unbounded));
        let mut counts = [0; 2];
        for (key, _) in rows.take_while(|(key, _)| region.contains(key)) {
            counts[usize::from(&key[..] >= at.as_bytes())] += 1;
        }
        counts
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn note(&self, key: &str) -> Option<Vec<u8>> {
        self.notes.get(key).cloned()
    }

    pub(super) fn keep_notes(&mut self, notes: Vec<Note>) {
        for note in notes {
            match note.value {
                Some(value) => self.notes.insert(note.key, value),
                None => self.notes.remove(&note.key),
            };
        }
    }

    pub(super) fn write(&mut self, mut write: Write, clock: &dyn Clock) -> Result<Written, StoreError> {
        let places = family_places(&write.batch.flat, &self.description)?;
        let now_ms = clock.now_ms();
        stamp(&mut write.batch, now_ms, |row, family, qualifier| {
            self.newest(row, family, qualifier, now_ms)
        })?;
        let flat = &write.batch.flat;
        for row in flat.rows() {
            let stored = self.rows.entry(row.key().into()).or_default();
            for (number, cell) in row.cell_numbers().zip(row.cells()) {
                stored.insert(places[flat.family_of(number)], &cell);
            }
        }
        self.keep_notes(write.notes);
        let tally = self.tally(flat);
        self.regions.credit(&tally);
        Ok(self.regions.written(&tally))
    }

    /// Adds the row of `key` to `sink`, even if nothing of it is visible.
    pub(super) fn get(
        &self,
        key: &[u8],
        views: &[(usize, View)],
        sink: &mut Sink<'_>,
    ) -> Result<(), StoreError> {
        let visible = self.rows.get(key).map(|row| self.visible(row, views)).unwrap_or_default();
        sink.add_always(key, visible.iter().copied())
    }

    /// Returns the first row of `range` in the given order, with its visible cells.
    pub(super) fn first<'a>(
        &'a self,
        range: &KeyRange,
        order: Order,
        views: &[(usize, View)],
    ) -> Option<(&'a [u8], Vec<Cell<'a>>)> {
        let stop = range.stop().map_or(Bound::Unbounded, Bound::Excluded);
        let mut rows = self.rows.range::<[u8], _>((Bound::Included(range.start()), stop));
        let row = match order {
            Order::Ascending => rows.next(),
            Order::Descending => rows.next_back(),
        };
        row.map(|(key, row)| (&**key, self.visible(row, views)))
    }

    /// Returns the visibility rules for each family that a read needs, with the family's index.
    pub(super) fn views(&self, selection: &Selection, now_ms: i64) -> Result<Vec<(usize, View)>, StoreError> {
        let families = selection.families_in(&self.description)?;
        let view = |place: usize| View::new(&self.description.families[place], selection, now_ms);
        Ok(families.into_iter().map(|place| (place, view(place))).collect())
    }

    /// Returns the visible cells of a row in the families that a selection needs.
    pub(super) fn visible_row(
        &self,
        key: &[u8],
        selection: &Selection,
        now_ms: i64,
    ) -> Result<Vec<Cell<'_>>, StoreError> {
        let views = self.views(selection, now_ms)?;
        Ok(self.rows.get(key).map(|row| self.visible(row, &views)).unwrap_or_default())
    }

    fn visible<'a>(&'a self, row: &'a StoredRow, views: &[(usize, View)]) -> Vec<Cell<'a>> {
        let mut visible = Vec::new();
        for (place, view) in views {
            let mut cells: Vec<_> = row.family(*place, &self.description).collect();
            view.keep_visible(&mut cells);
            visible.append(&mut cells);
        }
        visible
    }

    fn newest(
        &self,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        now_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let place = self.description.family_index(family)?;
        let columns = Columns::named(self.description.families[place].name.clone(), [qualifier]);
        let visible = self.visible_row(row, &Selection { columns, ..Selection::default() }, now_ms)?;
        Ok(visible.iter().find(|cell| cell.qualifier == qualifier).map(|cell| cell.ts))
    }

    fn tally(&self, flat: &FlatRows) -> WriteTally {
        let mut shares: BTreeMap<&[u8], (u64, u64)> = BTreeMap::new();
        for row in flat.rows() {
            let share = shares.entry(row.key()).or_default();
            share.0 += row.cell_count() as u64;
            share.1 += row.byte_count();
        }
        let mut tally = WriteTally::default();
        for (key, (cells, bytes)) in shares {
            tally.add(&self.regions, key, cells, bytes);
        }
        tally
    }
}
