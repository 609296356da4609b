//! Reads fields and rows from the command line.

use keystride::design::{BytesInput, FieldKind, Part};
use keystride::value::ValueError;
use keystride::{Design, Row, Value};

use crate::failure::Failure;
use crate::key_text::check_escaped;
use crate::usage::Usage;

/// Returns the index of the field that a word names.
pub(crate) fn field_named(design: &Design, name: &str) -> Result<usize, Usage> {
    design.field_index(name).ok_or_else(|| {
        let known = design.fields().iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
        Usage::UnknownField { found: name.to_owned(), known }
    })
}

/// Returns the indexes of the fields listed, and rejects duplicates.
pub(crate) fn fields_named(design: &Design, names: &[String]) -> Result<Vec<usize>, Usage> {
    let mut fields = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let field = field_named(design, name)?;
        if fields.contains(&field) {
            return Err(Usage::ColumnTwice { name: name.to_owned() });
        }
        fields.push(field);
    }
    Ok(fields)
}

/// Returns the time field to use: the one named, or else the only one that is read from the source, or of several the
/// only one in the key; `None` if there is none.
pub(crate) fn time_named(design: &Design, name: Option<&str>) -> Result<Option<usize>, Usage> {
    if let Some(name) = name {
        let field = field_named(design, name)?;
        let is_time = design.fields()[field].time().is_some();
        return if is_time { Ok(Some(field)) } else { Err(Usage::NotATime { field: name.to_owned() }) };
    }
    let times = design.source_fields().filter(|(_, field)| field.time().is_some());
    let times: Vec<usize> = times.map(|(index, _)| index).collect();
    let is_in_key = |time: &usize| {
        design
            .parts()
            .iter()
            .any(|part| matches!(part, Part::Field(part) if design.source_of(part.field) == *time))
    };
    if let [_, _, ..] = times.as_slice() {
        let in_key: Vec<usize> = times.iter().copied().filter(is_in_key).collect();
        if let [time] = in_key[..] {
            return Ok(Some(time));
        }
        let names: Vec<&str> = times.iter().map(|&time| design.fields()[time].name.as_str()).collect();
        return Err(Usage::ManyTimes { times: names.join(", ") });
    }
    Ok(times.first().copied())
}

/// Reads a row from `field=value` words.
pub(crate) fn read_row(design: &Design, words: &[impl AsRef<str>]) -> Result<Row, Failure> {
    let mut row = Row::new(design.fields().len());
    let mut given = Vec::new();
    for word in words {
        let word = word.as_ref();
        let (name, value) =
            word.split_once('=').ok_or_else(|| Usage::NotAnAssignment { found: word.to_owned() })?;
        let field = field_named(design, name)?;
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
