//! Rows on the command line.

use keystride::{Design, Row};

use crate::failure::{Failure, Usage};

/// A row from `field=value` words.
pub(crate) fn read_row(design: &Design, words: &[String]) -> Result<Row, Failure> {
    let mut row = Row::new(design.fields.len());
    for word in words {
        let (name, value) =
            word.split_once('=').ok_or_else(|| Usage::NotAnAssignment { found: word.clone() })?;
        let Some(field) = design.field_index(name) else {
            let known = design.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Usage::UnknownField { found: name.to_owned(), known }.into());
        };
        if design.fields[field].from.is_some() {
            return Err(Usage::DerivedField { field: name.to_owned() }.into());
        }
        design
            .read_value(&mut row, field, value)
            .map_err(|cause| Failure::Value { field: name.to_owned(), cause: Box::new(cause) })?;
    }
    Ok(row)
}
