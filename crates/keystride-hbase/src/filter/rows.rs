//! Filters by row.

use super::java_object::class;
use super::{Comparator, Compare, Filter, FuzzyRow, RowRange, bytes, compare_filter};
use crate::proto;

impl Filter {
    /// Rows whose key passes the comparison. `RowFilter`.
    ///
    /// It reads the first cell of each row; the scan's range does not.
    pub fn row(compare: Compare, comparator: Comparator) -> Self {
        let compare_filter = compare_filter(compare, comparator);
        Self::of(class!("RowFilter"), &proto::RowFilter { compare_filter })
    }

    /// Rows whose key starts with `prefix`. `PrefixFilter`.
    ///
    /// It ends the scan after the last such row, but does not start it at the first: set the scan's range.
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        Self::of(class!("PrefixFilter"), &proto::PrefixFilter { prefix: Some(bytes(prefix)) })
    }

    /// Rows in these ranges; the server seeks from one to the next. `MultiRowRangeFilter`.
    ///
    /// They can be in any order and may overlap. Without ranges it is [`Self::nothing`].
    ///
    /// ```
    /// # use keystride_hbase::{Filter, RowRange};
    /// let of_two_buckets = Filter::row_ranges([RowRange::prefix("007|"), RowRange::prefix("003|")]);
    /// assert_eq!(of_two_buckets, Filter::row_ranges([RowRange::prefix("003|"), RowRange::prefix("007|")]));
    /// assert_eq!(Filter::row_ranges([]), Filter::nothing());
    /// ```
    pub fn row_ranges(ranges: impl IntoIterator<Item = RowRange>) -> Self {
        // Servers refuse empty lists and reversed ranges, and early versions merge ranges incorrectly.
        let ranges = RowRange::merged(ranges);
        if ranges.is_empty() {
            return Self::nothing();
        }
        let row_range_list = ranges.into_iter().map(RowRange::into_proto).collect();
        Self::of(class!("MultiRowRangeFilter"), &proto::MultiRowRangeFilter { row_range_list })
    }

    /// Rows that match one of these patterns; the server seeks to the next possible match. `FuzzyRowFilter`.
    ///
    /// Without patterns it is [`Self::nothing`].
    pub fn fuzzy_rows(rows: impl IntoIterator<Item = FuzzyRow>) -> Self {
        let fuzzy_keys_data: Vec<_> = rows.into_iter().map(FuzzyRow::into_proto).collect();
        if fuzzy_keys_data.is_empty() {
            return Self::nothing();
        }
        // With this flag all servers read masks of 0 and 1 the same way. Without it those of 2.6 read the old encoding,
        // in which a mask of only 0 matches everything; earlier servers ignore the field.
        let is_mask_v2 = Some(true);
        Self::of(class!("FuzzyRowFilter"), &proto::FuzzyRowFilter { fuzzy_keys_data, is_mask_v2 })
    }

    /// Rows up to and including this one. `InclusiveStopFilter`.
    pub fn inclusive_stop(row: impl AsRef<[u8]>) -> Self {
        let stop_row_key = Some(bytes(row));
        Self::of(class!("InclusiveStopFilter"), &proto::InclusiveStopFilter { stop_row_key })
    }

    /// At most this many rows of each region. `PageFilter`.
    ///
    /// The scan's own limit applies to all regions together.
    pub fn page(row_count: u64) -> Self {
        // No region has more rows than fit in an i64.
        let page_size = i64::try_from(row_count).unwrap_or(i64::MAX);
        Self::of(class!("PageFilter"), &proto::PageFilter { page_size })
    }

    /// Each row with this probability, 0.0 to 1.0, independently in each scan. `RandomRowFilter`.
    pub fn random_rows(chance: f32) -> Self {
        Self::of(class!("RandomRowFilter"), &proto::RandomRowFilter { chance })
    }

    /// No rows; the server reads none. A `FilterList` of a [`Self::page`] without rows.
    ///
    /// HBase has the message `FilterAllFilter`, but servers don't have the class.
    pub fn nothing() -> Self {
        // A page on its own lets single cells pass, which a filter around it may ask about.
        Self::all([Self::page(0)])
    }
}
