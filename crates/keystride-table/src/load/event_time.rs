//! When what a row tells happened.

use keystride::design::{FieldKind, Part};
use keystride::{Design, Row};

use crate::cells::time_ms;

/// Returns the field with the event time of a row: the one that stamps its cells, or else the first time in the key,
/// or else the first time field.
pub fn event_field(design: &Design) -> Option<usize> {
    let is_time = |field: &usize| matches!(design.fields()[*field].kind, FieldKind::Time(_));
    let in_key = design.parts().iter().filter_map(|part| match part {
        Part::Field(part) => Some(design.source_of(part.field)),
        Part::Text(_) | Part::Bucket(_) => None,
    });
    let all = design.source_fields().map(|(index, _)| index);
    design.columns().cell_time.into_iter().chain(in_key).chain(all).find(is_time)
}

/// Returns the event time of a row by that field, in ms since 1970-01-01 UTC; `None` where it has none.
pub fn event_ms(design: &Design, field: usize, row: &Row) -> Option<i64> {
    i64::try_from(time_ms(design, field, row)?).ok()
}
