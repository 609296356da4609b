//! Converts literals to values.

use crate::design::FieldKind;
use crate::plan::set::{Literal, ValueSet};
use crate::value::{Row, Value};

/// Whether a row can contain the value.
pub(in crate::plan) fn is_value(value: Value<'_>, kind: &FieldKind) -> bool {
    match (value, kind) {
        (Value::Text(text), FieldKind::String(_) | FieldKind::Digits { .. }) => {
            Row::new(1).read(0, kind, text).is_ok()
        }
        (Value::Int(number), FieldKind::Time(time)) => {
            (time.min..=time.max).contains(&number) && time.value_up_to(number) == number
        }
        (Value::Int(number), kind) => {
            kind.number_range().is_none_or(|(min, max)| (min..=max).contains(&number))
        }
        _ => true,
    }
}

/// Returns the values of a set one by one; `None` where they are no whole numbers, or more than `most`, and not given one
/// by one.
pub(in crate::plan) fn listed(set: &ValueSet, kind: &FieldKind, most: usize) -> Option<Vec<Literal>> {
    if let Some(points) = set.points() {
        return Some(points.into_iter().cloned().collect());
    }
    let (min, max) = kind.number_range()?;
    let mut found = Vec::new();
    for interval in &set.intervals {
        let Some((low, high)) = interval.as_numbers(min, max) else { continue };
        let numbers = match kind {
            FieldKind::Time(time) => time.values_within(low, high, most)?,
            _ if high - low >= most as i128 => return None,
            _ => (low..=high).collect(),
        };
        found.extend(numbers.into_iter().map(Literal::Int));
        if found.len() > most {
            return None;
        }
    }
    Some(found)
}
