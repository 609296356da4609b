//! Rows as cells: what a row of fields looks like in a store, in both directions.
//!
//! A row's key is its design's; each column with a value is one cell, in the column's family, under its qualifier and
//! encoding. A row that has no such cell would not exist in a wide-column store, so it gets [`ROW_MARK`]: an empty cell
//! with an empty qualifier in the first family.

use keystride::codec::{CellError, DecodedKey, KeyDecodeError, KeyError};
use keystride::design::{Column, FieldKind};
use keystride::time::Unit;
use keystride::{Design, KeyCodec, KeyEncoder, Row, Value};
use keystride_store::{MutationBatch, MutationError};

/// Index of the family and the qualifier of the empty cell that a row without any other cell has.
pub const ROW_MARK: (usize, &str) = (0, "");

/// Why a row can't be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// It has no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A value does not fit its column.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// HBase would refuse it.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// The time that is to stamp its cells is beyond 64 bits of milliseconds.
    #[error("field \"{field}\" can't stamp cells: {number} is beyond 64 bits of milliseconds")]
    Stamp {
        /// The field of `cell_time`.
        field: String,
        /// Its number.
        number: i128,
    },
}

impl RowError {
    /// The field at fault, where it is one of the key's, or of the time that stamps.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Key(KeyError::Missing { field } | KeyError::Field { field, .. })
            | Self::Stamp { field, .. } => Some(field),
            Self::Key(_) | Self::Cell(_) | Self::Mutation(_) => None,
        }
    }
}

/// Why a stored row can't be read as one of the design's.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StoredRowError {
    /// Its key is none of the design's.
    #[error("key \"{}\" is none of the design's", keystride::escape::to_shown(key))]
    Key {
        /// The key.
        key: Vec<u8>,
        /// Where it stops being one.
        #[source]
        source: KeyDecodeError,
    },
    /// A cell holds no value of its field.
    #[error("the row of key \"{}\" holds a cell that is no value", keystride::escape::to_shown(key))]
    Cell {
        /// The row's key.
        key: Vec<u8>,
        /// Which cell, and why.
        #[source]
        source: CellError,
    },
}

/// Writes rows as puts, row after row into the caller's batch.
#[derive(Debug)]
pub struct RowWriter {
    codec: KeyCodec,
    encoder: KeyEncoder,
    key: Vec<u8>,
    cell: Vec<u8>,
}

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

impl RowWriter {
    /// A writer of a design's rows.
    pub fn new(codec: &KeyCodec) -> Self {
        Self { codec: codec.clone(), encoder: codec.encoder(), key: Vec::new(), cell: Vec::new() }
    }

    /// The number from which a bucket that is no function of the row is taken, see [`KeyEncoder::supply`].
    pub fn supply(&mut self, number: u64) {
        self.encoder.supply(number);
    }

    /// The key of a row.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when it has none.
    pub fn key(&mut self, row: &Row) -> Result<&[u8], KeyError> {
        self.key.clear();
        self.encoder.encode(row, &mut self.key)?;
        Ok(&self.key)
    }

    /// Adds the cells of `row` to `batch`, stamped by the design's `cell_time` where the row has it, else `stamp_ms`;
    /// [`LATEST`](keystride_store::LATEST) asks the store for its own.
    ///
    /// # Errors
    ///
    /// [`RowError`] when the row can't be stored; the batch may then hold some of its cells.
    pub fn write(&mut self, row: &Row, stamp_ms: i64, batch: &mut MutationBatch) -> Result<(), RowError> {
        self.key(row)?;
        let design = self.codec.design();
        let stamp_ms = cell_time(design, row)?.unwrap_or(stamp_ms);
        let mut has_cell = false;
        for column in &design.columns.cells {
            self.cell.clear();
            if design.encode_cell(column, row, &mut self.cell)? {
                let family = design.table.families[column.family].name.as_bytes();
                batch.put(&self.key, family, column.qualifier.as_bytes(), stamp_ms, &self.cell)?;
                has_cell = true;
            }
        }
        if !has_cell {
            let (family, qualifier) = ROW_MARK;
            let family = design.table.families[family].name.as_bytes();
            batch.put(&self.key, family, qualifier.as_bytes(), stamp_ms, b"")?;
        }
        Ok(())
    }

    /// Adds further cells of the same row, stamped as [`RowWriter::write`] does.
    ///
    /// # Errors
    ///
    /// [`RowError`] when one can't be stored; the batch may then hold some of them.
    pub fn write_beside(
        &mut self,
        row: &Row,
        cells: &[RawCell],
        stamp_ms: i64,
        batch: &mut MutationBatch,
    ) -> Result<(), RowError> {
        self.key(row)?;
        let stamp_ms = cell_time(self.codec.design(), row)?.unwrap_or(stamp_ms);
        for RawCell { family, qualifier, value } in cells {
            batch.put(&self.key, family.as_bytes(), qualifier, stamp_ms, value)?;
        }
        Ok(())
    }
}

/// A cell beside those of a row's fields, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawCell {
    /// Its family.
    pub family: String,
    /// Its qualifier.
    pub qualifier: Vec<u8>,
    /// Its value.
    pub value: Vec<u8>,
}

/// The milliseconds that a row's `cell_time` stamps its cells with.
fn cell_time(design: &Design, row: &Row) -> Result<Option<i64>, RowError> {
    let Some(field) = design.columns.cell_time else { return Ok(None) };
    let (Some(Value::Int(number)), FieldKind::Time(time)) = (row.get(field), &design.fields[field].kind)
    else {
        return Ok(None);
    };
    let ms = number.checked_mul(time.unit().nanos()).map(|ns| Unit::Ms.of_nanos(ns));
    let ms = ms.and_then(|ms| i64::try_from(ms).ok());
    ms.map(Some).ok_or_else(|| RowError::Stamp { field: design.fields[field].name.clone(), number })
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
        let mut places = columns.iter().peekable();
        for cell in stored.cells() {
            let name = (cell.family, cell.qualifier);
            while places.next_if(|place| place.name() < name).is_some() {}
            let Some(place) = places.next_if(|place| place.name() == name) else { continue };
            codec
                .design()
                .decode_cell(&place.column, cell.value, &mut decoded.row)
                .map_err(|source| Box::new(StoredRowError::Cell { key: stored.key().to_vec(), source }))?;
        }
        Ok(&decoded.row)
    }
}

impl CellPlace {
    fn name(&self) -> (&[u8], &[u8]) {
        (&self.family, self.column.qualifier.as_bytes())
    }
}
