//! Filters of rows.

use super::java_object::class;
use super::{Comparator, Compare, Filter, FuzzyRow, RowRange, bytes, compare_filter};
use crate::proto;

impl Filter {
    /// Rows whose key compares so with the given one. `RowFilter`.
    ///
    /// A range of keys is better asked for as the scan's range: this reads the first cell of each row.
    pub fn row(compare: Compare, comparator: Comparator) -> Self {
        let compare_filter = compare_filter(compare, comparator);
        Self::of(class!("RowFilter"), &proto::RowFilter { compare_filter })
    }

    /// Rows whose key starts with `prefix`. `PrefixFilter`.
    ///
    /// It ends the scan past the last such row; that it starts at the first is for the scan's range to say.
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        Self::of(class!("PrefixFilter"), &proto::PrefixFilter { prefix: Some(bytes(prefix)) })
    }

    /// Rows of these ranges; the server jumps from one to the next. `MultiRowRangeFilter`.
    ///
    /// Their order does not matter, and they may overlap. Without ranges there are no rows: [`Self::nothing`].
    ///
    /// ```
    /// # use keystride_hbase::{Filter, RowRange};
    /// let of_two_buckets = Filter::row_ranges([RowRange::prefix("007|"), RowRange::prefix("003|")]);
    /// assert_eq!(of_two_buckets, Filter::row_ranges([RowRange::prefix("003|"), RowRange::prefix("007|")]));
    /// assert_eq!(Filter::row_ranges([]), Filter::nothing());
    /// ```
    pub fn row_ranges(ranges: impl IntoIterator<Item = RowRange>) -> Self {
        // Servers refuse no ranges and ranges that run backwards, and early ones merge with mistakes.
        let ranges = RowRange::merged(ranges);
        if ranges.is_empty() {
            return Self::nothing();
        }
        let row_range_list = ranges.into_iter().map(RowRange::into_proto).collect();
        Self::of(class!("MultiRowRangeFilter"), &proto::MultiRowRangeFilter { row_range_list })
    }

    /// Rows that match one of these patterns; the server jumps to where the next can be. `FuzzyRowFilter`.
    ///
    /// Without patterns there are no rows: [`Self::nothing`].
    pub fn fuzzy_rows(rows: impl IntoIterator<Item = FuzzyRow>) -> Self {
        let fuzzy_keys_data: Vec<_> = rows.into_iter().map(FuzzyRow::into_proto).collect();
        if fuzzy_keys_data.is_empty() {
            return Self::nothing();
        }
        // Masks of 0 and 1 are read alike by all servers if this is set: those of 2.6 take other masks for the old
        // coding, in which one of 0 only is all free; those before pass over the field.
        let is_mask_v2 = Some(true);
        Self::of(class!("FuzzyRowFilter"), &proto::FuzzyRowFilter { fuzzy_keys_data, is_mask_v2 })
    }

    /// Rows up to this one, itself included. `InclusiveStopFilter`.
    pub fn inclusive_stop(row: impl AsRef<[u8]>) -> Self {
        let stop_row_key = Some(bytes(row));
        Self::of(class!("InclusiveStopFilter"), &proto::InclusiveStopFilter { stop_row_key })
    }

    /// At most so many rows of each region. `PageFilter`.
    ///
    /// The scan's own limit is for all regions together.
    pub fn page(row_count: u64) -> Self {
        // No region has more rows than fit an i64.
        let page_size = i64::try_from(row_count).unwrap_or(i64::MAX);
        Self::of(class!("PageFilter"), &proto::PageFilter { page_size })
    }

    /// Each row with this chance, 0.0 to 1.0, drawn anew by each scan. `RandomRowFilter`.
    pub fn random_rows(chance: f32) -> Self {
        Self::of(class!("RandomRowFilter"), &proto::RandomRowFilter { chance })
    }

    /// No row at all; the server does not read any. A `FilterList` of a [`Self::page`] without rows.
    ///
    /// HBase has the message `FilterAllFilter`, but servers don't have its class.
    pub fn nothing() -> Self {
        // By itself the page would let pass what a filter around it asks of each cell.
        Self::all([Self::page(0)])
    }
}
