//! Filters by value.

use bytes::Bytes;

use super::java_object::class;
use super::{Comparator, Compare, Filter, bytes, compare_filter};
use crate::proto;

/// The test of [`Filter::single_column_value`].
///
/// ```
/// # use keystride_hbase::{ColumnTest, Comparator, Compare, Filter};
/// let adults = Filter::single_column_value(ColumnTest {
///     keep_if_missing: false,
///     ..ColumnTest::new("cf", "age", Compare::GreaterOrEqual, Comparator::long(18))
/// });
/// # let _ = adults;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnTest {
    /// Family of the tested column.
    pub family: Bytes,
    /// Qualifier of the tested column.
    pub qualifier: Bytes,
    /// How its value must compare with `comparator`.
    pub compare: Compare,
    /// What it is compared with.
    pub comparator: Comparator,
    /// Whether rows without the column pass.
    pub keep_if_missing: bool,
    /// Whether only the newest version is tested; otherwise one of those read must pass.
    pub latest_version_only: bool,
}

impl ColumnTest {
    /// A test with HBase's defaults: rows without the column pass, and only the newest version is tested.
    pub fn new(
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        compare: Compare,
        comparator: Comparator,
    ) -> Self {
        Self {
            family: bytes(family),
            qualifier: bytes(qualifier),
            compare,
            comparator,
            keep_if_missing: true,
            latest_version_only: true,
        }
    }

    fn into_proto(self) -> proto::SingleColumnValueFilter {
        proto::SingleColumnValueFilter {
            column_family: Some(self.family),
            column_qualifier: Some(self.qualifier),
            compare_op: self.compare.code(),
            comparator: self.comparator.into_proto(),
            filter_if_missing: Some(!self.keep_if_missing),
            latest_version_only: Some(self.latest_version_only),
        }
    }
}

impl Filter {
    /// Cells of any column whose value passes the comparison. `ValueFilter`.
    pub fn value(compare: Compare, comparator: Comparator) -> Self {
        let compare_filter = compare_filter(compare, comparator);
        Self::of(class!("ValueFilter"), &proto::ValueFilter { compare_filter })
    }

    /// Only cells of one column, whose value passes the comparison. `ColumnValueFilter`.
    pub fn column_value(
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        compare: Compare,
        comparator: Comparator,
    ) -> Self {
        let message = proto::ColumnValueFilter {
            family: bytes(family),
            qualifier: bytes(qualifier),
            compare_op: compare.code(),
            comparator: comparator.into_proto(),
        };
        Self::of(class!("ColumnValueFilter"), &message)
    }

    /// Whole rows whose column passes the test. `SingleColumnValueFilter`.
    ///
    /// The scan must read the column, otherwise every row lacks it.
    pub fn single_column_value(test: ColumnTest) -> Self {
        Self::of(class!("SingleColumnValueFilter"), &test.into_proto())
    }

    /// Like [`Self::single_column_value`], without the tested column. `SingleColumnValueExcludeFilter`.
    pub fn single_column_value_exclude(test: ColumnTest) -> Self {
        let single_column_value_filter = test.into_proto();
        let message = proto::SingleColumnValueExcludeFilter { single_column_value_filter };
        Self::of(class!("SingleColumnValueExcludeFilter"), &message)
    }
}
