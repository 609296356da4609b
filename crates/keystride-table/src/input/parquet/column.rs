//! A column of a Parquet file, and its cells in one batch.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use keystride::design::FieldKind;
use keystride::{Design, Row};

use super::super::columns::Target;
use super::super::others::Others;
use super::super::reject::RejectReason;
use super::InputError;
use super::cells::{CellKind, Cells};
use super::iso::IsoWriter;
use super::text::{quoted, write_json, write_text};
use super::value::FieldCell;

pub(super) struct ParquetColumn {
    pub(super) name: Arc<str>,
    kind: CellKind,
    target: Target,
    null_number: bool,
    iso: IsoWriter,
}

/// The cells of a column in one batch.
#[derive(Debug)]
pub(super) struct LoadedColumn {
    name: Arc<str>,
    kind: CellKind,
    /// Tells which cells are null.
    array: ArrayRef,
    /// `None` if all are null.
    cells: Option<Cells>,
}

impl ParquetColumn {
    /// Creates a column with a target.
    pub(super) fn new(
        source: &str,
        name: &str,
        found: &DataType,
        target: Target,
        design: &Design,
    ) -> Result<Self, InputError> {
        let field = match target {
            Target::Field { index, .. } => Some(&design.fields[index].kind),
            Target::Other(_) | Target::Dropped => None,
        };
        let fits = |kind: &CellKind| field.is_none_or(|field| kind.fits(field));
        let Some(kind) = CellKind::of(found).filter(fits) else {
            let expected = field.map_or("text", FieldKind::name);
            let (name, column) = (source.to_owned(), name.to_owned());
            return Err(InputError::ColumnType { name, column, found: found.to_string(), expected });
        };
        let null_number = design.input.null.iter().any(|null| null.parse::<f64>().is_ok());
        Ok(Self { name: name.into(), kind, target, null_number, iso: IsoWriter::new() })
    }

    /// Loads the cells of a batch.
    pub(super) fn load(&self, array: &ArrayRef) -> LoadedColumn {
        let (name, array, cells) = (Arc::clone(&self.name), array.clone(), Cells::of(array));
        LoadedColumn { name, kind: self.kind, array, cells }
    }

    /// Reads the cell at `at` into its field or the other columns; does nothing if it is null.
    pub(super) fn read(
        &mut self,
        loaded: &LoadedColumn,
        at: usize,
        design: &Design,
        row: &mut Row,
        others: &mut Others,
        scratch: &mut String,
    ) -> Result<(), RejectReason> {
        let Self { kind, target, null_number, iso, .. } = self;
        let (kind, null_number) = (*kind, *null_number);
        let Some(cells) = loaded.cells_at(at) else { return Ok(()) };
        match *target {
            Target::Field { index, .. } => {
                FieldCell { design, row, index, kind, null_number, iso, scratch }.read(cells, at)
            }
            Target::Other(index) => {
                write_text(cells, kind, at, iso, scratch)?;
                if !design.input.is_null(scratch) {
                    others.push(index, scratch);
                }
                Ok(())
            }
            Target::Dropped => Ok(()),
        }
    }
}

impl LoadedColumn {
    /// Appends `"name":value`.
    pub(super) fn write_json(&self, at: usize, json: &mut String) {
        json.push_str(&quoted(&self.name));
        json.push(':');
        match self.cells_at(at) {
            Some(cells) => write_json(cells, self.kind, at, json),
            None => json.push_str("null"),
        }
    }

    /// Returns the cells if the one at `at` is not null.
    fn cells_at(&self, at: usize) -> Option<&Cells> {
        self.cells.as_ref().filter(|_| !self.array.is_null(at))
    }
}
