//! A row as the bytes that are stored of it.

use keystride::codec::{CellEncoder, KeyError, OpenBucket};
use keystride::design::FieldKind;
use keystride::time::Unit;
use keystride::{Design, KeyCodec, KeyEncoder, Row, Value};
use keystride_store::{ColumnNames, MutationBatch, MutationError, PutCell};

use super::{ROW_MARK, RowError};

/// The key and the cells of a row, in buffers that are used again for other rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RowImage {
    pub(crate) key: Vec<u8>,
    pub(crate) stamp_ms: i64,
    /// The values of all cells, one after the other.
    pub(crate) values: Vec<u8>,
    /// Each cell's column among those of the imager.
    pub(crate) cells: Vec<PutCell>,
}

/// Makes images of a design's rows.
#[derive(Debug)]
pub(crate) struct RowImager {
    codec: KeyCodec,
    encoder: KeyEncoder,
    /// Of the design's columns by family and qualifier, as stores want them.
    cells: CellEncoder,
    /// Their names, then the mark of a row without cells, then what is added.
    columns: ColumnNames,
}

impl RowImager {
    pub(crate) fn new(codec: &KeyCodec) -> Self {
        let design = codec.design();
        let family = |index: usize| design.table.families[index].name.as_bytes();
        let mut cells = design.columns.cells.clone();
        cells.sort_by(|a, b| (family(a.family), &a.qualifier).cmp(&(family(b.family), &b.qualifier)));
        let mut columns = ColumnNames::new();
        for column in &cells {
            columns.add(family(column.family), column.qualifier.as_bytes());
        }
        columns.add(family(ROW_MARK.0), ROW_MARK.1.as_bytes());
        let cells = CellEncoder::new(design, cells);
        Self { codec: codec.clone(), encoder: codec.encoder(), cells, columns }
    }

    pub(crate) fn columns(&self) -> &ColumnNames {
        &self.columns
    }

    /// Adds a column that no field names; its number.
    pub(crate) fn add_column(&mut self, family: &[u8], qualifier: &[u8]) -> u32 {
        self.columns.add(family, qualifier)
    }

    /// As [`KeyEncoder::supply`].
    pub(crate) fn supply(&mut self, number: u64) {
        self.encoder.supply(number);
    }

    /// Makes the image of a row without its cells.
    pub(crate) fn encode_key(&mut self, row: &Row, image: &mut RowImage) -> Result<(), KeyError> {
        image.clear();
        self.encoder.encode(row, &mut image.key)
    }

    /// Makes the image of a row, stamped by its own `cell_time` or with `stamp_ms`. On an error it is of no row.
    pub(crate) fn encode(&mut self, row: &Row, stamp_ms: i64, image: &mut RowImage) -> Result<(), RowError> {
        self.encode_key(row, image)?;
        self.encode_cells(row, stamp_ms, image)
    }

    /// The same, but its key's bucket may stay open, as [`KeyEncoder::encode_open`] has it.
    pub(crate) fn encode_open(
        &mut self,
        row: &Row,
        stamp_ms: i64,
        image: &mut RowImage,
    ) -> Result<Option<OpenBucket>, RowError> {
        image.clear();
        let open = self.encoder.encode_open(row, &mut image.key)?;
        self.encode_cells(row, stamp_ms, image)?;
        Ok(open)
    }

    /// Whether buckets stay open.
    pub(crate) fn leaves_open(&self) -> bool {
        self.encoder.leaves_open()
    }

    /// As [`KeyEncoder::close`].
    pub(crate) fn close<T>(
        &mut self,
        items: &mut [T],
        open: impl Fn(&mut T) -> Option<(OpenBucket, &mut [u8])>,
    ) {
        self.encoder.close(items, open);
    }

    fn encode_cells(&self, row: &Row, stamp_ms: i64, image: &mut RowImage) -> Result<(), RowError> {
        let design = self.codec.design();
        image.stamp_ms = self.stamp(row, stamp_ms)?;
        let RowImage { values, cells, .. } = image;
        self.cells.encode(design, row, values, |column, end| {
            cells.push(PutCell { column: narrow(column), end: narrow(end) });
        })?;
        Ok(check_len(values)?)
    }

    /// What stamps the cells of a row: its own `cell_time`, else `stamp_ms`.
    pub(crate) fn stamp(&self, row: &Row, stamp_ms: i64) -> Result<i64, RowError> {
        let design = self.codec.design();
        let Some(field) = design.columns.cell_time else { return Ok(stamp_ms) };
        let Some(number) = time_ms(design, field, row) else { return Ok(stamp_ms) };
        i64::try_from(number)
            .map_err(|_| RowError::Stamp { field: design.fields[field].name.clone(), number })
    }

    /// Gives a row without any cell the one that says that it is there.
    pub(crate) fn mark_if_empty(&self, image: &mut RowImage) -> Result<(), MutationError> {
        if image.cells.is_empty() {
            image.end_cell(self.codec.design().columns.cells.len())?;
        }
        Ok(())
    }
}

impl RowImage {
    /// Each cell's column and value.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let mut start = 0;
        self.cells.iter().map(move |cell| {
            let end = cell.end as usize;
            (cell.column, &self.values[std::mem::replace(&mut start, end)..end])
        })
    }

    /// Adds the row to a batch.
    pub(crate) fn put(&self, columns: &ColumnNames, batch: &mut MutationBatch) -> Result<(), MutationError> {
        batch.put_row(&self.key, self.stamp_ms, columns, &self.values, &self.cells)
    }

    /// Bytes of the row as regions count them: its key once for each cell.
    pub(crate) fn byte_count(&self, columns: &ColumnNames) -> u64 {
        let names = self.cells.iter().map(|cell| columns.name_len(cell.column)).sum::<usize>();
        (self.cells.len() * self.key.len() + names + self.values.len()) as u64
    }

    /// Ends a cell of column `column`, whose value is what was added since the last one.
    pub(crate) fn end_cell(&mut self, column: usize) -> Result<(), MutationError> {
        self.cells.push(PutCell { column: narrow(column), end: narrow(self.values.len()) });
        check_len(&self.values)
    }

    fn clear(&mut self) {
        self.key.clear();
        self.values.clear();
        self.cells.clear();
    }
}

/// A number of a column, or an offset in values of a length that is checked.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Values that a batch can hold.
fn check_len(values: &[u8]) -> Result<(), MutationError> {
    if values.len() < u32::MAX as usize { Ok(()) } else { Err(MutationError::BatchFull) }
}

/// The time in a field as milliseconds since 1970.
pub(crate) fn time_ms(design: &Design, field: usize, row: &Row) -> Option<i128> {
    let (Some(Value::Int(number)), FieldKind::Time(time)) = (row.get(field), &design.fields[field].kind)
    else {
        return None;
    };
    Some(Unit::Ms.of_nanos(number.saturating_mul(time.unit().nanos())))
}
