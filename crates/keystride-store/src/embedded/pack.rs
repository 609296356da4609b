//! Conversion of a batch of mutations to entries of the engine.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use keystride::key::sorted_by_key;

use super::entry;
use crate::cell::Cell;
use crate::flat::{FlatRows, Row};
use crate::regions::{RegionMap, WriteTally};
use crate::{CellKind, StoreError};

/// A batch and everything needed to convert it to entries.
pub(super) struct Packing<'a> {
    pub(super) flat: &'a FlatRows,
    /// Index in the table of each of the batch's families, by family number.
    pub(super) places: &'a [usize],
    /// The batch's number.
    pub(super) sequence: u64,
    pub(super) regions: &'a RegionMap,
}

/// The sort order of a row's cells, kept for later rows: most have the same columns as the previous one.
#[derive(Default)]
struct KnownOrder {
    /// Numbers (in the batch) of the cells of the row that the order was computed for.
    row: Range<usize>,
    /// Positions of that row's cells in sorted order.
    places: Vec<usize>,
}

impl Packing<'_> {
    /// Passes each entry to `take`: the family's index, the key and the value. Keys ascend within each family.
    pub(super) fn pack(
        &self,
        mut take: impl FnMut(usize, &[u8], &[u8]) -> Result<(), StoreError>,
    ) -> Result<WriteTally, StoreError> {
        let (mut tally, mut known) = (WriteTally::default(), KnownOrder::default());
        let (mut key, mut value) = (Vec::new(), Vec::new());
        let mut numbers = Vec::new();
        for runs in self.runs_by_key().chunk_by(|&a, &b| self.row(a).key() == self.row(b).key()) {
            let row = self.row(runs[0]).key();
            self.count(runs, &mut tally);
            self.order(runs, &mut numbers, &mut known);
            for group in numbers.chunk_by(|&a, &b| self.group_of(a) == self.group_of(b)) {
                let (place, Reverse(ts)) = self.group_of(group[0]);
                key.clear();
                entry::write_key(row, ts, self.sequence, &mut key);
                value.clear();
                entry::write_value(self.flat, group, &mut value);
                take(place, &key, &value)?;
            }
        }
        Ok(tally)
    }

    fn row(&self, run: u32) -> Row<'_> {
        self.flat.row(run as usize)
    }

    /// Returns the batch's runs of rows in key order; runs of the same row keep their order.
    fn runs_by_key(&self) -> Vec<u32> {
        let runs =
            0..u32::try_from(self.flat.row_count()).expect("each row has a byte of its own, at the least");
        let key = |run| self.row(run).key();
        if runs.clone().is_sorted_by_key(key) { runs.collect() } else { sorted_by_key(runs, key) }
    }

    fn count(&self, runs: &[u32], tally: &mut WriteTally) {
        let rows = || runs.iter().map(|&run| self.row(run));
        let cells = rows().map(|row| row.cell_count() as u64).sum();
        let bytes = rows().map(|row| row.byte_count()).sum();
        tally.add(self.regions, self.row(runs[0]).key(), cells, bytes);
    }

    /// Determines the numbers of a row's cells in entry order; of equal cells only the last one is kept.
    fn order(&self, runs: &[u32], numbers: &mut Vec<usize>, known: &mut KnownOrder) {
        numbers.clear();
        let [run] = *runs else {
            numbers.extend(runs.iter().flat_map(|&run| self.row(run).cell_numbers()));
            return self.sort(numbers);
        };
        let (is_in_order, row) = (self.row(run).is_in_order(), self.row(run).cell_numbers());
        if is_in_order {
            numbers.extend(row);
        } else if self.flat.are_alike(known.row.clone(), row.clone()) {
            numbers.extend(known.places.iter().map(|place| row.start + place));
        } else {
            numbers.extend(row.clone());
            self.sort(numbers);
            known.places.clear();
            known.places.extend(numbers.iter().map(|number| number - row.start));
            known.row = row;
        }
    }

    fn sort(&self, numbers: &mut Vec<usize>) {
        numbers.sort_by(|&a, &b| self.compare(a, b).then(b.cmp(&a)));
        numbers.dedup_by(|a, b| self.compare(*a, *b) == Ordering::Equal);
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        let groups = self.group_of(a).cmp(&self.group_of(b));
        groups.then_with(|| rank(&self.flat.cell(a)).cmp(&rank(&self.flat.cell(b))))
    }

    /// Returns what all cells of an entry share.
    fn group_of(&self, cell: usize) -> (usize, Reverse<i64>) {
        (self.places[self.flat.family_of(cell)], Reverse(self.flat.ts_of(cell)))
    }
}

/// Returns the sort key of a cell within its entry.
fn rank<'a>(cell: &Cell<'a>) -> (&'a [u8], Reverse<CellKind>) {
    (cell.qualifier, Reverse(cell.kind))
}

#[cfg(test)]
mod tests {
    use keystride::SplitPoints;
    use proptest::prelude::*;

    use super::super::entry::{EntryKey, Layout};
    use super::super::row_code;
    use super::*;
    use crate::{ColumnNames, FamilyName, MutationBatch, PutCell, RegionId};

    /// Each entry as family, row, timestamp and `name=value` of its cells.
    fn packed(batch: &MutationBatch) -> Vec<(usize, String, i64, String)> {
        let regions = RegionMap::new(SplitPoints::default(), [RegionId::new("r")].into_iter());
        let packing = Packing { flat: &batch.flat, places: &[0, 1], sequence: 3, regions: &regions };
        let mut entries = Vec::new();
        let family = FamilyName::new("f").unwrap();
        let take = |place, key: &[u8], value: &[u8]| {
            let key = EntryKey::parse(key)?;
            let mut row = Vec::new();
            row_code::decode(key.row_code, &mut row)?;
            let mut layout = Layout::default();
            let entry = layout.read(place, value)?;
            let block = layout.block(&entry, &family, key.ts, value);
            let cells = block.cells().map(|cell| {
                let [name, value] = [cell.qualifier, cell.value].map(String::from_utf8_lossy);
                format!("{name}={value} ")
            });
            entries.push((place, String::from_utf8(row).unwrap(), key.ts, cells.collect()));
            Ok(())
        };
        packing.pack(take).unwrap();
        entries
    }

    #[test]
    fn an_entry_holds_what_one_row_family_and_timestamp_got() {
        let mut batch = MutationBatch::new();
        batch.put(b"b", b"f", b"y", 1, b"1").unwrap();
        batch.put(b"a", b"f", b"x", 1, b"2").unwrap();
        batch.put(b"b", b"g", b"x", 1, b"3").unwrap();
        batch.put(b"b", b"f", b"x", 2, b"4").unwrap();
        batch.put(b"b", b"f", b"x", 1, b"5").unwrap();
        let entry = |place, row: &str, ts, cells: &str| (place, row.to_owned(), ts, cells.to_owned());
        assert_eq!(
            packed(&batch),
            [
                entry(0, "a", 1, "x=2 "),
                entry(0, "b", 2, "x=4 "),
                entry(0, "b", 1, "x=5 y=1 "),
                entry(1, "b", 1, "x=3 "),
            ]
        );
    }

    #[test]
    fn rows_that_repeat_their_columns_are_ordered_alike() {
        let mut batch = MutationBatch::new();
        for (row, ts) in [(b"r1", 1), (b"r2", 2), (b"r3", 1)] {
            for name in [b"z", b"a", b"z", b"m"] {
                batch.put(row, b"f", name, ts, row).unwrap();
            }
        }
        batch.put(b"r3", b"f", b"a", 9, b"later").unwrap();
        let texts: Vec<_> = packed(&batch).into_iter().map(|(_, _, ts, cells)| (ts, cells)).collect();
        let all_of = |row: &str| format!("a={row} m={row} z={row} ");
        let expected = [(1, all_of("r1")), (2, all_of("r2")), (9, "a=later ".into()), (1, all_of("r3"))];
        assert_eq!(texts, expected);
    }

    #[test]
    fn each_row_is_ordered_as_the_last_one_with_its_columns() {
        let mut batch = MutationBatch::new();
        for (row, names) in [("r1", "zx"), ("r2", "dcb"), ("r3", "dcb"), ("r4", "zx")] {
            for name in names.as_bytes().chunks(1) {
                batch.put(row.as_bytes(), b"f", name, 1, b"").unwrap();
            }
        }
        let cells: Vec<_> = packed(&batch).into_iter().map(|(.., cells)| cells).collect();
        assert_eq!(cells, ["x= z= ", "b= c= d= ", "b= c= d= ", "x= z= "]);
    }

    #[test]
    fn cells_put_at_once_are_sorted_whatever_their_order() {
        let mut columns = ColumnNames::new();
        for name in [b"a", b"b", b"c"] {
            columns.add(b"f", name);
        }
        let mut batch = MutationBatch::new();
        for (row, order) in [(b"r1", [2, 0, 1]), (b"r2", [0, 2, 1]), (b"r3", [0, 1, 1])] {
            let cells: Vec<_> =
                order.into_iter().zip(1..).map(|(column, end)| PutCell { column, end }).collect();
            batch.put_row(row, 1, &columns, b"123", &cells).unwrap();
        }
        let cells: Vec<_> = packed(&batch).into_iter().map(|(.., cells)| cells).collect();
        assert_eq!(cells, ["a=2 b=3 c=1 ", "a=1 b=3 c=2 ", "a=1 b=3 "]);
    }

    #[test]
    fn of_cells_alike_the_last_given_remains() {
        let mut batch = MutationBatch::new();
        for value in ["old", "newer", "newest"] {
            batch.put(b"r", b"f", b"q", 1, value.as_bytes()).unwrap();
        }
        batch.delete(b"r", b"f", b"q", 1).unwrap();
        assert_eq!(packed(&batch), [(0, "r".into(), 1, "q= q=newest ".into())]);
    }

    proptest! {
        #[test]
        fn rows_put_at_once_have_the_entries_of_their_cells(
            names in prop::collection::vec((0..2_usize, "[ab]{0,2}"), 1..8),
            sorts in any::<bool>(),
            rows in prop::collection::vec(("[rs]", 0..3_i64, prop::collection::vec("v{0,2}", 8), any::<u8>()), 0..8),
        ) {
            let mut names: Vec<_> = names.into_iter().map(|(family, name)| (["f", "g"][family], name)).collect();
            if sorts {
                names.sort();
                names.dedup();
            }
            let mut columns = ColumnNames::new();
            for (family, name) in &names {
                columns.add(family.as_bytes(), name.as_bytes());
            }
            let (mut at_once, mut one_by_one) = (MutationBatch::new(), MutationBatch::new());
            for (row, ts, values, chosen) in &rows {
                let (mut bytes, mut cells) = (Vec::new(), Vec::new());
                for (column, (name, value)) in names.iter().zip(values).enumerate() {
                    if chosen >> column & 1 == 1 {
                        bytes.extend_from_slice(value.as_bytes());
                        let number = u32::try_from(column).unwrap();
                        cells.push(PutCell { column: number, end: u32::try_from(bytes.len()).unwrap() });
                        let (family, name) = (name.0.as_bytes(), name.1.as_bytes());
                        one_by_one.put(row.as_bytes(), family, name, *ts, value.as_bytes()).unwrap();
                    }
                }
                at_once.put_row(row.as_bytes(), *ts, &columns, &bytes, &cells).unwrap();
            }
            // Entries are ordered only within a family.
            let by_family = |batch| {
                let mut entries = packed(batch);
                entries.sort_by_key(|(place, ..)| *place);
                entries
            };
            prop_assert_eq!(by_family(&at_once), by_family(&one_by_one));
        }
    }
}
