//! Filters, comparators and conditions.
//!
//! A [`Filter`] selects the rows and cells of a get or a scan; a [`Condition`] decides whether a change is made. Both
//! use a [`Comparator`] and a [`Compare`].
//!
//! Start with [`Filter`]. `FilterWrapper` is left out: a server wraps each filter it receives in one.

mod columns;
mod comparator;
mod compare;
mod condition;
mod fuzzy_row;
mod java_object;
mod lists;
mod regex;
mod row_range;
mod rows;
#[cfg(test)]
mod tests;
mod values;

use std::fmt;

use bytes::Bytes;
use prost::Message;

use crate::proto;
use java_object::JavaObject;

pub use columns::DependentColumn;
pub use comparator::{BitJoin, Comparator};
pub use compare::Compare;
pub use condition::{Condition, ConditionColumn};
pub use fuzzy_row::FuzzyRow;
pub use regex::{Regex, RegexEngine, RegexFlags, RegexText};
pub use row_range::RowRange;
pub use values::ColumnTest;

/// Selects the rows and cells that servers return for a get or a scan.
///
/// It is kept encoded, so it is cheap to clone and to send to many regions.
///
/// ```
/// # use keystride_hbase::{Comparator, Compare, Filter};
/// let count_logins = Filter::all([
///     Filter::row(Compare::Equal, Comparator::substring("login")),
///     Filter::first_key_only(),
///     Filter::key_only(),
/// ]);
/// assert_eq!(count_logins.class(), "org.apache.hadoop.hbase.filter.FilterList");
/// ```
///
/// # What a filter costs
///
/// A filter reduces what is transferred, but not always what the server reads. Limit a scan by its range, families and
/// columns first: what they exclude is never read.
///
/// | The server ... | Filters |
/// |---|---|
/// | skips rows | [`row_ranges`](Self::row_ranges), [`fuzzy_rows`](Self::fuzzy_rows); [`prefix`](Self::prefix) in late versions only |
/// | stops reading the region | [`inclusive_stop`](Self::inclusive_stop), [`page`](Self::page), [`prefix`](Self::prefix) past its last row, [`while_match`](Self::while_match) of any |
/// | reads one cell of a row it drops | [`row`](Self::row), [`random_rows`](Self::random_rows) |
/// | reads one cell of each row | [`first_key_only`](Self::first_key_only) |
/// | skips cells in a row | [`column_prefix`](Self::column_prefix), [`column_prefixes`](Self::column_prefixes), [`column_range`](Self::column_range), [`column_page_from`](Self::column_page_from), [`column_value`](Self::column_value), [`timestamps_by_seeking`](Self::timestamps_by_seeking) |
/// | reads the row up to some cell | [`column_page`](Self::column_page), [`column_count`](Self::column_count), [`first_key_until`](Self::first_key_until) |
/// | reads every cell of every row | [`value`](Self::value), [`qualifier`](Self::qualifier), [`timestamps`](Self::timestamps), [`key_only`](Self::key_only), [`single_column_value`](Self::single_column_value), [`dependent_column`](Self::dependent_column), [`skip`](Self::skip) |
///
/// [`all`](Self::all) skips as far as the filter that skips farthest, [`any`](Self::any) only as far as all of its
/// filters do: one that reads everything makes it read everything. Heartbeats keep a scan alive that returns little,
/// but the server still reads.
///
/// Filters apply to each region separately. [`page`](Self::page) of 10 on a table of 5 regions returns up to 50 rows; a
/// scan's limit of 10 returns 10.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Filter(JavaObject);

impl Filter {
    /// A custom filter class by its fully qualified name, with the bytes for its `parseFrom`.
    pub fn custom(class: &str, bytes: impl AsRef<[u8]>) -> Self {
        Self(JavaObject::custom(class, bytes.as_ref()))
    }

    /// The fully qualified name of its Java class.
    pub fn class(&self) -> &str {
        &self.0.class
    }

    fn of(class: &'static str, message: &impl Message) -> Self {
        Self(JavaObject::new(class, message))
    }

    fn into_proto(self) -> proto::Filter {
        proto::Filter { name: self.0.class.into_owned(), serialized_filter: Some(self.0.bytes) }
    }

    pub(crate) fn to_proto(&self) -> proto::Filter {
        self.clone().into_proto()
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({:?})", self.0)
    }
}

fn compare_filter(compare: Compare, comparator: Comparator) -> proto::CompareFilter {
    proto::CompareFilter { compare_op: compare.code(), comparator: Some(comparator.into_proto()) }
}

fn bytes(bytes: impl AsRef<[u8]>) -> Bytes {
    Bytes::copy_from_slice(bytes.as_ref())
}
