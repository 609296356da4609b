//! Rewrites a predicate as a list of alternatives, each of which restricts some expressions to sets of values.
//!
//! The walk of a key needs to know, for each part, which values it may have. An `or` of different fields has no such
//! answer, but each of its sides has. So the predicate is multiplied out, as in arithmetic, and negations move to the
//! comparisons. For example,
//!
//! ```text
//! phone = '1' and (day = '20200406' or not day < '20200408')
//! ```
//!
//! becomes two alternatives:
//!
//! ```text
//! phone in {1}, day in {20200406}
//! phone in {1}, day in {20200408 …}
//! ```
//!
//! Sets of the same expression within an alternative are intersected; an empty set removes the alternative. A comparison
//! with a missing value is neither true nor false, in a negation as well: that is why a set says separately whether
//! it has the missing value, and why the complement of a set does not get it.

use std::ops::Bound;
use std::sync::Arc;

use super::key_default::key_default;
use super::predicate::Predicate;
use super::set::{Interval, Literal, ValueSet};
use crate::design::{Design, Expr};

/// One alternative: a row matches if the value of every expression is in its set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conjunction {
    pub(crate) terms: Vec<Term>,
}

/// An expression and its allowed values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub(crate) expr: Expr,
    /// Shared by the places of a walk, as a list may be long.
    pub(crate) set: Arc<ValueSet>,
    /// Whether the predicate allows more values than these, which are looked for elsewhere.
    pub(crate) is_narrowed: bool,
}

impl Term {
    /// Where the source of a derived field is missing, the field has the value that the key has of a default.
    fn new(expr: &Expr, set: ValueSet, design: &Design) -> Self {
        let default = if expr.function.is_none() { key_default(expr.field, design) } else { None };
        let null = default.map_or(set.null, |default| set.contains(Some(&default)));
        Self {
            expr: expr.of_source(&design.fields),
            set: Arc::new(ValueSet { null, ..set }),
            is_narrowed: false,
        }
    }
}

/// The largest number of alternatives that are planned one by one.
const MOST_ALTERNATIVES: usize = 4_096;

/// Returns the alternatives of a predicate; `None` when there are too many. A row may match several.
pub(crate) fn alternatives(predicate: &Predicate, design: &Design) -> Option<Vec<Conjunction>> {
    let mut list = expand(predicate, Sense::True, design)?;
    list.retain(|conjunction| conjunction.terms.iter().all(|term| !term.set.is_empty()));
    if list.len() > 1 {
        list.iter_mut().flat_map(|one| &mut one.terms).for_each(|term| term.is_narrowed = true);
    }
    Some(list)
}

/// Whether rows are wanted for which a predicate is true, or false; with a missing value it is neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    True,
    False,
}

fn expand(predicate: &Predicate, sense: Sense, design: &Design) -> Option<Vec<Conjunction>> {
    match (predicate, sense) {
        (Predicate::Not(inner), Sense::True) => expand(inner, Sense::False, design),
        (Predicate::Not(inner), Sense::False) => expand(inner, Sense::True, design),
        (Predicate::And(list), Sense::True) | (Predicate::Or(list), Sense::False) => {
            all_of(list, sense, design)
        }
        (Predicate::Or(list), Sense::True) | (Predicate::And(list), Sense::False) => {
            any_of(list, sense, design)
        }
        (
            Predicate::Compare { expr, .. } | Predicate::In { expr, .. } | Predicate::Prefix { expr, .. },
            _,
        ) => {
            let set = predicate.set();
            let set = if sense == Sense::True { set } else { complement(&set) };
            Some(vec![Conjunction { terms: vec![Term::new(expr, set, design)] }])
        }
        (Predicate::IsNull(expr), _) => {
            let set = if sense == Sense::True { ValueSet::only_null() } else { ValueSet::values() };
            Some(vec![Conjunction { terms: vec![Term::new(expr, set, design)] }])
        }
    }
}

/// Goes through the list by halves: each set is then part of few intersections, of which later ones are large.
fn all_of(list: &[Predicate], sense: Sense, design: &Design) -> Option<Vec<Conjunction>> {
    match list {
        [] => Some(vec![Conjunction { terms: Vec::new() }]),
        [one] => expand(one, sense, design),
        _ => {
            let (left, right) = list.split_at(list.len() / 2);
            let (left, right) = (all_of(left, sense, design)?, all_of(right, sense, design)?);
            if left.len().checked_mul(right.len())? > MOST_ALTERNATIVES {
                return None;
            }
            Some(left.iter().flat_map(|one| right.iter().map(|other| one.and(other))).collect())
        }
    }
}

fn any_of(list: &[Predicate], sense: Sense, design: &Design) -> Option<Vec<Conjunction>> {
    let mut sum = Vec::new();
    for one in list {
        sum.extend(expand(one, sense, design)?);
    }
    (sum.len() <= MOST_ALTERNATIVES).then_some(sum)
}

/// Returns the values that are not in the set; absence is in neither.
fn complement(set: &ValueSet) -> ValueSet {
    let mut rest = Vec::new();
    let mut low: Option<Bound<Literal>> = Some(Bound::Unbounded);
    for interval in &set.intervals {
        if let (Some(low), Some(high)) = (low.take(), flip(&interval.low)) {
            rest.push(Interval { low, high });
        }
        low = flip(&interval.high);
    }
    rest.extend(low.map(|low| Interval { low, high: Bound::Unbounded }));
    ValueSet::of(rest)
}

fn flip(bound: &Bound<Literal>) -> Option<Bound<Literal>> {
    match bound {
        Bound::Included(value) => Some(Bound::Excluded(value.clone())),
        Bound::Excluded(value) => Some(Bound::Included(value.clone())),
        Bound::Unbounded => None,
    }
}

impl Conjunction {
    pub(crate) fn set_of(&self, expr: &Expr) -> Option<&ValueSet> {
        self.terms.iter().find(|term| term.expr == *expr).map(|term| &*term.set)
    }

    /// Returns the conjunction with the values of one expression restricted further.
    pub(crate) fn narrowed(&self, expr: &Expr, set: &ValueSet) -> Self {
        let mut narrowed = self.clone();
        match narrowed.terms.iter_mut().find(|own| own.expr == *expr) {
            Some(own) => {
                let within = own.set.intersect(set);
                own.is_narrowed |= within != *own.set;
                own.set = Arc::new(within);
            }
            None => {
                narrowed.terms.push(Term {
                    expr: expr.clone(),
                    set: Arc::new(set.clone()),
                    is_narrowed: true,
                });
            }
        }
        narrowed
    }

    /// Replaces the values of an expression by some of them.
    pub(crate) fn restrict(&mut self, expr: &Expr, some: &Arc<ValueSet>) {
        for term in self.terms.iter_mut().filter(|term| term.expr == *expr) {
            term.set = Arc::clone(some);
            term.is_narrowed = true;
        }
    }

    fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        for term in &other.terms {
            match both.terms.iter_mut().find(|own| own.expr == term.expr) {
                Some(own) => own.set = Arc::new(own.set.intersect(&term.set)),
                None => both.terms.push(term.clone()),
            }
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_in_two_intervals_is_three() {
        let int = |n| Literal::Int(n);
        let set = ValueSet::of(vec![Interval::point(int(3)), Interval::point(int(7))]);
        let rest = complement(&set);
        assert_eq!(rest.intervals.len(), 3);
        assert!(!rest.contains(Some(&int(3))) && rest.contains(Some(&int(5))) && !rest.contains(None));
        assert_eq!(complement(&rest), set);
    }

    #[test]
    fn more_alternatives_than_are_planned_one_by_one_are_none() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
             [key]\nparts = [{ field = \"id\" }]",
        );
        let design = design.unwrap();
        let is_planned =
            |text: &str| alternatives(&Predicate::parse(text, &design).unwrap(), &design).is_some();
        let sum = |terms: usize| vec!["id > 7"; terms].join(" or ");
        assert!(is_planned(&sum(4_096)) && !is_planned(&sum(4_097)));
        let product = |factors: usize| vec!["(id = 7 or id > 5)"; factors].join(" and ");
        assert!(is_planned(&product(12)) && !is_planned(&product(13)));
    }
}
