//! Collects rows column by column.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, Float32Builder, Float64Builder, Int32Builder,
    Int64Builder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::{
    ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, SchemaRef, TimeUnit};
use keystride::design::TimeText;
use keystride::time::Unit;
use keystride::{Design, Row, Value};

use super::TimeOutOfRange;
use super::texts::Texts;
use crate::cells::TakeValues;

/// Rows to be taken as a record batch. A row is added value by value; missing values become nulls.
pub(crate) struct ColumnRows {
    schema: SchemaRef,
    columns: Vec<Column>,
    /// For each field, its column if it is read late.
    late: Vec<Option<usize>>,
    /// The other columns, each with its field.
    early: Vec<(usize, usize)>,
    /// Number of complete rows.
    rows: usize,
    /// Approximate size of the values in bytes, beyond what is the same for every row.
    bytes: usize,
    /// The size that is the same for every row.
    row_bytes: usize,
    /// The first column for which a value of the current row is out of range, with the value.
    beyond: Option<(usize, i128)>,
    text: Vec<u8>,
}

/// The values of a column. Nulls of the last rows may still have to be added.
struct Column {
    values: Values,
    len: usize,
}

enum Values {
    Text(Texts),
    I32(Int32Builder),
    I64(Int64Builder),
    U32(UInt32Builder),
    U64(UInt64Builder),
    F32(Float32Builder),
    F64(Float64Builder),
    Bool(BooleanBuilder),
    Bytes(BinaryBuilder),
    Uuid(FixedSizeBinaryBuilder),
    /// Times. Numbers of the field are multiplied by the last member.
    Time(Int64Builder, TimeUnit, i64),
}

impl ColumnRows {
    /// Creates columns for `fields`, of which `late` are not taken from the rows passed to [`Self::push`].
    pub(crate) fn new(design: &Design, fields: &[usize], late: &[usize], schema: &SchemaRef) -> Self {
        let columns = schema.fields().iter().zip(fields);
        let columns: Vec<Column> =
            columns.map(|(column, &field)| Column::new(column.data_type(), design, field)).collect();
        let mut is_late = vec![false; design.fields().len()];
        for &field in late {
            is_late[field] = true;
        }
        let mut places = vec![None; design.fields().len()];
        for (column, &field) in fields.iter().enumerate().rev() {
            places[field] = is_late[field].then_some(column);
        }
        Self {
            schema: Arc::clone(schema),
            row_bytes: columns.iter().map(|column| column.values.row_bytes()).sum(),
            late: places,
            early: fields.iter().copied().enumerate().filter(|&(_, field)| !is_late[field]).collect(),
            columns,
            rows: 0,
            bytes: 0,
            beyond: None,
            text: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    pub(crate) fn byte_count(&self) -> usize {
        self.bytes + self.rows * self.row_bytes
    }

    /// Adds the early values of a row.
    pub(crate) fn push(&mut self, design: &Design, row: &Row) {
        let mut text = std::mem::take(&mut self.text);
        for at in 0..self.early.len() {
            let (column, field) = self.early[at];
            // A derived value that can't be computed counts as missing, as in predicates.
            if let Ok(Some(value)) = design.value_of(field, row, &mut text) {
                self.set(column, &value);
            }
        }
        self.text = text;
    }

    #[inline]
    fn set(&mut self, column: usize, value: &Value<'_>) {
        match self.columns[column].push(self.rows, value) {
            Ok(bytes) => self.bytes += bytes,
            Err(number) if self.beyond.is_none_or(|(first, _)| column < first) => {
                self.beyond = Some((column, number));
            }
            Err(_) => {}
        }
    }

    /// Completes the current row, which is stored under `key`.
    pub(crate) fn end_row(&mut self, key: &[u8]) -> Result<(), TimeOutOfRange> {
        self.rows += 1;
        match self.beyond {
            None => Ok(()),
            Some((column, number)) => {
                let field = self.schema.field(column).name().clone();
                Err(TimeOutOfRange { key: key.to_vec(), field, number })
            }
        }
    }

    /// Whether all texts are UTF-8, which [`Self::take`] requires.
    pub(crate) fn are_utf8(&mut self) -> bool {
        self.columns.iter_mut().all(|column| column.values.are_utf8())
    }

    /// Takes all rows added since the last call.
    pub(crate) fn take(&mut self) -> RecordBatch {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        let columns = self.columns.iter_mut().map(|column| column.take(rows)).collect();
        // The number of rows is stated for the case of no columns.
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
            .expect("each column is built for its type in the schema, one value a row")
    }
}

/// Receives the values of fields that are read late.
impl TakeValues for ColumnRows {
    const TEXTS: bool = true;

    #[inline]
    fn text(&mut self, field: usize, onward: &[u8], len: usize) -> bool {
        let Some(column) = self.late[field] else { return false };
        let is_taken = self.columns[column].push_text(self.rows, onward, len);
        self.bytes += if is_taken { len } else { 0 };
        is_taken
    }

    fn value(&mut self, field: usize, value: Value<'_>) {
        if let Some(column) = self.late[field] {
            self.set(column, &value);
        }
    }
}

impl Column {
    fn new(data_type: &DataType, design: &Design, field: usize) -> Self {
        Self { values: Values::new(data_type, design, field), len: 0 }
    }

    /// Sets the value of row `row`, or null if it has a different type than the column. Returns the size of the value
    /// beyond the fixed size per row, or a number that is out of range.
    #[inline]
    fn push(&mut self, row: usize, value: &Value<'_>) -> Result<usize, i128> {
        self.fill(row);
        let bytes = self.values.append(value)?;
        self.len += 1;
        Ok(bytes)
    }

    /// If this is a text column, sets the text of row `row` to the first `len` bytes of `onward`. Returns whether it
    /// is.
    #[inline]
    fn push_text(&mut self, row: usize, onward: &[u8], len: usize) -> bool {
        self.fill(row);
        let Values::Text(column) = &mut self.values else { return false };
        column.append(onward, len);
        self.len += 1;
        true
    }

    /// Adds missing nulls up to `rows` rows.
    #[inline]
    fn fill(&mut self, rows: usize) {
        if self.len < rows {
            self.values.append_nulls(rows - self.len);
            self.len = rows;
        }
    }

    fn take(&mut self, rows: usize) -> ArrayRef {
        self.fill(rows);
        self.len = 0;
        self.values.take()
    }
}

impl Values {
    fn new(data_type: &DataType, design: &Design, field: usize) -> Self {
        match data_type {
            DataType::Int32 => Self::I32(Int32Builder::new()),
            DataType::Int64 => Self::I64(Int64Builder::new()),
            DataType::UInt32 => Self::U32(UInt32Builder::new()),
            DataType::UInt64 => Self::U64(UInt64Builder::new()),
            DataType::Float32 => Self::F32(Float32Builder::new()),
            DataType::Float64 => Self::F64(Float64Builder::new()),
            DataType::Boolean => Self::Bool(BooleanBuilder::new()),
            DataType::Binary => Self::Bytes(BinaryBuilder::new()),
            DataType::FixedSizeBinary(width) => Self::Uuid(FixedSizeBinaryBuilder::new(*width)),
            DataType::Timestamp(unit, _) => {
                let time = design.fields()[field].time();
                let in_seconds = time.is_some_and(|time| time.text == TimeText::Epoch(Unit::S));
                Self::Time(Int64Builder::new(), *unit, if in_seconds { 1_000 } else { 1 })
            }
            _ => Self::Text(Texts::new()),
        }
    }

    #[inline]
    fn append(&mut self, value: &Value<'_>) -> Result<usize, i128> {
        if let (Self::Text(column), Value::Text(text)) = (&mut *self, value) {
            column.append(text.as_bytes(), text.len());
            return Ok(text.len());
        }
        self.append_other(*value)
    }

    /// Appends a value that is not a text.
    fn append_other(&mut self, value: Value<'_>) -> Result<usize, i128> {
        match (self, value) {
            (Self::Bytes(column), Value::Bytes(bytes)) => {
                column.append_value(bytes);
                return Ok(bytes.len());
            }
            (Self::I32(column), Value::Int(number)) => column.append_value(narrow(number)?),
            (Self::I64(column), Value::Int(number)) => column.append_value(narrow(number)?),
            (Self::U32(column), Value::Int(number)) => column.append_value(narrow(number)?),
            (Self::U64(column), Value::Int(number)) => column.append_value(narrow(number)?),
            (Self::F32(column), Value::F32(number)) => column.append_value(number),
            (Self::F64(column), Value::F64(number)) => column.append_value(number),
            (Self::Bool(column), Value::Bool(value)) => column.append_value(value),
            (Self::Uuid(column), Value::Uuid(bytes)) => {
                column.append_value(bytes).expect("a UUID has the column's 16 bytes");
            }
            (Self::Time(column, _, times), Value::Int(number)) => {
                let time: i64 = narrow(number)?;
                column.append_value(time.checked_mul(*times).ok_or(number)?);
            }
            (column, _) => column.append_nulls(1),
        }
        Ok(0)
    }

    fn append_nulls(&mut self, count: usize) {
        match self {
            Self::Text(column) => column.append_nulls(count),
            Self::I32(column) => column.append_nulls(count),
            Self::I64(column) | Self::Time(column, ..) => column.append_nulls(count),
            Self::U32(column) => column.append_nulls(count),
            Self::U64(column) => column.append_nulls(count),
            Self::F32(column) => column.append_nulls(count),
            Self::F64(column) => column.append_nulls(count),
            Self::Bool(column) => column.append_nulls(count),
            Self::Bytes(column) => column.append_nulls(count),
            Self::Uuid(column) => column.append_nulls(count),
        }
    }

    fn are_utf8(&mut self) -> bool {
        if let Self::Text(column) = self { column.are_utf8() } else { true }
    }

    /// Returns the approximate fixed size of a value in bytes: that of an offset or of a number.
    fn row_bytes(&self) -> usize {
        if let Self::Text(_) | Self::Bytes(_) = self { 4 } else { 8 }
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Self::Text(column) => column.take(),
            Self::I32(column) => Arc::new(column.finish()),
            Self::I64(column) => Arc::new(column.finish()),
            Self::U32(column) => Arc::new(column.finish()),
            Self::U64(column) => Arc::new(column.finish()),
            Self::F32(column) => Arc::new(column.finish()),
            Self::F64(column) => Arc::new(column.finish()),
            Self::Bool(column) => Arc::new(column.finish()),
            Self::Bytes(column) => Arc::new(column.finish()),
            Self::Uuid(column) => Arc::new(column.finish()),
            Self::Time(column, unit, _) => {
                let numbers = column.finish();
                match unit {
                    TimeUnit::Nanosecond => times::<TimestampNanosecondType>(&numbers),
                    TimeUnit::Microsecond => times::<TimestampMicrosecondType>(&numbers),
                    TimeUnit::Millisecond | TimeUnit::Second => times::<TimestampMillisecondType>(&numbers),
                }
            }
        }
    }
}

fn times<T: ArrowTimestampType>(numbers: &Int64Array) -> ArrayRef {
    Arc::new(numbers.reinterpret_cast::<T>().with_timezone("UTC"))
}

/// Converts a number to the column's type.
fn narrow<N: TryFrom<i128>>(number: i128) -> Result<N, i128> {
    N::try_from(number).map_err(|_| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow::schema;

    #[test]
    fn bytes_are_counted_by_the_types_of_columns_and_the_lengths_of_values() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                    early = { type = \"string\" }\nlate = { type = \"string\" }\nraw = { type = \"bytes\" }\n\
                    [key]\nparts = [{ field = \"id\" }]";
        let design = Design::from_toml(toml).unwrap();
        let fields = [0, 1, 2, 3];
        let mut rows = ColumnRows::new(&design, &fields, &[2, 3], &schema(&design, &fields));
        let mut row = Row::new(4);
        row.set(0, Value::Int(7));
        row.set(1, Value::Text("three"));
        for count in 1..=3 {
            rows.push(&design, &row);
            assert!(rows.text(2, b"four, and more", 4));
            assert!(!rows.text(3, b"bytes are no text", 5));
            rows.value(3, Value::Bytes(b"5"));
            rows.end_row(b"").unwrap();
            assert_eq!((rows.len(), rows.byte_count()), (count, count * (8 + 3 * 4 + 5 + 4 + 1)));
        }
        assert_eq!(rows.take().num_rows(), 3);
        assert_eq!((rows.len(), rows.byte_count()), (0, 0));
    }
}
