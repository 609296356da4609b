//! Filters of cells by family, qualifier and timestamp.

use std::collections::BTreeSet;
use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

use super::java_object::class;
use super::{Comparator, Compare, Filter, bytes, compare_filter};
use crate::proto::{self, CompareType};

/// The column of [`Filter::dependent_column`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependentColumn {
    /// Family of the column that provides timestamps.
    pub family: Bytes,
    /// Its qualifier.
    pub qualifier: Bytes,
    /// Which of its cells provide timestamps; `None` for all.
    pub value: Option<(Compare, Comparator)>,
    /// Whether the column itself is left out of the result.
    pub drop_column: bool,
}

impl DependentColumn {
    /// All cells of the column provide timestamps, and the column is returned.
    pub fn new(family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        Self { family: bytes(family), qualifier: bytes(qualifier), value: None, drop_column: false }
    }
}

impl Filter {
    /// Cells whose family passes the comparison. `FamilyFilter`.
    ///
    /// It is better to name families in the get or scan: the others are not read then.
    pub fn family(compare: Compare, comparator: Comparator) -> Self {
        let compare_filter = compare_filter(compare, comparator);
        Self::of(class!("FamilyFilter"), &proto::FamilyFilter { compare_filter })
    }

    /// Cells whose qualifier passes the comparison. `QualifierFilter`.
    pub fn qualifier(compare: Compare, comparator: Comparator) -> Self {
        let compare_filter = compare_filter(compare, comparator);
        Self::of(class!("QualifierFilter"), &proto::QualifierFilter { compare_filter })
    }

    /// Cells whose qualifier starts with `prefix`; the server seeks to them. `ColumnPrefixFilter`.
    pub fn column_prefix(prefix: impl AsRef<[u8]>) -> Self {
        Self::of(class!("ColumnPrefixFilter"), &proto::ColumnPrefixFilter { prefix: bytes(prefix) })
    }

    /// Cells whose qualifier starts with one of these; the server seeks from one to the next.
    /// `MultipleColumnPrefixFilter`.
    pub fn column_prefixes<P: AsRef<[u8]>>(prefixes: impl IntoIterator<Item = P>) -> Self {
        let sorted: BTreeSet<Bytes> = prefixes.into_iter().map(bytes).collect();
        let message = proto::MultipleColumnPrefixFilter { sorted_prefixes: sorted.into_iter().collect() };
        Self::of(class!("MultipleColumnPrefixFilter"), &message)
    }

    /// Cells whose qualifier is within these bounds; the server seeks to them. `ColumnRangeFilter`.
    ///
    /// ```
    /// # use keystride_hbase::Filter;
    /// let of_2014 = Filter::column_range("2014-01-01"..="2014-12-31");
    /// # let _ = of_2014;
    /// ```
    pub fn column_range<Q: AsRef<[u8]>>(bounds: impl RangeBounds<Q>) -> Self {
        let (min_column, min_column_inclusive) = side(bounds.start_bound());
        let (max_column, max_column_inclusive) = side(bounds.end_bound());
        let message = proto::ColumnRangeFilter {
            min_column,
            min_column_inclusive: Some(min_column_inclusive),
            max_column,
            max_column_inclusive: Some(max_column_inclusive),
        };
        Self::of(class!("ColumnRangeFilter"), &message)
    }

    /// The first `count` columns of a row. Only for gets: a scan would end at the first row with more columns.
    /// `ColumnCountGetFilter`.
    pub fn column_count(count: u32) -> Self {
        Self::of(class!("ColumnCountGetFilter"), &proto::ColumnCountGetFilter { limit: java_int(count) })
    }

    /// At most `count` columns of each row, after the first `skipped`. `ColumnPaginationFilter`.
    ///
    /// Columns are counted across families.
    pub fn column_page(count: u32, skipped: u32) -> Self {
        let (limit, offset) = (java_int(count), Some(java_int(skipped)));
        let message = proto::ColumnPaginationFilter { limit, offset, column_offset: None };
        Self::of(class!("ColumnPaginationFilter"), &message)
    }

    /// At most `count` columns of each row, from `qualifier` on. `ColumnPaginationFilter`.
    pub fn column_page_from(count: u32, qualifier: impl AsRef<[u8]>) -> Self {
        let column_offset = Some(bytes(qualifier));
        let message = proto::ColumnPaginationFilter { limit: java_int(count), offset: None, column_offset };
        Self::of(class!("ColumnPaginationFilter"), &message)
    }

    /// The first cell of each row: enough to list or count rows, best with [`Self::key_only`]. `FirstKeyOnlyFilter`.
    pub fn first_key_only() -> Self {
        Self::of(class!("FirstKeyOnlyFilter"), &proto::FirstKeyOnlyFilter {})
    }

    /// The cells of each row up to the first with one of these qualifiers. `FirstKeyValueMatchingQualifiersFilter`.
    ///
    /// HBase 3 has removed it.
    pub fn first_key_until<Q: AsRef<[u8]>>(qualifiers: impl IntoIterator<Item = Q>) -> Self {
        let qualifiers = qualifiers.into_iter().map(bytes).collect();
        let message = proto::FirstKeyValueMatchingQualifiersFilter { qualifiers };
        Self::of(class!("FirstKeyValueMatchingQualifiersFilter"), &message)
    }

    /// Cells with empty values. `KeyOnlyFilter`.
    pub fn key_only() -> Self {
        Self::of(class!("KeyOnlyFilter"), &proto::KeyOnlyFilter { len_as_val: false })
    }

    /// Cells with the length of their value instead of the value: four bytes, big-endian. `KeyOnlyFilter`.
    pub fn key_and_length() -> Self {
        Self::of(class!("KeyOnlyFilter"), &proto::KeyOnlyFilter { len_as_val: true })
    }

    /// Cells with exactly these timestamps, in ms. `TimestampsFilter`.
    pub fn timestamps(timestamps_ms: impl IntoIterator<Item = i64>) -> Self {
        timestamps(timestamps_ms, false)
    }

    /// Like [`Self::timestamps`], but the server seeks to the timestamps. It may skip delete markers, so that deleted
    /// cells appear again. Use it only where nothing is deleted, or that does not matter. `TimestampsFilter`.
    pub fn timestamps_by_seeking(timestamps_ms: impl IntoIterator<Item = i64>) -> Self {
        timestamps(timestamps_ms, true)
    }

    /// Cells with the same timestamp as a cell of the given column in the same row. `DependentColumnFilter`.
    ///
    /// Not for scans in parts.
    pub fn dependent_column(column: DependentColumn) -> Self {
        let compare_filter = match column.value {
            Some((compare, comparator)) => compare_filter(compare, comparator),
            None => proto::CompareFilter { compare_op: CompareType::NoOp.into(), comparator: None },
        };
        let message = proto::DependentColumnFilter {
            compare_filter,
            column_family: Some(column.family),
            column_qualifier: Some(column.qualifier),
            drop_dependent_column: Some(column.drop_column),
        };
        Self::of(class!("DependentColumnFilter"), &message)
    }
}

/// One bound of a range of qualifiers, and whether it is inclusive.
fn side<Q: AsRef<[u8]>>(bound: Bound<&Q>) -> (Option<Bytes>, bool) {
    match bound {
        Bound::Included(qualifier) => (Some(bytes(qualifier)), true),
        Bound::Excluded(qualifier) => (Some(bytes(qualifier)), false),
        Bound::Unbounded => (None, true),
    }
}

/// No row has more columns than fit in an i32.
fn java_int(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn timestamps(timestamps_ms: impl IntoIterator<Item = i64>, seek: bool) -> Filter {
    // No cell has a negative timestamp, and servers refuse them.
    let timestamps: BTreeSet<i64> = timestamps_ms.into_iter().filter(|&timestamp| timestamp >= 0).collect();
    let message =
        proto::TimestampsFilter { timestamps: timestamps.into_iter().collect(), can_hint: Some(seek) };
    Filter::of(class!("TimestampsFilter"), &message)
}
