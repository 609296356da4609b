//! Comparison operators.

use std::cmp::Ordering;

use crate::proto::CompareType;

/// Compares the stored value with the given one: `Less` holds if stored < given.
///
/// This is the same in filters and in conditions. On the wire HBase swaps the sides in conditions, so that `LESS` means
/// given < stored; [`Condition`](crate::Condition) handles that.
///
/// [`Comparator`](crate::Comparator)s that only test equality (regex, substring, bit, null) are meant for `Equal` and
/// `NotEqual`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compare {
    /// stored < given
    Less,
    /// stored ≤ given
    LessOrEqual,
    /// stored = given
    Equal,
    /// stored ≠ given
    NotEqual,
    /// stored ≥ given
    GreaterOrEqual,
    /// stored > given
    Greater,
}

impl Compare {
    /// All operators.
    pub const ALL: [Self; 6] =
        [Self::Less, Self::LessOrEqual, Self::Equal, Self::NotEqual, Self::GreaterOrEqual, Self::Greater];

    /// Whether it holds for this order of the stored value and the given one.
    ///
    /// ```
    /// # use keystride_hbase::Compare;
    /// assert!(Compare::LessOrEqual.holds(b"a".cmp(b"b")) && !Compare::Greater.holds(b"a".cmp(b"b")));
    /// ```
    pub fn holds(self, stored_to_given: Ordering) -> bool {
        match self {
            Self::Less => stored_to_given.is_lt(),
            Self::LessOrEqual => stored_to_given.is_le(),
            Self::Equal => stored_to_given.is_eq(),
            Self::NotEqual => stored_to_given.is_ne(),
            Self::GreaterOrEqual => stored_to_given.is_ge(),
            Self::Greater => stored_to_given.is_gt(),
        }
    }

    /// The operator for swapped sides: `a.is(op, b)` is `b.is(op.reversed(), a)`.
    ///
    /// ```
    /// # use keystride_hbase::Compare;
    /// assert_eq!(Compare::Less.reversed(), Compare::Greater);
    /// assert_eq!(Compare::Equal.reversed(), Compare::Equal);
    /// ```
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Greater => Self::Less,
        }
    }

    pub(super) fn code(self) -> i32 {
        let op = match self {
            Self::Less => CompareType::Less,
            Self::LessOrEqual => CompareType::LessOrEqual,
            Self::Equal => CompareType::Equal,
            Self::NotEqual => CompareType::NotEqual,
            Self::GreaterOrEqual => CompareType::GreaterOrEqual,
            Self::Greater => CompareType::Greater,
        };
        op.into()
    }
}
