//! What to read: columns and versions, and for scans also ranges, order and limit.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use keystride::KeyRange;

use crate::cell::Cell;
use crate::{FamilyName, Filter, StoreError, TableDescription};

/// Which parts of a row to return; by default the newest version of every column.
///
/// ```
/// # use std::num::NonZeroU32;
/// # use keystride_store::{Columns, Selection};
/// let last_three = Selection { versions: NonZeroU32::new(3).unwrap(), ..Selection::default() };
/// assert_eq!(last_three.columns, Columns::All);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The columns to return.
    pub columns: Columns,
    /// The maximum number of versions per column; the family's own limit applies as well.
    pub versions: NonZeroU32,
    /// The timestamps to consider; versions are counted within this range.
    pub times: TimeRange,
    /// How much of the cells to return.
    pub detail: Detail,
    /// Which rows to return.
    pub filter: Option<Filter>,
}

/// Columns of a table. A row that has none of them is not returned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Columns {
    /// All columns of all families.
    #[default]
    All,
    /// All or some columns of the given families.
    Of(BTreeMap<FamilyName, FamilyColumns>),
}

/// Columns of one family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FamilyColumns {
    /// All columns.
    All,
    /// The columns with these qualifiers.
    Named(BTreeSet<Vec<u8>>),
}

/// Timestamps from `min_ms` (inclusive) to `max_ms` (exclusive), in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeRange {
    /// The oldest timestamp in the range.
    pub min_ms: i64,
    /// The first timestamp after the range.
    pub max_ms: i64,
}

/// How much of a row's cells to return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Cells with their values.
    #[default]
    Values,
    /// Cells with empty values. `KeyOnlyFilter`.
    Keys,
    /// The first selected cell of each row, with an empty value; enough to list or count rows. `FirstKeyOnlyFilter`
    /// and `KeyOnlyFilter`.
    FirstKey,
}

/// Which rows to read, and how.
///
/// ```
/// # use keystride::KeyRange;
/// # use keystride_store::{Order, Scan};
/// let latest_five = Scan { order: Order::Descending, limit: Some(5), ..Scan::of(KeyRange::prefix(b"42_")) };
/// assert_eq!(latest_five.ranges.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// The keys to read: ascending ranges that do not overlap. They may be adjacent; empty ones are ignored.
    pub ranges: Vec<KeyRange>,
    /// The order of the rows; `Descending` processes the ranges from last to first.
    pub order: Order,
    /// The maximum number of rows to return.
    pub limit: Option<u64>,
    /// Which parts of each row to return.
    pub selection: Selection,
    /// The size of the batches.
    pub pace: Pace,
}

/// The order of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// By row key, smallest first.
    #[default]
    Ascending,
    /// By row key, largest first; the cells of a row keep their order.
    Descending,
}

/// The batch sizes of a scan. The first batch is small and each further one may be twice as large, so that a reader
/// that stops early causes little work; a row limit makes batches smaller still. These are hints: a store may return
/// smaller batches, and a row larger than `max_bytes` is still returned whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pace {
    /// Maximum number of rows in the first batch.
    pub first_rows: NonZeroU32,
    /// Maximum number of rows in any batch.
    pub max_rows: NonZeroU32,
    /// Size in bytes at which a batch ends.
    pub max_bytes: NonZeroU32,
}

impl Scan {
    /// Scans all rows of a range in ascending order, with the newest version of every column.
    pub fn of(range: KeyRange) -> Self {
        Self::of_ranges(vec![range])
    }

    /// Scans all rows of several ranges.
    pub fn of_ranges(ranges: Vec<KeyRange>) -> Self {
        Self {
            ranges,
            order: Order::Ascending,
            limit: None,
            selection: Selection::default(),
            pace: Pace::default(),
        }
    }

    /// Returns the non-empty ranges, checked for order, with adjacent ones joined.
    pub(crate) fn checked_ranges(&self) -> Result<Vec<KeyRange>, StoreError> {
        let mut joined: Vec<KeyRange> = Vec::with_capacity(self.ranges.len());
        for (index, range) in self.ranges.iter().enumerate().filter(|(_, range)| !range.is_empty()) {
            match joined.last_mut() {
                None => joined.push(range.clone()),
                Some(before) => match before.stop() {
                    Some(stop) if stop < range.start() => joined.push(range.clone()),
                    Some(stop) if stop == range.start() => {
                        *before = KeyRange::new(before.start(), range.stop().map(<[u8]>::to_vec));
                    }
                    _ => return Err(StoreError::RangesOverlap { index, range: range.clone() }),
                },
            }
        }
        Ok(joined)
    }
}

impl Selection {
    /// Whether a cell belongs to a column to return.
    pub(crate) fn selects(&self, cell: &Cell<'_>) -> bool {
        match &self.columns {
            Columns::All => true,
            Columns::Of(families) => families
                .iter()
                .find(|(name, _)| name.as_bytes() == cell.family)
                .is_some_and(|(_, columns)| columns.holds(cell.qualifier)),
        }
    }

    /// Whether returned rows have all their visible cells, unmodified.
    pub(crate) fn takes_whole_rows(&self) -> bool {
        self.columns == Columns::All && self.detail == Detail::Values
    }

    /// Returns the part of a row's visible cells that was selected.
    pub(crate) fn project<'a, 's, C>(&'s self, cells: C) -> impl Iterator<Item = Cell<'a>> + use<'a, 's, C>
    where
        C: Iterator<Item = Cell<'a>>,
    {
        let most = if self.detail == Detail::FirstKey { 1 } else { usize::MAX };
        let selected = cells.filter(|cell| self.selects(cell)).take(most);
        selected.map(|cell| match self.detail {
            Detail::Values => cell,
            Detail::Keys | Detail::FirstKey => Cell { value: b"", ..cell },
        })
    }

    /// Returns the indexes in `table.families` of the families to read: those selected or used by the filter.
    pub(crate) fn families_in(&self, table: &TableDescription) -> Result<Vec<usize>, StoreError> {
        if self.columns == Columns::All {
            self.filter_families().try_for_each(|name| table.family_index(name).map(drop))?;
            return Ok((0..table.families.len()).collect());
        }
        let wanted: BTreeSet<&[u8]> = self.families().collect();
        wanted.into_iter().map(|name| table.family_index(name)).collect()
    }

    /// Returns the families that are named: those selected, and those of the filter.
    pub(crate) fn families(&self) -> impl Iterator<Item = &[u8]> {
        let selected = match &self.columns {
            Columns::All => None,
            Columns::Of(families) => Some(families.keys().map(FamilyName::as_bytes)),
        };
        selected.into_iter().flatten().chain(self.filter_families())
    }

    pub(crate) fn filter_families(&self) -> impl Iterator<Item = &[u8]> {
        self.filter.iter().flat_map(Filter::families).map(FamilyName::as_bytes)
    }
}

impl FamilyColumns {
    fn holds(&self, qualifier: &[u8]) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.contains(qualifier),
        }
    }
}

impl Columns {
    /// Selects all columns of one family.
    pub fn family(name: FamilyName) -> Self {
        Self::Of(BTreeMap::from([(name, FamilyColumns::All)]))
    }

    /// Selects some columns of one family.
    pub fn named<Q: AsRef<[u8]>>(name: FamilyName, qualifiers: impl IntoIterator<Item = Q>) -> Self {
        let names = qualifiers.into_iter().map(|qualifier| qualifier.as_ref().to_vec()).collect();
        Self::Of(BTreeMap::from([(name, FamilyColumns::Named(names))]))
    }
}

impl TimeRange {
    /// All timestamps.
    pub const ALL: Self = Self { min_ms: 0, max_ms: i64::MAX };

    /// Whether the range contains no timestamp.
    pub fn is_empty(&self) -> bool {
        self.min_ms >= self.max_ms
    }

    /// Whether the range contains `ts`.
    pub fn contains(&self, ts: i64) -> bool {
        // HBase's i64::MAX means "no upper bound", which includes that timestamp itself.
        ts >= self.min_ms && (ts < self.max_ms || self.max_ms == i64::MAX)
    }
}

impl Default for TimeRange {
    fn default() -> Self {
        Self::ALL
    }
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            columns: Columns::All,
            versions: NonZeroU32::MIN,
            times: TimeRange::ALL,
            detail: Detail::Values,
            filter: None,
        }
    }
}

impl Default for Pace {
    fn default() -> Self {
        const fn hint(n: u32) -> NonZeroU32 {
            NonZeroU32::MIN.saturating_add(n - 1)
        }
        Self { first_rows: hint(16), max_rows: hint(4_096), max_bytes: hint(1 << 20) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: &str, stop: &str) -> KeyRange {
        KeyRange::new(start, Some(stop.into()))
    }

    #[test]
    fn touching_ranges_become_one() {
        let scan = Scan::of_ranges(vec![range("a", "c"), range("c", "d"), range("e", "e"), range("f", "g")]);
        assert_eq!(scan.checked_ranges().unwrap(), [range("a", "d"), range("f", "g")]);
    }

    #[test]
    fn overlapping_or_falling_ranges_are_refused() {
        for ranges in [[range("a", "c"), range("b", "d")], [range("c", "d"), range("a", "b")]] {
            let refused = Scan::of_ranges(ranges.to_vec()).checked_ranges();
            assert!(matches!(refused, Err(StoreError::RangesOverlap { index: 1, .. })));
        }
        let after_the_end = vec![KeyRange::new("a", None), range("b", "c")];
        assert!(Scan::of_ranges(after_the_end).checked_ranges().is_err());
    }

    #[test]
    fn a_time_range_is_empty_that_ends_where_it_starts() {
        assert!(TimeRange { min_ms: 5, max_ms: 5 }.is_empty());
        assert!(!TimeRange { min_ms: 5, max_ms: 6 }.is_empty());
    }
}
