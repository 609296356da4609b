//! A column of a Parquet file that is read.

use std::sync::Arc;

use arrow_schema::DataType;
use keystride::design::FieldKind;
use keystride::{Design, Row};
use parquet::schema::types::ColumnDescPtr;

use super::super::columns::Target;
use super::super::others::Others;
use super::super::reject::RejectReason;
use super::super::typed::{FieldValue, IsoWriter, ValueKind, quoted, write_json, write_other};
use super::InputError;
use super::cells::kind_of;
use super::rows::{BatchColumn, Wanted};

pub(super) struct ParquetColumn {
    pub(super) name: Arc<str>,
    kind: ValueKind,
    target: Target,
    null_text: bool,
    iso: IsoWriter,
}

impl ParquetColumn {
    /// Creates a column with a target, and what is to be read for it.
    pub(super) fn new(
        source: &str,
        name: &str,
        found: &DataType,
        leaf: Option<(usize, ColumnDescPtr)>,
        target: Target,
        design: &Design,
    ) -> Result<(Self, Wanted), InputError> {
        let field = match target {
            Target::Field { index, .. } => Some(&design.fields()[index].kind),
            Target::Other(_) | Target::Dropped => None,
        };
        let fits = |kind: &ValueKind| field.is_none_or(|field| kind.fits(field));
        let kind =
            leaf.as_ref().and_then(|(_, leaf)| kind_of(found, leaf.physical_type(), design.input().int96));
        let (Some(kind), Some((leaf, _))) = (kind.filter(fits), leaf) else {
            let expected = field.map_or("text", FieldKind::name);
            let (name, column) = (source.to_owned(), name.to_owned());
            return Err(InputError::ColumnType { name, column, found: found.to_string(), expected });
        };
        let null_text = design.input().null.iter().any(|null| kind.may_be(null));
        let name: Arc<str> = name.into();
        let wanted = Wanted { name: Arc::clone(&name), kind, found: found.clone(), leaf };
        Ok((Self { name, kind, target, null_text, iso: IsoWriter::new() }, wanted))
    }

    /// Reads the cell at `at` into its field or the other columns; does nothing if it is null.
    pub(super) fn read(
        &mut self,
        column: &BatchColumn,
        at: usize,
        design: &Design,
        row: &mut Row,
        others: &mut Others,
        scratch: &mut String,
    ) -> Result<(), RejectReason> {
        let Self { kind, target, null_text, iso, .. } = self;
        let (kind, null_text) = (*kind, *null_text);
        let Some(value) = column.value(at) else { return Ok(()) };
        match *target {
            Target::Field { index, .. } => {
                FieldValue { design, row, index, kind, null_text, iso, scratch }.read(value)
            }
            Target::Other(index) => {
                if write_other(value, kind, design.input(), iso, scratch)? {
                    others.push(index, scratch);
                }
                Ok(())
            }
            Target::Dropped => Ok(()),
        }
    }
}

impl BatchColumn {
    /// Appends `"name":value`.
    pub(super) fn write_json(&self, at: usize, json: &mut String) {
        json.push_str(&quoted(&self.name));
        json.push(':');
        match self.value(at) {
            Some(value) => write_json(value, self.kind, json),
            None => json.push_str("null"),
        }
    }
}
