//! A column of a Parquet file with the cells of the current batch.

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
    pub(super) name: String,
    kind: CellKind,
    target: Target,
    null_number: bool,
    iso: IsoWriter,
    loaded: Option<Loaded>,
}

/// The cells of the current batch, and the array, which tells which of them are null.
struct Loaded {
    array: ArrayRef,
    cells: Cells,
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
        Ok(Self { name: name.to_owned(), kind, target, null_number, iso: IsoWriter::new(), loaded: None })
    }

    /// Loads the cells of the next batch.
    pub(super) fn load(&mut self, array: &ArrayRef) {
        self.loaded = Cells::of(array).map(|cells| Loaded { array: array.clone(), cells });
    }

    /// Reads the cell at `at` into its field or the other columns; does nothing if it is null.
    pub(super) fn read(
        &mut self,
        at: usize,
        design: &Design,
        row: &mut Row,
        others: &mut Others,
        scratch: &mut String,
    ) -> Result<(), RejectReason> {
        let Self { kind, target, null_number, iso, loaded, .. } = self;
        let (kind, null_number) = (*kind, *null_number);
        let Some(cells) = loaded.as_ref().and_then(|loaded| loaded.cells_at(at)) else { return Ok(()) };
        match *target {
            Target::Field { index, .. } => {
                FieldCell { design, row, index, kind, null_number, iso, scratch }.read(cells, at)
            }
            Target::Other(index) => {
                write_text(cells, kind, at, iso, scratch)?;
                if !design.input.null.contains(scratch) {
                    others.push(index, scratch);
                }
                Ok(())
            }
            Target::Dropped => Ok(()),
        }
    }

    /// Appends `"name":value`.
    pub(super) fn write_json(&self, at: usize, json: &mut String) {
        json.push_str(&quoted(&self.name));
        json.push(':');
        match self.loaded.as_ref().and_then(|loaded| loaded.cells_at(at)) {
            Some(cells) => write_json(cells, self.kind, at, json),
            None => json.push_str("null"),
        }
    }
}

impl Loaded {
    /// Returns the cells if the one at `at` is not null.
    fn cells_at(&self, at: usize) -> Option<&Cells> {
        (!self.array.is_null(at)).then_some(&self.cells)
    }
}
