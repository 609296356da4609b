//! A row as the bytes that are stored of it.

use keystride::codec::KeyError;
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
    /// The design's columns by family and qualifier, as stores want them; each by its index among the design's.
    order: Vec<usize>,
    /// Those columns, then the mark of a row without cells, then what is added.
    columns: ColumnNames,
}

impl RowImager {
    pub(crate) fn new(codec: &KeyCodec) -> Self {
        let design = codec.design();
        let family = |index: usize| design.table.families[index].name.as_bytes();
        let name = |index: usize| {
            let column = &design.columns.cells[index];
            (family(column.family), column.qualifier.as_bytes())
        };
        let mut order: Vec<usize> = (0..design.columns.cells.len()).collect();
        order.sort_by_key(|&index| name(index));
        let mut columns = ColumnNames::new();
        for (family, qualifier) in order.iter().map(|&index| name(index)) {
            columns.add(family, qualifier);
        }
        columns.add(family(ROW_MARK.0), ROW_MARK.1.as_bytes());
        Self { codec: codec.clone(), encoder: codec.encoder(), order, columns }
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
        let design = self.codec.design();
        image.stamp_ms = self.stamp(row, stamp_ms)?;
        for (number, &index) in self.order.iter().enumerate() {
            if design.encode_cell(&design.columns.cells[index], row, &mut image.values)? {
                image.end_cell(number)?;
            }
        }
        Ok(())
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
        let narrow = |number: usize| u32::try_from(number).map_err(|_| MutationError::BatchFull);
        self.cells.push(PutCell { column: narrow(column)?, end: narrow(self.values.len())? });
        Ok(())
    }

    fn clear(&mut self) {
        self.key.clear();
        self.values.clear();
        self.cells.clear();
    }
}

/// The time in a field as milliseconds since 1970.
pub(crate) fn time_ms(design: &Design, field: usize, row: &Row) -> Option<i128> {
    let (Some(Value::Int(number)), FieldKind::Time(time)) = (row.get(field), &design.fields[field].kind)
    else {
        return None;
    };
    Some(Unit::Ms.of_nanos(number.saturating_mul(time.unit().nanos())))
}
