//! Reads fields and rows from the command line.

use keystride::design::{BytesInput, FieldKind};
use keystride::value::ValueError;
use keystride::{Design, Row, Value};
use keystride_app::fields::field_named;

use crate::failure::Failure;
use crate::key_text::check_escaped;
use crate::usage::Usage;

/// Reads a row from `field=value` words.
pub(crate) fn read_row(design: &Design, words: &[impl AsRef<str>]) -> Result<Row, Failure> {
    let mut row = Row::new(design.fields().len());
    let mut given = Vec::new();
    for word in words {
        let word = word.as_ref();
        let (name, value) =
            word.split_once('=').ok_or_else(|| Usage::NotAnAssignment { found: word.to_owned() })?;
        let field = field_named(design, name).map_err(Usage::from)?;
        if given.contains(&field) {
            return Err(Usage::FieldTwice { field: name.to_owned() }.into());
        }
        given.push(field);
        if design.fields()[field].from.is_some() {
            return Err(Usage::DerivedField { field: name.to_owned() }.into());
        }
        if let FieldKind::Bytes { input: BytesInput::Escaped, .. } = design.fields()[field].kind {
            check_escaped(value)?;
        }
        read_value(design, &mut row, field, value)
            .map_err(|cause| Failure::Value { field: name.to_owned(), cause: Box::new(cause) })?;
    }
    Ok(row)
}

/// Reads a value as a load does; also reads a time as a predicate does, which is how times are printed.
fn read_value(design: &Design, row: &mut Row, field: usize, text: &str) -> Result<(), ValueError> {
    let Err(refused) = design.read_value(row, field, text) else { return Ok(()) };
    let Some(time) = design.fields()[field].time() else { return Err(refused) };
    match time.read_literal(text) {
        Ok(found) if (time.min..=time.max).contains(&found) => {
            // As far as its text tells it, like one that is loaded.
            let told = time.number_of_nanos(found * time.unit().nanos());
            let told = told.map_err(|cause| ValueError::Time { found: text.to_owned(), cause })?;
            row.set(field, Value::Int(told));
            Ok(())
        }
        Ok(found) => Err(ValueError::OutOfRange { found, min: time.min, max: time.max }),
        // What looks like a number was meant as one.
        Err(_) if text.bytes().all(|byte| byte.is_ascii_digit()) => Err(refused),
        Err(cause) => Err(ValueError::Time { found: text.to_owned(), cause }),
    }
}
