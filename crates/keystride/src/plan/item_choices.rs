//! The values of one item of a bucket that a conjunction allows, in groups that give the same item.

use std::ops::Bound;

use super::conjunction::Conjunction;
use super::pieces::listed;
use super::set::{Interval, Literal, ValueSet};
use super::term::argument_set;
use crate::codec::apply_function;
use crate::design::{Design, Expr, Field, FieldKind, Function, TimeKind, floor_number, next_period};
use crate::domain::FieldValues;
use crate::value::{Row, Value};

/// A group of values of one field that all give the same item of a bucket.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// One of the values.
    pub(super) value: Option<Literal>,
    /// All of the values; `None` if they are not listed, so that `value` serves for this item alone.
    pub(super) narrowed: Option<ValueSet>,
}

/// Returns the values of a bucket's item that are possible under the conjunction; `None` when they are too many to try.
pub(super) fn choices(
    design: &Design,
    conjunction: &Conjunction,
    item: &Expr,
    most_free: usize,
) -> Option<Vec<Choice>> {
    let item = item.of_source(&design.fields);
    let field = Expr::field(item.field);
    let declared = &design.fields[item.field];
    let own = conjunction.set_of(&field);
    let result = item.function.as_ref().zip(conjunction.set_of(&item));
    let of_function = result.and_then(|(function, results)| argument_set(function, results, declared));
    let known = match (own, of_function) {
        (Some(own), Some(set)) => Some(own.intersect(&ValueSet { null: own.null, ..set })),
        (Some(own), None) => Some(own.clone()),
        (None, set) => set,
    };
    if let Some(set) = &known {
        if let Some(points) = set.points() {
            return Some(point_choices(&points, set.null));
        }
        if let Some(choices) = grouped(set, &item, design, most_free) {
            return Some(choices);
        }
    }
    result
        .and_then(|(function, results)| choices_by_result(function, results, declared))
        .or_else(|| all_values(design, item.field, known.as_ref(), most_free))
}

/// Returns a value for each given result of a function of a text: to compute a bucket, any value with that result
/// serves. `None` where results are not given one by one, or no such value is easily found.
fn choices_by_result(function: &Function, results: &ValueSet, declared: &Field) -> Option<Vec<Choice>> {
    if results.null {
        return None;
    }
    let choice = |result: &Literal| {
        let value = argument_of(function, result, &declared.kind)?;
        let mut text = Vec::new();
        let given = value.as_value(&declared.kind)?;
        let applied = apply_function(function, given, declared, &mut text).ok()?;
        (Literal::of(applied) == *result).then_some(Choice { value: Some(value), narrowed: None })
    };
    results.points()?.into_iter().map(choice).collect()
}

/// Returns a value of which a function of texts may give `result`.
fn argument_of(function: &Function, result: &Literal, kind: &FieldKind) -> Option<Literal> {
    let Literal::Bytes(bytes) = result else { return None };
    let text = std::str::from_utf8(bytes).ok()?;
    let argument = match (function, kind) {
        (Function::Right(_), FieldKind::Digits { len }) => format!("{text:0>len$}"),
        (Function::Left(_), FieldKind::Digits { len }) => format!("{text:0<len$}"),
        (Function::ReverseLabels, _) => text.rsplit('.').collect::<Vec<_>>().join("."),
        (Function::Lower | Function::Left(_) | Function::Right(_), _) => text.to_owned(),
        (Function::Floor(_), _) => return None,
    };
    Some(Literal::Bytes(argument.into_bytes()))
}

fn point_choices(points: &[&Literal], null: bool) -> Vec<Choice> {
    let single = |point: &Literal| Choice {
        value: Some(point.clone()),
        narrowed: Some(ValueSet::of(vec![Interval::point(point.clone())])),
    };
    let absent = null.then(|| Choice { value: None, narrowed: Some(ValueSet::only_null()) });
    points.iter().map(|point| single(point)).chain(absent).collect()
}

/// Groups values that give the same result of a function: the months of a range of times, or the one prefix of a
/// `like`.
fn grouped(set: &ValueSet, item: &Expr, design: &Design, most: usize) -> Option<Vec<Choice>> {
    let declared = &design.fields[item.field];
    if set.null {
        return None;
    }
    let mut groups = Vec::new();
    for interval in &set.intervals {
        match (item.function.as_ref()?, &declared.kind) {
            (function @ (Function::Floor(_) | Function::Left(_)), FieldKind::Time(_)) => {
                number_groups(interval, function, declared, most, &mut groups)?;
            }
            (Function::Left(count), FieldKind::String(_) | FieldKind::Digits { .. }) => {
                groups.push(text_group(interval, *count)?);
            }
            _ => return None,
        }
    }
    Some(groups)
}

/// Adds the periods, or the leading characters, of a range of times.
fn number_groups(
    interval: &Interval,
    function: &Function,
    field: &Field,
    most: usize,
    groups: &mut Vec<Choice>,
) -> Option<()> {
    let time = field.time()?;
    let (low, high) = interval.as_numbers(time.min, time.max)?;
    let mut at = time.value_from(low);
    while at <= high {
        if groups.len() >= most {
            return None;
        }
        let next = match function {
            Function::Floor(period) => next_period(floor_number(at, *period, time), *period, time),
            _ => next_text(at, high, function, field, time)?,
        };
        let last = (next - 1).min(high);
        groups.push(Choice {
            value: Some(Literal::Int(at)),
            narrowed: Some(ValueSet::interval(
                Bound::Included(Literal::Int(at)),
                Bound::Included(Literal::Int(last)),
            )),
        });
        at = time.value_from(next);
    }
    Some(())
}

/// Returns the first time after `at`, up to `high` + 1, whose text begins differently; only for texts that sort as the
/// times do. In between, the values count, as the times that clocks repeat have texts that were there before.
fn next_text(at: i128, high: i128, function: &Function, field: &Field, time: &TimeKind) -> Option<i128> {
    if !time.text_keeps_order() {
        return None;
    }
    let text = |number: i128| {
        let (value, mut buffer) = (Value::Int(time.value_up_to(number)), Vec::new());
        apply_function(function, value, field, &mut buffer).ok().map(Literal::of)
    };
    let own = text(at)?;
    let (mut same, mut other) = (at, high + 1);
    while other - same > 1 {
        let middle = same + (other - same) / 2;
        if text(middle)? == own { same = middle } else { other = middle }
    }
    Some(other)
}

/// Returns the group of a range of texts that all begin with the same characters.
fn text_group(interval: &Interval, count: usize) -> Option<Choice> {
    let (Bound::Included(Literal::Bytes(low)), Bound::Excluded(Literal::Bytes(high))) =
        (&interval.low, &interval.high)
    else {
        return None;
    };
    let prefix = low.get(..count)?;
    let within = crate::range::after_prefix(prefix).is_some_and(|stop| *high <= stop);
    if !within || !low.is_ascii() {
        return None;
    }
    Some(Choice { value: Some(Literal::Bytes(low.clone())), narrowed: None })
}

/// Returns every value that the field can have, if they are few.
fn all_values(design: &Design, field: usize, known: Option<&ValueSet>, most: usize) -> Option<Vec<Choice>> {
    let kind = &design.fields[field].kind;
    if let Some(set) = known.filter(|set| kind.number_range().is_some() && !set.null) {
        return listed(set, kind, most)
            .map(|numbers| point_choices(&numbers.iter().collect::<Vec<_>>(), false));
    }
    let values = FieldValues::up_to(design, field, most as u128)?;
    let mut row = Row::new(design.fields.len());
    let mut found = Vec::new();
    for number in 0..values.count() {
        values.set(number, &mut row);
        let value = row.get(field).map(Literal::of);
        if known.is_none_or(|set| set.contains(value.as_ref())) {
            found.push(value);
        }
    }
    let values: Vec<&Literal> = found.iter().flatten().collect();
    Some(point_choices(&values, found.iter().any(Option::is_none)))
}
