//! Decodes stored rows.

use keystride::codec::{CellError, DecodedKey};
use keystride::design::Column;
use keystride::{KeyCodec, Row, Value};
use keystride_store::Row as StoredRow;

use super::StoredRowError;
use super::places::{CellPlace, CellPlaces, FoundCell, FoundCells, Turn};

/// Receives values as they are decoded, each with its field.
pub(crate) trait TakeValues {
    /// Whether [`Self::text`] accepts texts as bytes.
    const TEXTS: bool = false;

    /// Receives the first `len` bytes of `onward`, which are a text provided that they are UTF-8. Returns `false` to
    /// decline; the text is then validated and passed to [`Self::value`].
    #[inline]
    fn text(&mut self, _field: usize, _onward: &[u8], _len: usize) -> bool {
        false
    }

    /// Receives a value.
    fn value(&mut self, field: usize, value: Value<'_>);
}

impl<F: FnMut(usize, Value<'_>)> TakeValues for F {
    #[inline]
    fn value(&mut self, field: usize, value: Value<'_>) {
        self(field, value);
    }
}

/// Decodes stored rows to fields, reusing a single row.
#[derive(Debug)]
pub struct RowReader {
    codec: KeyCodec,
    places: CellPlaces,
    decoded: DecodedKey,
}

impl RowReader {
    /// Creates a reader of all fields.
    pub fn new(codec: &KeyCodec) -> Self {
        Self::of_columns(codec, |_| Some(Turn::Early))
    }

    /// Creates a reader that decodes only the cells of `fields`. Fields that can be decoded from the key are always
    /// set.
    pub fn of_fields(codec: &KeyCodec, fields: &[usize]) -> Self {
        Self::in_turns(codec, fields, &[])
    }

    /// Like [`Self::of_fields`] with `early`, and leaves the fields of `late` to [`Self::read_late`] unless `early`
    /// needs them.
    pub(crate) fn in_turns(codec: &KeyCodec, early: &[usize], late: &[usize]) -> Self {
        let design = codec.design();
        let is_early = |field: usize| early.iter().any(|&one| one == field || design.source_of(one) == field);
        Self::of_columns(codec, |column| match column.field {
            field if is_early(field) => Some(Turn::Early),
            field => late.contains(&field).then_some(Turn::Late),
        })
    }

    fn of_columns(codec: &KeyCodec, turn_of: impl Fn(&Column) -> Option<Turn>) -> Self {
        let design = codec.design();
        let in_key = design.fields_in_key();
        // If a field is stored both in the key and in a cell, the key takes precedence.
        let places = CellPlaces::new(design, |column| turn_of(column).filter(|_| !in_key[column.field]));
        let row = Row::new(design.fields().len());
        Self { codec: codec.clone(), places, decoded: DecodedKey { row, spans: Vec::new(), bucket: None } }
    }

    /// Decodes a stored row, using only the newest version of each column. Cells that belong to no field are ignored.
    ///
    /// # Errors
    ///
    /// [`StoredRowError`] when the key or a cell does not match the design.
    pub fn read(&mut self, stored: StoredRow<'_>) -> Result<&Row, Box<StoredRowError>> {
        let Self { codec, places, decoded } = self;
        codec
            .decode_known_into(stored.key(), decoded)
            .map_err(|source| Box::new(StoredRowError::of_key(stored, source)))?;
        places.find(stored);
        let ((places, found), values) = (places.found(), stored.values());
        for at in &found.early {
            let (place, cell) = (&places[at.place], values.at(at.cell));
            if let Some(value) = place.values.read(cell) {
                decoded.row.set(place.column.field, value);
            } else if let Err(error) = codec.design().decode_cell(&place.column, cell, &mut decoded.row) {
                return Err(Box::new(first_fault(codec, places, found, stored, error)));
            }
        }
        Ok(&decoded.row)
    }

    /// Passes the late values of the row read last to `taker`. `stored` must be that row.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`], except that texts accepted by [`TakeValues::text`] are not validated.
    pub(crate) fn read_late<T: TakeValues>(
        &mut self,
        stored: StoredRow<'_>,
        taker: &mut T,
    ) -> Result<(), Box<StoredRowError>> {
        let Self { codec, places, decoded } = self;
        let ((places, found), values) = (places.found(), stored.values());
        for at in &found.late {
            let (place, (onward, len)) = (&places[at.place], values.onward(at.cell));
            let (field, cell) = (place.column.field, &onward[..len]);
            if T::TEXTS && place.values.is_text(cell) && taker.text(field, onward, len) {
                continue;
            }
            if let Some(value) = place.values.read(cell) {
                taker.value(field, value);
                continue;
            }
            if let Err(error) = codec.design().decode_cell(&place.column, cell, &mut decoded.row) {
                return Err(Box::new(first_fault(codec, places, found, stored, error)));
            }
            if let Some(value) = decoded.row.get(field) {
                taker.value(field, value);
            }
        }
        Ok(())
    }

    /// Returns the early fields of the row read last.
    pub(crate) fn row(&self) -> &Row {
        &self.decoded.row
    }
}

/// Returns the error of the first undecodable cell in cell order, whether it is read early or late. `known` is the
/// error of one of them.
#[cold]
fn first_fault(
    codec: &KeyCodec,
    places: &[CellPlace],
    found: &FoundCells,
    stored: StoredRow<'_>,
    known: CellError,
) -> StoredRowError {
    let mut cells: Vec<FoundCell> = found.early.iter().chain(&found.late).copied().collect();
    cells.sort_by_key(|at| at.cell);
    let mut row = Row::new(codec.design().fields().len());
    let fault = cells.into_iter().find_map(|at| {
        codec.design().decode_cell(&places[at.place].column, stored.values().at(at.cell), &mut row).err()
    });
    StoredRowError::Cell { key: stored.key().to_vec(), source: fault.unwrap_or(known) }
}
