//! Preconditions of conditional row changes.

use keystride::Key;

use crate::cell::Cell;
use crate::{Columns, Compare, FamilyName, Filter, MutationBatch, Selection, StoreError, TimeRange};

/// A condition that a row must satisfy before it is changed.
///
/// ```
/// # use keystride_store::{Check, Compare, Condition, FamilyName};
/// let cf = FamilyName::new("cf")?;
/// let row = keystride::Key::new(*b"007|42")?;
/// let free = Check::of(row.clone(), Condition::absent(cf.clone(), "owner"));
/// let mine = Check::of(row.clone(), Condition::equals(cf.clone(), "owner", "ada"));
/// let below_m = Check::of(row, Condition::column(cf, "owner", Compare::Less, "m"));
/// # let _ = (free, mine, below_m);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The row.
    pub row: Key,
    /// The condition.
    pub condition: Condition,
    /// The timestamps to consider: cells outside this range are treated as absent.
    pub times: TimeRange,
}

/// A condition on the visible cells of a row, using the newest version of each column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The value of a column satisfies the comparison with the given value. As in HBase, an empty given value tests
    /// whether there is a value at all, because a missing column and one with an empty value are not distinguished:
    ///
    /// | Given value | Column missing | Its value empty | Its value not empty |
    /// |---|---|---|---|
    /// | not empty | fails, with `NotEqual` too | as compared: empty is before all others | as compared |
    /// | empty, `NotEqual` | fails | fails | holds |
    /// | empty, any other comparison | holds | holds | fails |
    ///
    /// Consequently, `NotEqual` to `x` does not mean "missing or different from `x`", and `Greater` than the empty
    /// value does not mean "present".
    Column {
        /// The column's family.
        family: FamilyName,
        /// The column's name in it.
        qualifier: Vec<u8>,
        /// How the stored value must compare to `value`, as unsigned bytes.
        comparison: Compare,
        /// The value to compare with.
        value: Vec<u8>,
    },
    /// The row has a visible cell and passes the filter, which sees all of its columns. A row without cells fails,
    /// whatever the filter says about missing columns. Requires HBase 2.4 or later.
    Filter(Filter),
}

impl Check {
    /// Creates a check of `row` that considers all timestamps.
    pub fn of(row: Key, condition: Condition) -> Self {
        Self { row, condition, times: TimeRange::ALL }
    }

    /// Rejects an empty batch, and one that changes a row other than the checked one.
    pub(crate) fn allow(&self, batch: &MutationBatch) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Err(StoreError::EmptyChange { row: self.row.clone() });
        }
        match batch.rows().find(|row| row.key() != self.row.as_bytes()) {
            Some(other) => {
                Err(StoreError::OtherRow { checked: self.row.clone(), found: other.key().to_vec() })
            }
            None => Ok(()),
        }
    }

    /// Returns the selection to read: the newest versions of (at least) the columns that the condition refers to.
    pub(crate) fn selection(&self) -> Selection {
        let everything = Selection { times: self.times, ..Selection::default() };
        match &self.condition {
            Condition::Column { family, .. } => {
                Selection { columns: Columns::family(family.clone()), ..everything }
            }
            Condition::Filter(filter) => Selection { filter: Some(filter.clone()), ..everything },
        }
    }

    /// Returns the timestamp of the cell that was examined if the condition holds, and `None` if it does not. For a
    /// filter this is the first cell of the row; if there is no cell, it is 0. `visible` is what [`Self::selection`]
    /// shows of the row, before its filter.
    pub(crate) fn holds(&self, visible: &[Cell<'_>]) -> Option<i64> {
        let (holds, cell) = match &self.condition {
            Condition::Column { family, qualifier, comparison, value } => {
                let is_it =
                    |cell: &&Cell<'_>| cell.qualifier == qualifier && cell.family == family.as_bytes();
                let cell = visible.iter().find(is_it);
                (compares(cell.map(|cell| cell.value), *comparison, value), cell)
            }
            Condition::Filter(filter) => {
                let passes = !visible.is_empty() && filter.passes(visible.iter().copied());
                (passes, visible.first())
            }
        };
        holds.then(|| cell.map_or(0, |cell| cell.ts))
    }
}

/// Follows `HRegion.checkAndMutateInternal`, with the operands in the order that filters use: stored, then given.
fn compares(stored: Option<&[u8]>, comparison: Compare, given: &[u8]) -> bool {
    if given.is_empty() {
        let is_nothing = stored.is_none_or(<[u8]>::is_empty);
        return is_nothing == (comparison != Compare::NotEqual);
    }
    stored.is_some_and(|stored| comparison.holds(stored.cmp(given)))
}

impl Condition {
    /// A condition that the value of a column satisfies the comparison with `value`.
    pub fn column(
        family: FamilyName,
        qualifier: impl Into<Vec<u8>>,
        comparison: Compare,
        value: impl Into<Vec<u8>>,
    ) -> Self {
        Self::Column { family, qualifier: qualifier.into(), comparison, value: value.into() }
    }

    /// A condition that a column is missing or its value is empty.
    pub fn absent(family: FamilyName, qualifier: impl Into<Vec<u8>>) -> Self {
        Self::column(family, qualifier, Compare::Equal, [])
    }

    /// A condition that a column has a non-empty value.
    pub fn present(family: FamilyName, qualifier: impl Into<Vec<u8>>) -> Self {
        Self::column(family, qualifier, Compare::NotEqual, [])
    }

    /// A condition that a column has exactly this value; an empty `value` is equivalent to [`Self::absent`].
    pub fn equals(family: FamilyName, qualifier: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        Self::column(family, qualifier, Compare::Equal, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellKind, Missing};

    fn holding(stored: Option<&[u8]>, given: &[u8]) -> Vec<Compare> {
        Compare::ALL.into_iter().filter(|comparison| compares(stored, *comparison, given)).collect()
    }

    #[test]
    fn an_empty_given_value_asks_whether_there_is_any() {
        for nothing in [None, Some(&b""[..])] {
            let all_but_one: Vec<_> =
                Compare::ALL.into_iter().filter(|comparison| *comparison != Compare::NotEqual).collect();
            assert_eq!(holding(nothing, b""), all_but_one);
        }
        assert_eq!(holding(Some(b"v"), b""), [Compare::NotEqual]);
    }

    #[test]
    fn a_missing_column_compares_with_no_value() {
        assert_eq!(holding(None, b"v"), []);
        assert_eq!(holding(Some(b""), b"v"), [Compare::Less, Compare::LessOrEqual, Compare::NotEqual]);
    }

    #[test]
    fn a_filter_needs_a_cell_to_pass() {
        let family = FamilyName::new("f").unwrap();
        let lenient = Filter::Column {
            family,
            qualifier: b"q".to_vec(),
            comparison: Compare::Equal,
            value: b"v".to_vec(),
            missing: Missing::Passes,
        };
        let check = Check::of(Key::new(*b"r").unwrap(), Condition::Filter(lenient));
        let other = Cell { family: b"f", qualifier: b"p", ts: 7, kind: CellKind::Put, value: b"" };
        assert_eq!(check.holds(&[]), None);
        assert_eq!(check.holds(&[other]), Some(7));
        assert_eq!(check.holds(&[other, Cell { ts: 5, ..other }]), Some(7));
        assert_eq!(check.holds(&[other, Cell { qualifier: b"q", ..other }]), None);
    }
}
