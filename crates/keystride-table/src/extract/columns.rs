//! Rows gathered column by column.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, Float32Builder, Float64Builder, Int32Builder,
    Int64Builder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::{
    ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef, TimeUnit};
use keystride::design::TimeText;
use keystride::time::Unit;
use keystride::{Design, Row, Value};

use super::ExtractError;

/// Rows on their way into a file.
pub(super) struct ColumnRows {
    schema: SchemaRef,
    /// The field of each column.
    fields: Vec<usize>,
    columns: Vec<Column>,
    rows: usize,
    /// About how many bytes they take.
    bytes: usize,
    text: Vec<u8>,
}

enum Column {
    Text(StringBuilder),
    I32(Int32Builder),
    I64(Int64Builder),
    U32(UInt32Builder),
    U64(UInt64Builder),
    F32(Float32Builder),
    F64(Float64Builder),
    Bool(BooleanBuilder),
    Bytes(BinaryBuilder),
    Uuid(FixedSizeBinaryBuilder),
    /// Numbers of the field are taken times the second.
    Time(Int64Builder, TimeUnit, i64),
}

impl ColumnRows {
    pub(super) fn new(design: &Design, fields: &[usize], schema: &SchemaRef) -> Self {
        let columns = schema.fields().iter().zip(fields);
        let columns =
            columns.map(|(column, &field)| Column::new(column.data_type(), design, field)).collect();
        Self {
            schema: Arc::clone(schema),
            fields: fields.to_vec(),
            columns,
            rows: 0,
            bytes: 0,
            text: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn byte_count(&self) -> usize {
        self.bytes
    }

    /// Adds a row.
    pub(super) fn push(&mut self, design: &Design, row: &Row) -> Result<(), ExtractError> {
        for (column, &field) in self.columns.iter_mut().zip(&self.fields) {
            // A derived value that can't be computed is missing, as in a predicate.
            let value = design.value_of(field, row, &mut self.text).ok().flatten();
            self.bytes += column.push(value).map_err(|number| ExtractError::TimeOutOfRange {
                field: design.fields[field].name.clone(),
                number,
            })?;
        }
        self.rows += 1;
        Ok(())
    }

    /// All rows added since the last time.
    pub(super) fn take(&mut self) -> RecordBatch {
        (self.rows, self.bytes) = (0, 0);
        let columns = self.columns.iter_mut().map(Column::take).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
            .expect("each column is built for its type in the schema, one value a row")
    }
}

impl Column {
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
                let time = design.fields[field].time();
                let in_seconds = time.is_some_and(|time| time.text == TimeText::Epoch(Unit::S));
                Self::Time(Int64Builder::new(), *unit, if in_seconds { 1_000 } else { 1 })
            }
            _ => Self::Text(StringBuilder::new()),
        }
    }

    /// Adds a value, null when it is of another type than the column; the bytes it takes, or a number that does not
    /// fit.
    fn push(&mut self, value: Option<Value<'_>>) -> Result<usize, i128> {
        match (self, value) {
            (Self::Text(column), value) => {
                let text = if let Some(Value::Text(text)) = value { Some(text) } else { None };
                column.append_option(text);
                return Ok(4 + text.map_or(0, str::len));
            }
            (Self::Bytes(column), value) => {
                let bytes = if let Some(Value::Bytes(bytes)) = value { Some(bytes) } else { None };
                column.append_option(bytes);
                return Ok(4 + bytes.map_or(0, <[u8]>::len));
            }
            (Self::I32(column), value) => column.append_option(narrow(value)?),
            (Self::I64(column), value) => column.append_option(narrow(value)?),
            (Self::U32(column), value) => column.append_option(narrow(value)?),
            (Self::U64(column), value) => column.append_option(narrow(value)?),
            (Self::F32(column), Some(Value::F32(number))) => column.append_value(number),
            (Self::F32(column), _) => column.append_null(),
            (Self::F64(column), Some(Value::F64(number))) => column.append_value(number),
            (Self::F64(column), _) => column.append_null(),
            (Self::Bool(column), Some(Value::Bool(value))) => column.append_value(value),
            (Self::Bool(column), _) => column.append_null(),
            (Self::Uuid(column), Some(Value::Uuid(bytes))) => {
                column.append_value(bytes).expect("a UUID has the column's 16 bytes");
            }
            (Self::Uuid(column), _) => column.append_null(),
            (Self::Time(column, _, times), value) => match narrow::<i64>(value)? {
                Some(number) => column.append_value(number.checked_mul(*times).ok_or(i128::from(number))?),
                None => column.append_null(),
            },
        }
        Ok(8)
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Self::Text(column) => Arc::new(column.finish()),
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

/// A whole number of the column's width.
fn narrow<N: TryFrom<i128>>(value: Option<Value<'_>>) -> Result<Option<N>, i128> {
    match value {
        Some(Value::Int(number)) => N::try_from(number).map(Some).map_err(|_| number),
        _ => Ok(None),
    }
}
