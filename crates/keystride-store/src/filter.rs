//! Row filters: small condition trees that HBase's region servers can evaluate too.

use crate::cell::Cell;
use crate::{Compare, FamilyName};

/// A condition on a row.
///
/// It sees all cells of the row that are visible to the read, including those of columns that the read does not
/// return.
///
/// ```
/// # use keystride_store::{Compare, FamilyName, Filter, Missing};
/// let failed = Filter::Column {
///     family: FamilyName::new("cf")?,
///     qualifier: b"status".to_vec(),
///     comparison: Compare::NotEqual,
///     value: b"ok".to_vec(),
///     missing: Missing::Fails,
/// };
/// let _either = Filter::Any(vec![failed.clone(), Filter::All(vec![failed])]);
/// # Ok::<(), keystride_store::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// All of the filters hold; true for an empty list. `FilterList` with `MUST_PASS_ALL`.
    All(Vec<Filter>),
    /// At least one of the filters holds; false for an empty list. `FilterList` with `MUST_PASS_ONE`.
    Any(Vec<Filter>),
    /// The newest version of a column satisfies the comparison with a value. `SingleColumnValueFilter`.
    Column {
        /// The column's family.
        family: FamilyName,
        /// The column's name in it.
        qualifier: Vec<u8>,
        /// How the stored value must compare to `value`, as unsigned bytes.
        comparison: Compare,
        /// The value to compare with.
        value: Vec<u8>,
        /// Whether a row without the column passes.
        missing: Missing,
    },
}

/// Whether a row passes a condition on a column that it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Missing {
    /// The row passes; HBase's `filter_if_missing = false`.
    Passes,
    /// The row fails; HBase's `filter_if_missing = true`.
    Fails,
}

impl Filter {
    /// Whether a row with these visible cells passes. Only the first version of each column is considered.
    pub(crate) fn passes<'a, C>(&self, cells: C) -> bool
    where
        C: Iterator<Item = Cell<'a>> + Clone,
    {
        match self {
            Self::All(filters) => filters.iter().all(|filter| filter.passes(cells.clone())),
            Self::Any(filters) => filters.iter().any(|filter| filter.passes(cells.clone())),
            Self::Column { family, qualifier, comparison, value, missing } => {
                let stored = cells
                    .into_iter()
                    .find(|cell| cell.qualifier == qualifier && cell.family == family.as_bytes());
                match stored {
                    Some(cell) => comparison.holds(cell.value.cmp(value)),
                    None => *missing == Missing::Passes,
                }
            }
        }
    }

    /// Returns the families that the filter refers to, in order of occurrence, possibly with repetitions.
    pub fn families(&self) -> Vec<&FamilyName> {
        match self {
            Self::All(filters) | Self::Any(filters) => filters.iter().flat_map(Self::families).collect(),
            Self::Column { family, .. } => vec![family],
        }
    }
}
