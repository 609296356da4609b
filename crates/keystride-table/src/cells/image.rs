//! Encoding of rows to the bytes that are stored.

use keystride::codec::{DecodedKey, KeyError};
use keystride::design::{Column, End, Part};
use keystride::internal::CellEncoder;
use keystride::time::Unit;
use keystride::{Design, KeyCodec, KeyEncoder, Row, Value};
use keystride_store::{ColumnNames, MutationBatch, MutationError, PutCell};

use super::{ROW_MARK, RowError};

/// The encoded key and cells of a row, in buffers that are reused for other rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RowImage {
    pub(crate) key: Vec<u8>,
    pub(crate) stamp_ms: i64,
    /// The values of all cells, back to back.
    pub(crate) values: Vec<u8>,
    /// The cells; columns are numbered as in the imager.
    pub(crate) cells: Vec<PutCell>,
}

/// Encodes rows of a design.
#[derive(Debug)]
pub(crate) struct RowImager {
    codec: KeyCodec,
    encoder: KeyEncoder,
    /// Encodes the design's columns in the order of family and qualifier, which stores prefer.
    cells: CellEncoder,
    /// Names of the design's columns, followed by [`ROW_MARK`] and by columns added later.
    columns: ColumnNames,
    /// The buckets that are too narrow for their largest numbers, so that digits after them may be read as part of them.
    unclear_buckets: Vec<usize>,
    decoded: DecodedKey,
}

impl RowImager {
    pub(crate) fn new(codec: &KeyCodec) -> Self {
        let design = codec.design();
        let family = |index: usize| design.table().families[index].name.as_bytes();
        let mut cells = design.columns().cells.clone();
        cells.sort_by(|a, b| (family(a.family), &a.qualifier).cmp(&(family(b.family), &b.qualifier)));
        let mut columns = ColumnNames::new();
        for column in &cells {
            columns.add(family(column.family), column.qualifier.as_bytes());
        }
        columns.add(family(ROW_MARK.0), ROW_MARK.1.as_bytes());
        let cells = CellEncoder::new(design, cells);
        let parts = design.parts().iter().zip(design.layout()).enumerate();
        let unclear = parts.filter(|(index, (part, layout))| {
            matches!(part, Part::Bucket(_)) && layout.end == End::Own && !design.shows_end(*index)
        });
        let unclear_buckets = unclear.map(|(index, _)| index).collect();
        let decoded = DecodedKey { row: Row::new(design.fields().len()), spans: Vec::new(), bucket: None };
        Self { codec: codec.clone(), encoder: codec.encoder(), cells, columns, unclear_buckets, decoded }
    }

    pub(crate) fn columns(&self) -> &ColumnNames {
        &self.columns
    }

    /// Adds a column that belongs to no field and returns its number.
    pub(crate) fn add_column(&mut self, family: usize, qualifier: &str) -> Result<u32, RowError> {
        let design = self.codec.design();
        let name = &design.table().families[family].name;
        let cell = || format!("{name}:{qualifier}");
        let is_taken = |column: &&Column| column.family == family && column.qualifier == qualifier;
        if let Some(column) = design.columns().cells.iter().find(is_taken) {
            let field = design.fields()[column.field].name.clone();
            return Err(RowError::FieldCell { column: qualifier.to_owned(), cell: cell(), field });
        }
        if (family, qualifier) == ROW_MARK {
            return Err(RowError::MarkCell { cell: cell() });
        }
        Ok(self.columns.add(name.as_bytes(), qualifier.as_bytes()))
    }

    /// As [`KeyEncoder::supply`].
    pub(crate) fn supply(&mut self, number: u64) {
        self.encoder.supply(number);
    }

    /// Encodes only the key of a row.
    pub(crate) fn encode_key(&mut self, row: &Row, image: &mut RowImage) -> Result<(), KeyError> {
        image.clear();
        self.encoder.encode(row, &mut image.key)
    }

    /// Encodes a row, stamped with its own `cell_time` or else `stamp_ms`. After an error, the contents of the image
    /// are unspecified.
    pub(crate) fn encode(&mut self, row: &Row, stamp_ms: i64, image: &mut RowImage) -> Result<(), RowError> {
        self.encode_key(row, image)?;
        self.encode_cells(row, stamp_ms, image)
    }

    fn encode_cells(&mut self, row: &Row, stamp_ms: i64, image: &mut RowImage) -> Result<(), RowError> {
        if !self.unclear_buckets.is_empty() {
            self.check_reads_back(row, &image.key)?;
        }
        let design = self.codec.design();
        image.stamp_ms = self.stamp(row, stamp_ms)?;
        let RowImage { values, cells, .. } = image;
        self.cells.encode(design, row, values, |column, end| {
            cells.push(PutCell { column: narrow(column), end: narrow(end) });
        })?;
        Ok(check_len(values)?)
    }

    /// Checks that the buckets of a row's key end where they were written when the key is read.
    fn check_reads_back(&mut self, row: &Row, key: &[u8]) -> Result<(), RowError> {
        let design = self.codec.design();
        let is_read = self.codec.decode_known_into(key, &mut self.decoded).is_ok();
        for &bucket in &self.unclear_buckets {
            let mut rest = Vec::new();
            self.encoder.encode_after(bucket, row, &mut rest)?;
            // What stands behind a part whose end can't be found is not read from the key.
            let end = self.decoded.spans.get(bucket).map(|span| span.end);
            if !is_read || end.is_some_and(|end| end != key.len() - rest.len()) {
                let after = design.parts()[bucket..].iter().find_map(|part| match part {
                    Part::Field(part) => Some(part.field),
                    Part::Text(_) | Part::Bucket(_) => None,
                });
                let field = after.map(|field| design.fields()[field].name.clone()).unwrap_or_default();
                return Err(RowError::UnclearBucket { key: key.to_vec(), field });
            }
        }
        Ok(())
    }

    /// Returns the timestamp of a row's cells: its own `cell_time`, or else `stamp_ms`.
    pub(crate) fn stamp(&self, row: &Row, stamp_ms: i64) -> Result<i64, RowError> {
        let design = self.codec.design();
        let Some(field) = design.columns().cell_time else { return Ok(stamp_ms) };
        let Some(number) = time_ms(design, field, row) else { return Ok(stamp_ms) };
        i64::try_from(number)
            .map_err(|_| RowError::Stamp { field: design.fields()[field].name.clone(), number })
    }

    /// Adds the [`ROW_MARK`] cell to a row that has no cells.
    pub(crate) fn mark_if_empty(&self, image: &mut RowImage) -> Result<(), MutationError> {
        if image.cells.is_empty() {
            image.end_cell(self.codec.design().columns().cells.len())?;
        }
        Ok(())
    }
}

impl RowImage {
    /// Returns the column and the value of each cell.
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

    /// Returns approximately how much memory it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        const CELL_BYTES: usize = 32;
        self.key.len() + self.values.len() + self.cells.len() * CELL_BYTES
    }

    /// Returns the size of the row as regions count it, with the key once per cell.
    pub(crate) fn byte_count(&self, columns: &ColumnNames) -> u64 {
        let names = self.cells.iter().map(|cell| columns.name_len(cell.column)).sum::<usize>();
        (self.cells.len() * self.key.len() + names + self.values.len()) as u64
    }

    /// Completes a cell of column `column` whose value was appended to `values` since the last cell.
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

/// Converts a column number, or an offset in values whose length is checked.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Checks that a batch can hold the values.
fn check_len(values: &[u8]) -> Result<(), MutationError> {
    if values.len() < u32::MAX as usize { Ok(()) } else { Err(MutationError::BatchFull) }
}

/// Returns a row's number of a field, which may be derived.
pub(crate) fn number_of(design: &Design, field: usize, row: &Row) -> Option<i128> {
    match design.value_of(field, row, &mut Vec::new()) {
        Ok(Some(Value::Int(number))) => Some(number),
        _ => None,
    }
}

/// Returns the time in a field as milliseconds since 1970.
pub(crate) fn time_ms(design: &Design, field: usize, row: &Row) -> Option<i128> {
    let time = design.fields()[field].time()?;
    Some(Unit::Ms.of_nanos(number_of(design, field, row)?.saturating_mul(time.unit().nanos())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_further_column_is_no_cell_of_a_field_and_no_mark() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\", \"g\"]\n[fields]\n\
                    id = { type = \"string\" }\n\
                    b = { type = \"string\" }\nc = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]\n\
                    [columns]\nb = { qualifier = \"a\" }\nc = { family = \"g\" }";
        let mut imager = RowImager::new(&KeyCodec::new(Design::from_toml(toml).unwrap()));
        let [column, cell, field] = ["a", "f:a", "b"].map(str::to_owned);
        assert_eq!(imager.add_column(0, "a"), Err(RowError::FieldCell { column, cell, field }));
        assert_eq!(imager.add_column(0, ""), Err(RowError::MarkCell { cell: "f:".to_owned() }));
        // The columns of the fields and the mark are numbered 0 to 2.
        let added =
            [(1, "a"), (0, "b"), (0, "c"), (1, "")].map(|(family, name)| imager.add_column(family, name));
        assert_eq!(added, [3, 4, 5, 6].map(Ok));
    }
}
