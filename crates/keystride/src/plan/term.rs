//! The values that a conjunction allows for one part.

use std::ops::Bound;

use super::conjunction::Conjunction;
use super::set::{Interval, Literal, ValueSet};
use crate::codec::apply_function;
use crate::design::{
    Design, Expr, Field, FieldKind, FieldPart, Function, TimeKind, ceil_number, floor_number, next_period,
    partition,
};
use crate::time::Period;

/// The values that a part may have, and the terms that hold if it has one of them.
#[derive(Debug, Clone)]
pub(super) struct PartSet {
    pub(super) set: ValueSet,
    pub(super) held: Vec<usize>,
    /// All terms that say something about the part.
    pub(super) terms: Vec<usize>,
    /// Whether one of them is [narrowed](super::conjunction::Term::is_narrowed).
    pub(super) is_narrowed: bool,
}

/// Returns what `conjunction` says about the part; `None` if it says nothing.
pub(super) fn part_set(conjunction: &Conjunction, part: &FieldPart, design: &Design) -> Option<PartSet> {
    let own = Expr::field(part.field).of_source(&design.fields);
    let mut found: Option<PartSet> = None;
    for (index, term) in conjunction.terms.iter().enumerate() {
        let Some((set, exact)) = translate(&term.expr, &term.set, &own, design) else { continue };
        let known = found.get_or_insert_with(|| PartSet {
            set: everything(),
            held: Vec::new(),
            terms: Vec::new(),
            is_narrowed: false,
        });
        known.set = known.set.intersect(&set);
        known.is_narrowed |= term.is_narrowed;
        known.terms.push(index);
        known.held.extend(exact.then_some(index));
    }
    let mut found = found?;
    if let (Some(period), Some(time)) = (part.steps.floor, design.fields[part.field].time()) {
        let aligned = floor_set(&mut found.set, period, time);
        if !aligned {
            found.held.clear();
        }
    }
    Some(found)
}

fn everything() -> ValueSet {
    ValueSet { null: true, ..ValueSet::values() }
}

/// Translates the set of a term to the part's own expression; the flag is true if both sets are equivalent.
fn translate(term: &Expr, set: &ValueSet, own: &Expr, design: &Design) -> Option<(ValueSet, bool)> {
    if term == own {
        return Some((set.clone(), true));
    }
    if term.field != own.field {
        return None;
    }
    let field = &design.fields[own.field];
    match (&own.function, &term.function) {
        (None, Some(function)) => argument_set(function, set, field).map(|set| (set, true)),
        (Some(function), None) => result_set(function, set, field).map(|set| (set, false)),
        (Some(function), Some(other)) => {
            let arguments = argument_set(other, set, field)?;
            result_set(function, &arguments, field).map(|set| (set, false))
        }
        (None, None) => None,
    }
}

/// Returns the arguments for which the function is in `set`.
pub(super) fn argument_set(function: &Function, set: &ValueSet, field: &Field) -> Option<ValueSet> {
    let intervals = set.intervals.iter();
    let arguments: Vec<Interval> = match (function, field.time()) {
        (Function::Floor(period), Some(time)) => intervals.map(|i| unfloored(i, *period, time)).collect(),
        (Function::Left(_), Some(time)) if time.text_keeps_order() => set
            .points()?
            .into_iter()
            .map(|point| times_that_begin(function, point, field))
            .collect::<Option<_>>()?,
        // Of a text that is too short, the function is missing.
        (Function::Left(count), None) if is_text(field) && (!set.null || is_as_long(field, *count)) => {
            let points = set.points()?.into_iter().filter(|point| is_of_units(point, *count));
            points.map(prefix_interval).collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some(ValueSet { null: set.null, ..ValueSet::of(arguments) })
}

fn is_text(field: &Field) -> bool {
    matches!(field.kind, FieldKind::String(_) | FieldKind::Digits { .. })
}

/// Whether all values of a field have at least `count` characters.
fn is_as_long(field: &Field, count: usize) -> bool {
    matches!(field.kind, FieldKind::Digits { len } if len >= count)
}

/// Whether a literal is a text of `count` UTF-16 units.
fn is_of_units(literal: &Literal, count: usize) -> bool {
    let Literal::Bytes(bytes) = literal else { return true };
    std::str::from_utf8(bytes).is_ok_and(|text| text.encode_utf16().count() == count)
}

/// Returns the times whose text begins with these characters; texts sort as the times do.
fn times_that_begin(left: &Function, beginning: &Literal, field: &Field) -> Option<Interval> {
    let time = field.time()?;
    let begins = |number| result_of(left, &Literal::Int(time.value_up_to(number)), field);
    // Both ends have texts, and so has all that lies between.
    begins(time.min).and_then(|_| begins(time.max))?;
    let first = partition(time.min, time.max, |number| begins(number).is_some_and(|text| text < *beginning));
    let after = partition(first, time.max, |number| begins(number).is_some_and(|text| text == *beginning));
    Some(Interval { low: Bound::Included(Literal::Int(first)), high: Bound::Excluded(Literal::Int(after)) })
}

fn prefix_interval(prefix: &Literal) -> Option<Interval> {
    let Literal::Bytes(prefix) = prefix else { return None };
    Some(Interval::prefix(prefix))
}

/// `floor(t) ≥ a` holds from the first period that starts at `a` or later; `floor(t) ≤ b` holds before the end of b's
/// period.
fn unfloored(interval: &Interval, period: Period, time: &TimeKind) -> Interval {
    let ceiling = |number: i128| ceil_number(number, period, time);
    let low = match interval.low {
        Bound::Included(Literal::Int(low)) => Bound::Included(Literal::Int(ceiling(low))),
        Bound::Excluded(Literal::Int(low)) => Bound::Included(Literal::Int(next_period(low, period, time))),
        _ => Bound::Unbounded,
    };
    let high = match interval.high {
        Bound::Included(Literal::Int(high)) => Bound::Excluded(Literal::Int(next_period(high, period, time))),
        Bound::Excluded(Literal::Int(high)) => Bound::Excluded(Literal::Int(ceiling(high))),
        _ => Bound::Unbounded,
    };
    Interval { low, high }
}

/// Returns the results of a function over `set`, or a superset.
fn result_set(function: &Function, set: &ValueSet, field: &Field) -> Option<ValueSet> {
    if let (Function::Floor(period), Some(time)) = (function, field.time()) {
        let mut floored = set.clone();
        floor_set(&mut floored, *period, time);
        return Some(floored);
    }
    if matches!(function, Function::Left(_)) && is_text(field) && set.points().is_none() {
        let beginnings = set.intervals.iter().map(|interval| beginnings(function, interval, field));
        return Some(ValueSet { null: set.null, ..ValueSet::of(beginnings.collect()) });
    }
    let points = set.points()?;
    let results: Option<Vec<Interval>> =
        points.into_iter().map(|point| result_of(function, point, field).map(Interval::point)).collect();
    Some(ValueSet { null: set.null, ..ValueSet::of(results?) })
}

/// Returns what a text's first characters may be if the text lies in the interval: they sort as the texts do, and come
/// before their text.
fn beginnings(left: &Function, interval: &Interval, field: &Field) -> Interval {
    let low = match &interval.low {
        // The end of a prefix need not be a text.
        Bound::Included(low) | Bound::Excluded(low) if low.as_value(&field.kind).is_some() => {
            Bound::Included(result_of(left, low, field).unwrap_or_else(|| low.clone()))
        }
        _ => Bound::Unbounded,
    };
    let high = match &interval.high {
        Bound::Included(high) | Bound::Excluded(high) => {
            result_of(left, high, field).filter(|beginning| beginning != high).map(Bound::Included)
        }
        Bound::Unbounded => None,
    };
    Interval { low, high: high.unwrap_or_else(|| interval.high.clone()) }
}

pub(super) fn result_of(function: &Function, point: &Literal, field: &Field) -> Option<Literal> {
    let mut text = Vec::new();
    let value = point.as_value(&field.kind)?;
    apply_function(function, value, field, &mut text).ok().map(Literal::of)
}

/// Rounds all bounds down to their periods; returns whether the set contained whole periods only.
fn floor_set(set: &mut ValueSet, period: Period, time: &TimeKind) -> bool {
    let mut whole = true;
    let mut floored = Vec::with_capacity(set.intervals.len());
    for interval in &set.intervals {
        let (low, high) = (interval.low.clone(), interval.high.clone());
        let low = match low {
            Bound::Included(Literal::Int(low)) => Some(low),
            Bound::Excluded(Literal::Int(low)) => Some(low.saturating_add(1)),
            _ => None,
        };
        let high = match high {
            Bound::Included(Literal::Int(high)) => Some(high),
            Bound::Excluded(Literal::Int(high)) => Some(high.saturating_sub(1)),
            _ => None,
        };
        let start = low.map(|low| floor_number(low, period, time));
        whole &=
            start == low && high.is_none_or(|high| next_period(high, period, time) == high.saturating_add(1));
        let bound =
            |number: Option<i128>| number.map_or(Bound::Unbounded, |n| Bound::Included(Literal::Int(n)));
        floored
            .push(Interval { low: bound(start), high: bound(high.map(|h| floor_number(h, period, time))) });
    }
    *set = ValueSet { null: set.null, ..ValueSet::of(floored) };
    whole
}
