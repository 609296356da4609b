//! Fields and rows on the command line.

use keystride::design::{BytesInput, FieldKind};
use keystride::{Design, Row};

use crate::failure::{Failure, Usage};
use crate::key_text::check_escaped;

/// The index of the field that a word names.
pub(crate) fn field_named(design: &Design, name: &str) -> Result<usize, Usage> {
    design.field_index(name).ok_or_else(|| {
        let known = design.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
        Usage::UnknownField { found: name.to_owned(), known }
    })
}

/// The indexes of fields that are listed.
pub(crate) fn fields_named(design: &Design, names: &[String]) -> Result<Vec<usize>, Usage> {
    names.iter().map(|name| field_named(design, name)).collect()
}

/// A row from `field=value` words.
pub(crate) fn read_row(design: &Design, words: &[String]) -> Result<Row, Failure> {
    let mut row = Row::new(design.fields.len());
    for word in words {
        let (name, value) =
            word.split_once('=').ok_or_else(|| Usage::NotAnAssignment { found: word.clone() })?;
        let field = field_named(design, name)?;
        if design.fields[field].from.is_some() {
            return Err(Usage::DerivedField { field: name.to_owned() }.into());
        }
        if let FieldKind::Bytes { input: BytesInput::Escaped, .. } = design.fields[field].kind {
            check_escaped(value)?;
        }
        design
            .read_value(&mut row, field, value)
            .map_err(|cause| Failure::Value { field: name.to_owned(), cause: Box::new(cause) })?;
    }
    Ok(row)
}
