//! Parts of one field: the value of the first of them leaves few values to the others.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Place, Walk};
use crate::design::{Expr, FieldPart, Function, Part};
use crate::plan::conjunction::Conjunction;
use crate::plan::pieces::listed;
use crate::plan::set::{Interval, Literal, ValueSet};
use crate::plan::term::result_of;

/// The largest number of whole numbers that are listed; a predicate may name them one by one, or from one to another.
const MOST_VALUES: usize = 10_000;

/// The listed values of a part's source, by the value that the part has of them.
pub(super) struct Sources {
    source: Expr,
    by_value: BTreeMap<Literal, Arc<ValueSet>>,
}

impl Walk<'_> {
    /// Returns the values that the predicate lists for the source of a part, if a later part has the same source.
    pub(super) fn sources(&self, part: &FieldPart, place: &Place) -> Option<Sources> {
        let design = self.design();
        let own = Expr::field(part.field).of_source(&design.fields);
        // Of a period, there are as many values as lie within it.
        let is_period = part.steps.floor.is_some() || matches!(own.function, Some(Function::Floor(_)));
        let is_had_later = design.parts[place.part + 1..].iter().any(|later| match later {
            Part::Field(later) => design.source_of(later.field) == own.field,
            Part::Bucket(later) => design.bucket_fields(later).contains(&own.field),
            Part::Text(_) => false,
        });
        if is_period || !is_had_later {
            return None;
        }
        let source = Expr::field(own.field);
        let declared = &design.fields[own.field];
        let points = listed(place.conjunction.set_of(&source)?, &declared.kind, MOST_VALUES)?;
        if points.len() < 2 {
            return None;
        }
        let mut by_value: BTreeMap<Literal, Vec<Literal>> = BTreeMap::new();
        for point in points {
            let value = match &own.function {
                Some(function) => result_of(function, &point, declared)?,
                None => point.clone(),
            };
            by_value.entry(value).or_default().push(point);
        }
        let set_of =
            |points: Vec<Literal>| Arc::new(ValueSet::of(points.into_iter().map(Interval::point).collect()));
        let by_value = by_value.into_iter().map(|(value, points)| (value, set_of(points))).collect();
        Some(Sources { source, by_value })
    }
}

impl Sources {
    /// Restricts the source to the values of which the part has `value`.
    pub(super) fn narrow(&self, conjunction: &mut Conjunction, value: Option<&Literal>) {
        if let Some(left) = value.and_then(|value| self.by_value.get(value)) {
            conjunction.restrict(&self.source, left);
        }
    }
}
