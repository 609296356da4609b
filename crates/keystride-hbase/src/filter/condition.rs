//! Conditions of atomic check-and-mutate operations.

use bytes::Bytes;

use super::{Comparator, Compare, Filter, bytes};
use crate::{TimeRange, proto};

/// What must hold for a row so that a change is made.
///
/// ```
/// # use keystride_hbase::{Comparator, Compare, Condition, Filter};
/// let first = Condition::column("cf", "owner").is_absent();
/// let mine = Condition::column("cf", "owner").equals("ada");
/// let lower = Condition::column("cf", "price").is(Compare::Less, Comparator::long(100)); // stored < 100
/// let none_of_2014 = Condition::filter(Filter::column_prefix("2014-"));
/// # let _ = (first, mine, lower, none_of_2014);
/// ```
///
/// No comparison holds for an absent column, not even `NotEqual`. With an empty given value, HBase tests "absent or
/// empty": every comparison except `NotEqual` tests that, and `NotEqual` tests the opposite.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    test: Test,
    time_range: Option<TimeRange>,
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    Column { column: ConditionColumn, compare: Compare, comparator: Comparator },
    Filter(Filter),
}

/// A column to make a condition on: see [`Condition::column`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConditionColumn {
    family: Bytes,
    qualifier: Bytes,
}

impl Condition {
    /// A condition on the newest value of one column.
    pub fn column(family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> ConditionColumn {
        ConditionColumn { family: bytes(family), qualifier: bytes(qualifier) }
    }

    /// A filter lets some cell of the row pass. Since HBase 2.4.
    pub fn filter(filter: Filter) -> Self {
        Test::Filter(filter).into()
    }

    /// Only considers cells with these timestamps. Servers before HBase 2 ignore this, and consider all cells.
    #[must_use]
    pub fn in_time_range(mut self, range: TimeRange) -> Self {
        self.time_range = Some(range);
        self
    }

    pub(crate) fn to_proto(&self, row: Bytes) -> proto::Condition {
        let condition = proto::Condition {
            row,
            time_range: self.time_range.map(TimeRange::to_proto),
            ..proto::Condition::default()
        };
        match &self.test {
            Test::Filter(filter) => proto::Condition { filter: Some(filter.to_proto()), ..condition },
            Test::Column { column, compare, comparator } => proto::Condition {
                family: Some(column.family.clone()),
                qualifier: Some(column.qualifier.clone()),
                // In conditions servers read "given op stored", in filters "stored op given".
                compare_type: Some(compare.reversed().code()),
                comparator: Some(comparator.clone().into_proto()),
                ..condition
            },
        }
    }
}

impl From<Test> for Condition {
    fn from(test: Test) -> Self {
        Self { test, time_range: None }
    }
}

impl ConditionColumn {
    /// Its stored value compares like this: `is(Compare::Less, given)` means "stored < given".
    pub fn is(self, compare: Compare, comparator: Comparator) -> Condition {
        Test::Column { column: self, compare, comparator }.into()
    }

    /// Its value is equal to this. With an empty value, the column is absent or empty.
    pub fn equals(self, value: impl AsRef<[u8]>) -> Condition {
        self.is(Compare::Equal, Comparator::binary(value))
    }

    /// It has no value, or an empty one: servers don't distinguish them.
    pub fn is_absent(self) -> Condition {
        self.is(Compare::Equal, Comparator::nothing())
    }

    /// It has a value that is not empty.
    pub fn is_present(self) -> Condition {
        self.is(Compare::NotEqual, Comparator::nothing())
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use prost::Message;

    use super::*;
    use crate::proto::CompareType;

    /// `HRegion.matches`, for the result of `expected.compareTo(stored)`.
    fn server_matches(op: CompareType, ordering: Ordering) -> bool {
        match op {
            CompareType::Less => ordering.is_lt(),
            CompareType::LessOrEqual => ordering.is_le(),
            CompareType::Equal => ordering.is_eq(),
            CompareType::NotEqual => ordering.is_ne(),
            CompareType::GreaterOrEqual => ordering.is_ge(),
            CompareType::Greater => ordering.is_gt(),
            CompareType::NoOp => unreachable!(),
        }
    }

    #[test]
    fn stored_is_compared_with_given_in_that_order() {
        type Holds = fn(u8, u8) -> bool;
        let holds: [(Compare, Holds); 6] = [
            (Compare::Less, |stored, given| stored < given),
            (Compare::LessOrEqual, |stored, given| stored <= given),
            (Compare::Equal, |stored, given| stored == given),
            (Compare::NotEqual, |stored, given| stored != given),
            (Compare::GreaterOrEqual, |stored, given| stored >= given),
            (Compare::Greater, |stored, given| stored > given),
        ];
        for (compare, holds) in holds {
            for (stored, given) in [(1_u8, 2_u8), (2, 2), (3, 2)] {
                let condition = Condition::column("f", "q").is(compare, Comparator::binary([given]));
                let message = condition.to_proto(Bytes::from_static(b"r"));
                let matches = server_matches(message.compare_type(), given.cmp(&stored));
                assert_eq!(matches, holds(stored, given), "{stored} {compare:?} {given}");
            }
        }
    }

    #[test]
    fn absence_is_equality_with_no_value() {
        let message = Condition::column("f", "q").is_absent().to_proto(Bytes::from_static(b"r"));
        assert_eq!(message.compare_type(), CompareType::Equal);
        let comparator = message.comparator.unwrap();
        assert_eq!(comparator.name, "org.apache.hadoop.hbase.filter.BinaryComparator");
        let read = proto::BinaryComparator::decode(comparator.serialized_comparator.unwrap()).unwrap();
        assert_eq!(read.comparable.value, None);
        let message = Condition::column("f", "q").is_present().to_proto(Bytes::new());
        assert_eq!(message.compare_type(), CompareType::NotEqual);
    }

    #[test]
    fn a_filter_stands_in_for_the_column() {
        let range = TimeRange::new(1, 2).unwrap();
        let filter = Filter::prefix("ab");
        let message =
            Condition::filter(filter.clone()).in_time_range(range).to_proto(Bytes::from_static(b"r"));
        let expected = proto::Condition {
            row: Bytes::from_static(b"r"),
            time_range: Some(range.to_proto()),
            filter: Some(filter.to_proto()),
            ..proto::Condition::default()
        };
        assert_eq!(message, expected);
        let message = Condition::column("f", "q").equals("v").in_time_range(range).to_proto(Bytes::new());
        assert_eq!(
            (message.family.as_deref(), message.qualifier.as_deref()),
            (Some(&b"f"[..]), Some(&b"q"[..]))
        );
        assert_eq!((message.time_range, message.filter), (Some(range.to_proto()), None));
    }
}
