//! What the key has of a derived field where its source is missing.

use super::pieces::is_value;
use super::set::Literal;
use crate::codec::{apply_function, read_default};
use crate::design::{Design, End, Part};
use crate::value::Row;

/// Returns the value that is read back from the key for a derived field without its source; `None` for other fields, and
/// where a default is written that is no value.
pub(super) fn key_default(field: usize, design: &Design) -> Option<Literal> {
    let derived = &design.fields[field];
    let from = derived.from.as_ref().filter(|_| is_read_back(field, design))?;
    let defaulted = design.defaulted(field);
    let mut row = Row::new(1);
    read_default(&mut row, 0, &design.fields[defaulted]);
    let (mut value, mut text) = (row.get(0)?, Vec::new());
    if defaulted != field {
        value = apply_function(from.function.as_ref()?, value, &design.fields[defaulted], &mut text).ok()?;
    }
    is_value(value, &derived.kind).then(|| Literal::of(value))
}

/// Whether a part of the key that can be found holds the field.
fn is_read_back(field: usize, design: &Design) -> bool {
    let holds =
        |part: &Part| matches!(part, Part::Field(part) if part.field == field && part.steps.hash.is_none());
    let mut found =
        design.parts.iter().zip(&design.layout).take_while(|(_, layout)| layout.end != End::Unmarked);
    found.any(|(part, _)| holds(part))
}
