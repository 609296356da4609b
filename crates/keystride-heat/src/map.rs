//! The rows of each window and region, for drawing.

use crate::WindowCounts;

/// Rows per window and region, in bounded memory: what a heat map is drawn from.
///
/// A row of the map is one window, or several that follow each other; a column is one region, or several adjacent ones.
/// A map takes at most [`MOST_BYTES`](Self::MOST_BYTES), whatever the number of regions and windows: beyond
/// [`MOST_COLUMNS`](Self::MOST_COLUMNS) regions, adjacent ones share a column, and when the rows fill the memory, each
/// two windows become one. Sums stop at `u64::MAX`. A window without rows of the table has no row in the map.
///
/// ```
/// # use keystride_heat::{HeatMap, WindowCounts};
/// let mut map = HeatMap::new(3);
/// map.add(7, &WindowCounts::from(vec![4, 0, 1]));
/// map.add(9, &WindowCounts::from(vec![0, 5, 0]));
/// let rows: Vec<_> = map.rows().map(|row| (row.first, row.counts)).collect();
/// assert_eq!(rows, [(7, &[4, 0, 1][..]), (9, &[0, 5, 0])]);
/// assert_eq!((map.windows_per_row(), map.regions_per_column()), (1, 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatMap {
    region_count: usize,
    regions_per_column: usize,
    most_rows: usize,
    /// Binary logarithm of the number of windows per row.
    shift: u32,
    /// The number of each row: that of its windows, shifted right by `shift`. Ascending.
    numbers: Vec<i64>,
    /// The counts of one row after the other.
    cells: Vec<u64>,
}

/// A row of a [`HeatMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeatRow<'a> {
    /// The index of its first window, see [`Window::index`](crate::Window::index).
    pub first: i64,
    /// Rows per column, in key order.
    pub counts: &'a [u64],
}

impl HeatMap {
    /// The most memory that a map takes, in bytes.
    pub const MOST_BYTES: usize = 32 << 20;
    /// The largest number of columns.
    pub const MOST_COLUMNS: usize = 4_096;
    /// The largest number of rows, however few regions there are.
    pub const MOST_ROWS: usize = 65_536;

    /// Creates a map without rows for this many regions.
    pub fn new(region_count: usize) -> Self {
        let regions_per_column = region_count.div_ceil(Self::MOST_COLUMNS).max(1);
        let row_bytes = size_of::<i64>() + size_of::<u64>() * region_count.div_ceil(regions_per_column);
        // A vector that grows takes up to twice what it holds.
        let most_rows = (Self::MOST_BYTES / 2 / row_bytes).min(Self::MOST_ROWS);
        Self { region_count, regions_per_column, most_rows, shift: 0, numbers: Vec::new(), cells: Vec::new() }
    }

    /// Adds the counts of a window to those that it has.
    ///
    /// # Panics
    ///
    /// If `counts` has another number of regions.
    pub fn add(&mut self, index: i64, counts: &WindowCounts) {
        assert_eq!(counts.region_count(), self.region_count, "counts of a map's own regions");
        if counts.total() == 0 {
            return;
        }
        let row = self.row_of(index);
        let columns = self.column_count();
        let cells = &mut self.cells[row * columns..][..columns];
        for (cell, rows) in cells.iter_mut().zip(counts.rows().chunks(self.regions_per_column)) {
            *cell = rows.iter().fold(*cell, |sum, rows| sum.saturating_add(*rows));
        }
    }

    /// Returns the rows in the order of time.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = HeatRow<'_>> + ExactSizeIterator {
        let counts = self.cells.chunks_exact(self.column_count().max(1));
        self.numbers
            .iter()
            .zip(counts)
            .map(|(number, counts)| HeatRow { first: number << self.shift, counts })
    }

    /// Returns the number of regions.
    pub fn region_count(&self) -> usize {
        self.region_count
    }

    /// Returns how many adjacent regions share a column; the last one may have fewer.
    pub fn regions_per_column(&self) -> usize {
        self.regions_per_column
    }

    /// Returns the number of columns.
    pub fn column_count(&self) -> usize {
        self.region_count.div_ceil(self.regions_per_column)
    }

    /// Returns how many windows share a row: a power of two.
    pub fn windows_per_row(&self) -> u64 {
        1 << self.shift
    }

    /// Returns the row that a window belongs to, after making one if there is none.
    fn row_of(&mut self, index: i64) -> usize {
        loop {
            let number = index >> self.shift;
            match self.numbers.binary_search(&number) {
                Ok(row) => return row,
                Err(row) if self.numbers.len() < self.most_rows => {
                    let columns = self.column_count();
                    self.numbers.insert(row, number);
                    self.cells.splice(row * columns..row * columns, std::iter::repeat_n(0, columns));
                    return row;
                }
                Err(_) => self.halve(),
            }
        }
    }

    /// Doubles the number of windows per row.
    fn halve(&mut self) {
        self.shift += 1;
        let columns = self.column_count();
        let mut kept = 0;
        for row in 0..self.numbers.len() {
            let number = self.numbers[row] >> 1;
            if kept > 0 && self.numbers[kept - 1] == number {
                let (before, from) = self.cells.split_at_mut(row * columns);
                let sums = before[(kept - 1) * columns..][..columns].iter_mut();
                sums.zip(&from[..columns]).for_each(|(sum, rows)| *sum = sum.saturating_add(*rows));
            } else {
                self.numbers[kept] = number;
                self.cells.copy_within(row * columns..(row + 1) * columns, kept * columns);
                kept += 1;
            }
        }
        self.numbers.truncate(kept);
        self.cells.truncate(kept * columns);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn total(map: &HeatMap) -> u64 {
        map.rows().flat_map(|row| row.counts).sum()
    }

    #[test]
    fn a_map_takes_bounded_memory_whatever_the_regions() {
        for region_count in [1, 16, 4_096, 4_097, 100_000] {
            let mut map = HeatMap::new(region_count);
            assert!(map.column_count() <= HeatMap::MOST_COLUMNS);
            let windows = 3 * map.most_rows.min(600);
            map.most_rows = map.most_rows.min(600);
            let counts = WindowCounts::from(vec![1; region_count]);
            (0..windows).for_each(|window| map.add(i64::try_from(window).unwrap(), &counts));
            assert_eq!((total(&map), map.windows_per_row()), ((windows * region_count) as u64, 4));
            let map = HeatMap::new(region_count);
            let bytes = 2 * map.most_rows * (map.column_count() * 8 + 8);
            assert!(
                map.most_rows > 500 && bytes <= HeatMap::MOST_BYTES,
                "{bytes} bytes of {region_count} regions"
            );
        }
    }

    #[test]
    fn regions_that_share_a_column_are_adjacent_and_the_last_has_the_rest() {
        let mut map = HeatMap::new(2 * HeatMap::MOST_COLUMNS - 1);
        let mut counts = WindowCounts::new(map.region_count());
        for region in [0, 1, 2, map.region_count() - 1] {
            counts.add(region, 1);
        }
        map.add(0, &counts);
        let row = map.rows().next().unwrap().counts;
        assert_eq!((map.regions_per_column(), row.len()), (2, HeatMap::MOST_COLUMNS));
        assert_eq!((row[0], row[1], row[HeatMap::MOST_COLUMNS - 1]), (2, 1, 1));
    }

    #[test]
    fn the_ends_of_time_are_in_one_map() {
        let mut map = HeatMap { most_rows: 2, ..HeatMap::new(1) };
        for index in [i64::MIN, -1, 0, i64::MAX] {
            map.add(index, &vec![1].into());
        }
        let rows: Vec<_> = map.rows().map(|row| (row.first, row.counts[0])).collect();
        assert_eq!(rows, [(i64::MIN, 2), (0, 2)]);
    }

    proptest! {
        #[test]
        fn rows_are_sums_of_the_windows_of_their_time(
            windows in prop::collection::vec((-40..40_i64, prop::collection::vec(0..9_u64, 3)), 1..60),
            most_rows in 2..20_usize,
        ) {
            let mut map = HeatMap { most_rows, ..HeatMap::new(3) };
            for (index, rows) in &windows {
                map.add(*index, &rows.clone().into());
            }
            prop_assert!(map.rows().len() <= most_rows);
            let mut firsts = Vec::new();
            for row in map.rows() {
                let times = row.first..row.first + i64::try_from(map.windows_per_row()).unwrap();
                for (column, sum) in row.counts.iter().enumerate() {
                    let of_time = windows.iter().filter(|(index, _)| times.contains(index));
                    prop_assert_eq!(*sum, of_time.map(|(_, rows)| rows[column]).sum::<u64>());
                }
                firsts.push(row.first);
            }
            prop_assert!(firsts.is_sorted_by(|one, next| one < next));
            prop_assert_eq!(total(&map), windows.iter().flat_map(|(_, rows)| rows).sum::<u64>());
        }
    }
}
