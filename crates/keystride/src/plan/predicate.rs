//! Predicates on fields, and their truth for a row. As in SQL, a comparison with a missing value is neither true nor
//! false, and a row matches only if its predicate is true.

use std::cmp::Ordering;
use std::ops::Bound;

use super::literal_list::LiteralList;
use super::set::{Interval, Literal, ValueSet, bytes_of};
use crate::design::{Design, Expr};
use crate::value::{Row, Value};

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
        /// The values, at least one.
        literals: LiteralList,
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

impl Comparison {
    /// Whether it is `=` or `!=`, which need no order.
    pub(super) fn is_equality(self) -> bool {
        matches!(self, Self::Equal | Self::NotEqual)
    }

    /// Whether it holds of a value that compares so with its literal.
    fn allows(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl Predicate {
    /// Whether the predicate is true for a row. A derived value that can't be computed counts as missing.
    pub fn matches(&self, design: &Design, row: &Row) -> bool {
        self.truth(design, row) == Some(true)
    }

    /// Returns the predicate that at least one of `list` holds. What one expression may be equal to becomes one list: a
    /// row's value is looked up in a list, whereas alternatives are tried one after the other.
    pub fn any(list: Vec<Self>) -> Self {
        let mut any = joined(list, Self::equated, |list| list);
        if any.len() == 1 { any.remove(0) } else { Self::Or(any) }
    }

    /// Returns the predicate that all of `list` hold. What one expression must not be equal to becomes one list, too.
    pub fn all(list: Vec<Self>) -> Self {
        let mut all = joined(list, Self::unequated, |list| Self::Not(Box::new(list)));
        if all.len() == 1 { all.remove(0) } else { Self::And(all) }
    }

    /// Returns the expression that has to be equal to one of some literals.
    fn equated(&self) -> Option<&Expr> {
        match self {
            Self::Compare { expr, op: Comparison::Equal, .. } | Self::In { expr, .. } => Some(expr),
            _ => None,
        }
    }

    /// Returns the expression that must not be equal to any of some literals.
    fn unequated(&self) -> Option<&Expr> {
        match self {
            Self::Compare { expr, op: Comparison::NotEqual, .. } => Some(expr),
            Self::Not(inner) => inner.equated(),
            _ => None,
        }
    }

    /// Returns the literals of a predicate that is `equated` or `unequated`.
    fn into_literals(self) -> Vec<Literal> {
        match self {
            Self::Compare { literal, .. } => vec![literal],
            Self::In { literals, .. } => literals.into(),
            Self::Not(inner) => inner.into_literals(),
            _ => Vec::new(),
        }
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
            Self::IsNull(expr) => Some(value_of(expr, design, row, &mut Vec::new()).is_none()),
            Self::Compare { expr, .. } | Self::In { expr, .. } | Self::Prefix { expr, .. } => {
                value_of(expr, design, row, &mut Vec::new()).map(|value| self.allows(value))
            }
        }
    }

    /// Whether an atom allows a value: whether [`set`](Self::set) contains it, without making the set for each row.
    fn allows(&self, value: Value<'_>) -> bool {
        match self {
            Self::Compare { op, literal, .. } => op.allows(literal.cmp_value(value).reverse()),
            Self::In { literals, .. } => literals.contains(value),
            Self::Prefix { prefix, .. } => bytes_of(&value).is_some_and(|bytes| bytes.starts_with(prefix)),
            Self::IsNull(_) | Self::And(_) | Self::Or(_) | Self::Not(_) => false,
        }
    }

    /// Returns the values that an atom allows; all values for any other predicate.
    pub(crate) fn set(&self) -> ValueSet {
        match self {
            Self::Compare { op, literal, .. } => comparison_set(*op, literal),
            Self::In { literals, .. } => {
                ValueSet::of(literals.iter().cloned().map(Interval::point).collect())
            }
            // The parser allows it only for fields whose values compare by their bytes.
            Self::Prefix { prefix, .. } => ValueSet::of(vec![Interval::prefix(prefix)]),
            Self::IsNull(_) => ValueSet::only_null(),
            Self::And(_) | Self::Or(_) | Self::Not(_) => ValueSet::values(),
        }
    }
}

/// Joins those of `list` that compare the same expression with literals: what `of_list` makes of the list of them stands in
/// the place of the first. The others stay as they are.
fn joined(
    list: Vec<Predicate>,
    compared: fn(&Predicate) -> Option<&Expr>,
    of_list: fn(Predicate) -> Predicate,
) -> Vec<Predicate> {
    let mut groups: Vec<Vec<Predicate>> = Vec::new();
    let mut known: Vec<(Expr, usize)> = Vec::new();
    for one in list {
        let expr = compared(&one).cloned();
        let alike = known.iter().find(|(known, _)| Some(known) == expr.as_ref());
        match alike {
            Some(&(_, group)) => groups[group].push(one),
            None => {
                known.extend(expr.map(|expr| (expr, groups.len())));
                groups.push(vec![one]);
            }
        }
    }
    let joined = |mut group: Vec<Predicate>| match compared(&group[0]).cloned() {
        Some(expr) if group.len() > 1 => {
            let literals = group.into_iter().flat_map(Predicate::into_literals).collect();
            of_list(Predicate::In { expr, literals })
        }
        _ => group.remove(0),
    };
    groups.into_iter().map(joined).collect()
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
            Interval { low: Bound::Unbounded, high: excluded() },
            Interval { low: excluded(), high: Bound::Unbounded },
        ]),
    }
}

/// Returns the value of an expression in a row; one that can't be computed is missing. Texts that have to be built are
/// built in `text`.
fn value_of<'a>(expr: &Expr, design: &'a Design, row: &'a Row, text: &'a mut Vec<u8>) -> Option<Value<'a>> {
    design.result_of(expr, row, text).ok().flatten()
}

/// As `value_of`, owned.
pub fn literal_of(expr: &Expr, design: &Design, row: &Row) -> Option<Literal> {
    value_of(expr, design, row, &mut Vec::new()).map(Literal::of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_atom_allows_is_in_its_set() {
        let texts = ["", "a", "ab", "b"].map(|text| Literal::of(Value::Text(text)));
        let numbers = [-1, 0, 7].map(Literal::Int);
        let floats = [f64::NEG_INFINITY, -0.0, 0.0, 1.5, f64::NAN].map(Literal::Float);
        let literals: Vec<Literal> = texts.into_iter().chain(numbers).chain(floats).collect();
        let values = [
            Value::Text(""),
            Value::Text("a"),
            Value::Bytes(b"ab"),
            Value::Bool(true),
            Value::Uuid([b'a'; 16]),
            Value::Int(0),
            Value::Int(8),
            Value::F32(-0.0),
            Value::F64(1.5),
            Value::F64(f64::NAN),
        ];
        let expr = || Expr { field: 0, function: None };
        let ops = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
        ];
        let compared = literals.iter().flat_map(|literal| {
            ops.map(|op| Predicate::Compare { expr: expr(), op, literal: literal.clone() })
        });
        let lists = literals
            .windows(3)
            .map(|some| Predicate::In { expr: expr(), literals: some.iter().cloned().collect() });
        let prefixes =
            [&b""[..], b"a", b"ab"].map(|prefix| Predicate::Prefix { expr: expr(), prefix: prefix.to_vec() });
        // The types of a field's values and literals are the same.
        let is_alike = |atom: &Predicate, value: &Value<'_>| match atom {
            Predicate::Compare { literal, .. } => {
                std::mem::discriminant(literal) == std::mem::discriminant(&Literal::of(*value))
            }
            Predicate::Prefix { .. } => bytes_of(value).is_some(),
            _ => true,
        };
        for atom in compared.chain(lists).chain(prefixes) {
            for value in values.into_iter().filter(|value| is_alike(&atom, value)) {
                let is_in_set = atom.set().contains(Some(&Literal::of(value)));
                assert_eq!(atom.allows(value), is_in_set, "{atom:?} {value:?}");
            }
        }
    }
}
