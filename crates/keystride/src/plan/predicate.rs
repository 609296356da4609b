//! Predicates on fields, and their truth for a row. As in SQL, a comparison with a missing value is neither true nor
//! false, and a row matches only if its predicate is true.

use std::ops::Bound;

use super::set::{Literal, ValueSet};
use crate::design::{Design, Expr};
use crate::range::after_prefix;
use crate::value::Row;

/// A condition on a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// `expr op literal`.
    Compare {
        /// A field or a function of one.
        expr: Expr,
        /// How they compare.
        op: Comparison,
        /// What it is compared with.
        literal: Literal,
    },
    /// `expr in (…)`.
    In {
        /// A field or a function of one.
        expr: Expr,
        /// At least one value.
        literals: Vec<Literal>,
    },
    /// `expr like 'x%'`.
    Prefix {
        /// A field or a function of one, whose value is text.
        expr: Expr,
        /// The prefix of the text.
        prefix: Vec<u8>,
    },
    /// `expr is null`.
    IsNull(Expr),
    /// All of them hold; true if the list is empty.
    And(Vec<Predicate>),
    /// At least one of them holds; false if the list is empty.
    Or(Vec<Predicate>),
    /// The predicate does not hold.
    Not(Box<Predicate>),
}

/// The comparison operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
}

impl Predicate {
    /// Whether the predicate is true for a row. A derived value that can't be computed counts as missing.
    pub fn matches(&self, design: &Design, row: &Row) -> bool {
        self.truth(design, row) == Some(true)
    }

    /// Returns the fields that the predicate refers to.
    pub fn fields(&self) -> Vec<usize> {
        match self {
            Self::Compare { expr, .. }
            | Self::In { expr, .. }
            | Self::Prefix { expr, .. }
            | Self::IsNull(expr) => {
                vec![expr.field]
            }
            Self::And(list) | Self::Or(list) => list.iter().flat_map(Self::fields).collect(),
            Self::Not(inner) => inner.fields(),
        }
    }

    /// Returns the truth for a row; `None` is unknown.
    fn truth(&self, design: &Design, row: &Row) -> Option<bool> {
        match self {
            Self::And(all) => decide(all, false, design, row),
            Self::Or(any) => decide(any, true, design, row),
            Self::Not(inner) => inner.truth(design, row).map(|truth| !truth),
            Self::IsNull(expr) => Some(literal_of(expr, design, row).is_none()),
            Self::Compare { expr, .. } | Self::In { expr, .. } | Self::Prefix { expr, .. } => {
                let value = literal_of(expr, design, row)?;
                Some(self.set().contains(Some(&value)))
            }
        }
    }

    /// Returns the values that an atom allows; all values for any other predicate.
    pub(crate) fn set(&self) -> ValueSet {
        match self {
            Self::Compare { op, literal, .. } => comparison_set(*op, literal),
            Self::In { literals, .. } => {
                ValueSet::of(literals.iter().cloned().map(super::set::Interval::point).collect())
            }
            Self::Prefix { prefix, .. } => prefix_set(prefix),
            Self::IsNull(_) => ValueSet::only_null(),
            Self::And(_) | Self::Or(_) | Self::Not(_) => ValueSet::values(),
        }
    }
}

/// Returns `deciding` if that is the truth of any predicate, or else unknown if any is unknown, or else the opposite.
fn decide(list: &[Predicate], deciding: bool, design: &Design, row: &Row) -> Option<bool> {
    let mut unknown = false;
    for one in list {
        match one.truth(design, row) {
            Some(truth) if truth == deciding => return Some(deciding),
            Some(_) => {}
            None => unknown = true,
        }
    }
    if unknown { None } else { Some(!deciding) }
}

fn comparison_set(op: Comparison, literal: &Literal) -> ValueSet {
    let included = || Bound::Included(literal.clone());
    let excluded = || Bound::Excluded(literal.clone());
    match op {
        Comparison::Equal => ValueSet::interval(included(), included()),
        Comparison::Less => ValueSet::interval(Bound::Unbounded, excluded()),
        Comparison::LessOrEqual => ValueSet::interval(Bound::Unbounded, included()),
        Comparison::Greater => ValueSet::interval(excluded(), Bound::Unbounded),
        Comparison::GreaterOrEqual => ValueSet::interval(included(), Bound::Unbounded),
        Comparison::NotEqual => ValueSet::of(vec![
            super::set::Interval { low: Bound::Unbounded, high: excluded() },
            super::set::Interval { low: excluded(), high: Bound::Unbounded },
        ]),
    }
}

/// A prefix is an interval where values compare by their bytes; the parser allows it for no other field.
fn prefix_set(prefix: &[u8]) -> ValueSet {
    let high = after_prefix(prefix).map_or(Bound::Unbounded, |stop| Bound::Excluded(Literal::Bytes(stop)));
    ValueSet::interval(Bound::Included(Literal::Bytes(prefix.to_vec())), high)
}

/// Returns the value of an expression in a row; one that can't be computed is missing.
pub(crate) fn literal_of(expr: &Expr, design: &Design, row: &Row) -> Option<Literal> {
    design.result_of(expr, row, &mut Vec::new()).ok().flatten().map(Literal::of)
}
