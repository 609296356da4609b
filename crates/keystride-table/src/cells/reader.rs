use keystride::codec::{CellError, DecodedKey};
use keystride::design::Column;
use keystride::{KeyCodec, Row, Value};
use keystride_store::Row as StoredRow;

use super::StoredRowError;
use super::places::{CellPlace, CellPlaces, Found, FoundCell, Turn};

/// Takes values as they are read, each with its field.
pub(crate) trait TakeValues {
    /// Whether it takes texts by their bytes.
    const TEXTS: bool = false;

    /// Takes bytes that are a text if they are UTF-8, the first `len` of `onward`, or `false`: then they are looked at, and
    /// come as a value.
    #[inline]
    fn text(&mut self, _field: usize, _onward: &[u8], _len: usize) -> bool {
        false
    }

    /// Takes a value.
    fn value(&mut self, field: usize, value: Value<'_>);
}

impl<F: FnMut(usize, Value<'_>)> TakeValues for F {
    #[inline]
    fn value(&mut self, field: usize, value: Value<'_>) {
        self(field, value);
    }
}

/// Reads stored rows back into fields, into one row that is used again and again.
#[derive(Debug)]
pub struct RowReader {
    codec: KeyCodec,
    places: CellPlaces,
    decoded: DecodedKey,
}

impl RowReader {
    /// A reader of all fields.
    pub fn new(codec: &KeyCodec) -> Self {
        Self::of_columns(codec, |_| Some(Turn::Early))
    }

    /// A reader that leaves cells of other fields than `fields` unread. What the key gives back it gives back anyway.
    pub fn of_fields(codec: &KeyCodec, fields: &[usize]) -> Self {
        Self::in_turns(codec, fields, &[])
    }

    /// The same, and fields of `late` are left to [`Self::read_late`] as far as `early` does without them.
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
        // A field that is kept in a cell as well is what its key says.
        let places = CellPlaces::new(design, |column| turn_of(column).filter(|_| !in_key[column.field]));
        let row = Row::new(design.fields.len());
        Self { codec: codec.clone(), places, decoded: DecodedKey { row, spans: Vec::new(), bucket: None } }
    }

    /// Reads a stored row, newest versions alone. Cells that no field names are passed over.
    ///
    /// # Errors
    ///
    /// [`StoredRowError`] when its key or a cell is not of the design.
    pub fn read(&mut self, stored: StoredRow<'_>) -> Result<&Row, Box<StoredRowError>> {
        let Self { codec, places, decoded } = self;
        codec
            .decode_known_into(stored.key(), decoded)
            .map_err(|source| Box::new(StoredRowError::Key { key: stored.key().to_vec(), source }))?;
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

    /// Gives the values of the row read last, which `stored` is, that were left for later.
    ///
    /// # Errors
    ///
    /// As [`Self::read`] would have them, but for texts that `taker` took.
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

    /// What the last row read gave early.
    pub(crate) fn row(&self) -> &Row {
        &self.decoded.row
    }
}

/// Of several cells that are no values the first is told, whenever it would be read. `known` is one of them.
#[cold]
fn first_fault(
    codec: &KeyCodec,
    places: &[CellPlace],
    found: &Found,
    stored: StoredRow<'_>,
    known: CellError,
) -> StoredRowError {
    let mut cells: Vec<FoundCell> = found.early.iter().chain(&found.late).copied().collect();
    cells.sort_by_key(|at| at.cell);
    let mut row = Row::new(codec.design().fields.len());
    let fault = cells.into_iter().find_map(|at| {
        codec.design().decode_cell(&places[at.place].column, stored.values().at(at.cell), &mut row).err()
    });
    StoredRowError::Cell { key: stored.key().to_vec(), source: fault.unwrap_or(known) }
}
