//! The six ways to compare.

use crate::proto::CompareType;

/// How what is stored stands to what is given: `Less` keeps what is less than the given value.
///
/// It reads so in filters and in conditions alike. On the wire HBase turns conditions round, so that `LESS` there
/// means "given is less than stored"; [`Condition`](crate::Condition) sees to that.
///
/// [`Comparator`](crate::Comparator)s that only say yes or no (regex, substring, bit, null) make sense with `Equal`
/// and `NotEqual`.
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
    /// With its two sides exchanged: `a.is(op, b)` is `b.is(op.reversed(), a)`.
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
