//! What to read: which columns and versions, and for a scan which ranges, in which order and how many.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use keystride::KeyRange;

use crate::cell::Cell;
use crate::{FamilyName, Filter, StoreError, TableDescription};

/// What of a row to give back: by default the newest version of every column.
///
/// ```
/// # use std::num::NonZeroU32;
/// # use keystride_store::{Columns, Selection};
/// let last_three = Selection { versions: NonZeroU32::new(3).unwrap(), ..Selection::default() };
/// assert_eq!(last_three.columns, Columns::All);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The columns to give back.
    pub columns: Columns,
    /// How many versions of a column at most; the family's own number still holds.
    pub versions: NonZeroU32,
    /// The timestamps to look at; versions are counted among them.
    pub times: TimeRange,
    /// How much of the cells to give back.
    pub detail: Detail,
    /// Which rows to give back.
    pub filter: Option<Filter>,
}

/// Columns of a table. A row that has none of them is not given back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Columns {
    /// All columns of all families.
    #[default]
    All,
    /// Some families, of each all columns or the named ones.
    Of(BTreeMap<FamilyName, FamilyColumns>),
}

/// Columns of one family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FamilyColumns {
    /// Every one.
    All,
    /// Those with these qualifiers.
    Named(BTreeSet<Vec<u8>>),
}

/// Timestamps from `min_ms` (inclusive) to `max_ms` (exclusive), in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeRange {
    /// The oldest timestamp in it.
    pub min_ms: i64,
    /// The first timestamp after it.
    pub max_ms: i64,
}

/// How much of a row's cells to give back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Cells with their values.
    #[default]
    Values,
    /// Cells with empty values. `KeyOnlyFilter`.
    Keys,
    /// Of each row the first cell of those selected, with an empty value: enough to list or count rows.
    /// `FirstKeyOnlyFilter` and `KeyOnlyFilter`.
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
    /// The keys to read: ranges in ascending order that don't overlap. They may touch; empty ones are passed over.
    pub ranges: Vec<KeyRange>,
    /// The order rows come in; `Descending` goes through the ranges from the last to the first.
    pub order: Order,
    /// How many rows to give back at most.
    pub limit: Option<u64>,
    /// What of each row to give back.
    pub selection: Selection,
    /// How much to read at a time.
    pub pace: Pace,
    /// Whether to read in the thread that polls for a batch, which then blocks, and not ahead of it. Only the embedded
    /// store looks at this. Its batches are small then, so that they still are in the processor's caches when they are
    /// used.
    pub in_place: bool,
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

/// How large the batches of a scan get. The first is small, and each may be twice the one before, so that a reader who
/// stops early has caused little work; a limit of rows makes them smaller still. These are hints: a store may make
/// batches smaller, and one row larger than `max_bytes` still comes whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pace {
    /// Rows of the first batch.
    pub first_rows: NonZeroU32,
    /// Rows of the largest batch.
    pub max_rows: NonZeroU32,
    /// Bytes after which a batch ends.
    pub max_bytes: NonZeroU32,
}

impl Scan {
    /// All rows of a range, ascending, the newest version of every column.
    pub fn of(range: KeyRange) -> Self {
        Self::of_ranges(vec![range])
    }

    /// All rows of several ranges.
    pub fn of_ranges(ranges: Vec<KeyRange>) -> Self {
        Self {
            ranges,
            order: Order::Ascending,
            limit: None,
            selection: Selection::default(),
            pace: Pace::default(),
            in_place: false,
        }
    }

    /// The ranges that hold anything, checked for order and joined where they touch.
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
    /// Whether a cell is among the columns to give back.
    pub(crate) fn selects(&self, cell: &Cell<'_>) -> bool {
        match &self.columns {
            Columns::All => true,
            Columns::Of(families) => families
                .iter()
                .find(|(name, _)| name.as_bytes() == cell.family)
                .is_some_and(|(_, columns)| columns.holds(cell.qualifier)),
        }
    }

    /// Whether rows that are given back are so with all their visible cells, as they are.
    pub(crate) fn takes_whole_rows(&self) -> bool {
        self.columns == Columns::All && self.detail == Detail::Values
    }

    /// What to give back of a row's visible cells.
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

    /// The places in `table.families` of those to read: selected or looked at by the filter.
    pub(crate) fn families_in(&self, table: &TableDescription) -> Result<Vec<usize>, StoreError> {
        let Columns::Of(selected) = &self.columns else {
            self.filter_families().try_for_each(|name| table.family(name).map(|_| ()))?;
            return Ok((0..table.families.len()).collect());
        };
        let wanted: BTreeSet<&FamilyName> = selected.keys().chain(self.filter_families()).collect();
        wanted.into_iter().map(|name| table.family_index(name.as_bytes())).collect()
    }

    fn filter_families(&self) -> impl Iterator<Item = &FamilyName> {
        self.filter.iter().flat_map(Filter::families)
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
    /// All columns of one family.
    pub fn family(name: FamilyName) -> Self {
        Self::Of(BTreeMap::from([(name, FamilyColumns::All)]))
    }

    /// Some columns of one family.
    pub fn named<Q: AsRef<[u8]>>(name: FamilyName, qualifiers: impl IntoIterator<Item = Q>) -> Self {
        let names = qualifiers.into_iter().map(|qualifier| qualifier.as_ref().to_vec()).collect();
        Self::Of(BTreeMap::from([(name, FamilyColumns::Named(names))]))
    }
}

impl TimeRange {
    /// All timestamps.
    pub const ALL: Self = Self { min_ms: 0, max_ms: i64::MAX };

    /// Whether no timestamp lies in it.
    pub fn is_empty(&self) -> bool {
        self.min_ms >= self.max_ms
    }

    /// Whether `ts` lies in it.
    pub fn contains(&self, ts: i64) -> bool {
        // A maximum of i64::MAX is HBase's "no end", and holds that timestamp too.
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
}
