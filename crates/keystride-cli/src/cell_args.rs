//! Columns and cells on the command line: `family:qualifier`, the qualifier in HBase's escaped form.

use std::collections::{BTreeMap, BTreeSet};

use keystride::Design;
use keystride_store::{Columns, FamilyColumns, FamilyName};
use keystride_table::cells::{ROW_MARK, RawCell};

use crate::failure::Failure;
use crate::key_text::read_escaped;
use crate::usage::Usage;

/// Whether a `name=value` names a cell rather than a field.
pub(crate) fn is_cell(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| name.contains(':'))
}

/// Reads cells from `family:qualifier=value` words, with values in HBase's escaped form. Cells that hold a field are
/// rejected, as these are set by the field's name.
pub(crate) fn read_cells(design: &Design, words: &[&str]) -> Result<Vec<RawCell>, Failure> {
    let mut cells: Vec<RawCell> = Vec::new();
    for word in words {
        let (column, value) =
            word.split_once('=').ok_or_else(|| Usage::NotAnAssignment { found: (*word).to_owned() })?;
        let (family, qualifier) = read_column(column)?;
        let (family, qualifier) = (family.to_string(), qualifier.unwrap_or_default());
        if let Some(field) = field_in(design, &family, &qualifier) {
            let (column, field) = (column.to_owned(), field.to_owned());
            return Err(Usage::ColumnOfField { column, field }.into());
        }
        if is_row_mark(design, &family, &qualifier) {
            return Err(Usage::RowMark { column: column.to_owned() }.into());
        }
        if cells.iter().any(|cell| (&cell.family, &cell.qualifier) == (&family, &qualifier)) {
            return Err(Usage::ColumnTwice { name: column.to_owned() }.into());
        }
        cells.push(RawCell { family, qualifier, value: read_escaped(value)? });
    }
    Ok(cells)
}

/// Returns the columns of a list of families and `family:qualifier` words; without a list, all columns.
pub(crate) fn read_columns(names: Option<&[String]>) -> Result<Columns, Failure> {
    let Some(names) = names else { return Ok(Columns::All) };
    let mut columns: BTreeMap<FamilyName, FamilyColumns> = BTreeMap::new();
    for name in names {
        let (family, qualifier) = read_column(name)?;
        let is_new = match (columns.get_mut(&family), qualifier) {
            (None, None) => columns.insert(family, FamilyColumns::All).is_none(),
            (None, Some(qualifier)) => {
                columns.insert(family, FamilyColumns::Named(BTreeSet::from([qualifier]))).is_none()
            }
            (Some(FamilyColumns::Named(some)), Some(qualifier)) => some.insert(qualifier),
            (Some(_), _) => false,
        };
        if !is_new {
            return Err(Usage::ColumnTwice { name: name.clone() }.into());
        }
    }
    Ok(Columns::Of(columns))
}

/// Splits a column into its family and the qualifier after the colon. Whether the table has the family is for its
/// store to say.
fn read_column(text: &str) -> Result<(FamilyName, Option<Vec<u8>>), Failure> {
    let (name, qualifier) = match text.split_once(':') {
        Some((name, qualifier)) => (name, Some(read_escaped(qualifier)?)),
        None => (text, None),
    };
    Ok((FamilyName::new(name)?, qualifier))
}

/// Whether it is the column of the cell that a row without any other has.
fn is_row_mark(design: &Design, family: &str, qualifier: &[u8]) -> bool {
    let (mark_family, mark_qualifier) = ROW_MARK;
    design.table().families[mark_family].name == family && mark_qualifier.as_bytes() == qualifier
}

/// Returns the field that a column holds.
fn field_in<'a>(design: &'a Design, family: &str, qualifier: &[u8]) -> Option<&'a str> {
    let column = design.columns().cells.iter().find(|column| {
        design.table().families[column.family].name == family && column.qualifier.as_bytes() == qualifier
    })?;
    Some(&design.fields()[column.field].name)
}
