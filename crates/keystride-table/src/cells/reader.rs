use keystride::codec::DecodedKey;
use keystride::design::Column;
use keystride::{KeyCodec, Row};

use super::StoredRowError;

/// Reads stored rows back into fields, into one row that is used again and again.
#[derive(Debug)]
pub struct RowReader {
    codec: KeyCodec,
    /// The columns to read, in the order of a row's cells.
    columns: Vec<CellPlace>,
    decoded: DecodedKey,
}

#[derive(Debug)]
struct CellPlace {
    family: Vec<u8>,
    column: Column,
}

impl RowReader {
    /// A reader of all fields.
    pub fn new(codec: &KeyCodec) -> Self {
        Self::of_columns(codec, |_| true)
    }

    /// A reader that leaves cells of other fields than `fields` unread. What the key gives back it gives back anyway.
    pub fn of_fields(codec: &KeyCodec, fields: &[usize]) -> Self {
        let design = codec.design();
        let wanted = |field: usize| fields.iter().any(|&one| one == field || design.source_of(one) == field);
        Self::of_columns(codec, |column| wanted(column.field))
    }

    fn of_columns(codec: &KeyCodec, wanted: impl Fn(&Column) -> bool) -> Self {
        let design = codec.design();
        let in_key = design.fields_in_key();
        // A field that is kept in a cell as well is what its key says.
        let columns = design.columns.cells.iter().filter(|column| !in_key[column.field] && wanted(column));
        let place = |column: &Column| {
            let family = design.table.families[column.family].name.as_bytes().to_vec();
            CellPlace { family, column: column.clone() }
        };
        let mut columns: Vec<CellPlace> = columns.map(place).collect();
        columns.sort_by(|left, right| left.name().cmp(&right.name()));
        let row = Row::new(design.fields.len());
        Self { codec: codec.clone(), columns, decoded: DecodedKey { row, spans: Vec::new(), bucket: None } }
    }

    /// Reads a stored row, newest versions alone. Cells that no field names are passed over.
    ///
    /// # Errors
    ///
    /// [`StoredRowError`] when its key or a cell is not of the design.
    pub fn read(&mut self, stored: keystride_store::Row<'_>) -> Result<&Row, Box<StoredRowError>> {
        let Self { codec, columns, decoded } = self;
        codec
            .decode_known_into(stored.key(), decoded)
            .map_err(|source| Box::new(StoredRowError::Key { key: stored.key().to_vec(), source }))?;
        let mut places = columns.iter();
        let mut next = places.next();
        for cell in stored.cells() {
            let name = (cell.family, cell.qualifier);
            while let Some(place) = next {
                let order = place.name().cmp(&name);
                if order.is_gt() {
                    break;
                }
                next = places.next();
                if order.is_eq() {
                    codec.design().decode_cell(&place.column, cell.value, &mut decoded.row).map_err(
                        |source| Box::new(StoredRowError::Cell { key: stored.key().to_vec(), source }),
                    )?;
                    break;
                }
            }
        }
        Ok(&decoded.row)
    }
}

impl CellPlace {
    fn name(&self) -> (&[u8], &[u8]) {
        (&self.family, self.column.qualifier.as_bytes())
    }
}
