//! The cells of a column in one batch, reduced to a few types.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Decimal128Array, FixedSizeBinaryArray, StringArray,
};
use arrow_schema::{DataType, TimeUnit};
use keystride::design::FieldKind;

/// The kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellKind {
    Bool,
    Int,
    Float,
    Decimal,
    Text,
    Bytes,
    Date,
    /// An instant.
    Instant,
    /// A date and time without a time zone.
    LocalTime,
    /// No values: all cells are null.
    Null,
}

/// The cells of one batch.
#[derive(Debug)]
pub(super) enum Cells {
    Bools(BooleanArray),
    Ints(Vec<i128>),
    Floats(Vec<f64>),
    Decimals(Decimal128Array),
    Texts(StringArray),
    Bytes(BinaryArray),
    FixedBytes(FixedSizeBinaryArray),
    /// Days since 1970-01-01.
    Dates(Vec<i128>),
    /// Nanoseconds since 1970-01-01T00:00, in UTC or local.
    Times(Vec<i128>),
}

impl CellKind {
    /// Returns the kind of a type; `None` for lists, objects and other types that are not single values.
    pub(super) fn of(found: &DataType) -> Option<Self> {
        Some(match found {
            DataType::Boolean => Self::Bool,
            found if found.is_integer() => Self::Int,
            DataType::Float32 | DataType::Float64 => Self::Float,
            DataType::Decimal128(..) => Self::Decimal,
            DataType::Utf8 => Self::Text,
            DataType::Binary | DataType::FixedSizeBinary(_) => Self::Bytes,
            DataType::Date32 => Self::Date,
            DataType::Timestamp(_, Some(_)) => Self::Instant,
            DataType::Timestamp(_, None) => Self::LocalTime,
            DataType::Null => Self::Null,
            _ => return None,
        })
    }

    /// Whether the cells can be converted to values of a field.
    pub(super) fn fits(self, field: &FieldKind) -> bool {
        match field {
            _ if self == Self::Null => true,
            FieldKind::String(_) => !matches!(self, Self::Float | Self::Instant | Self::LocalTime),
            FieldKind::Digits { .. } => matches!(self, Self::Int | Self::Text | Self::Bytes | Self::Decimal),
            FieldKind::Int(_) => matches!(self, Self::Int | Self::Text | Self::Float | Self::Decimal),
            FieldKind::Float(_) => matches!(self, Self::Int | Self::Text | Self::Float | Self::Decimal),
            FieldKind::Bool => matches!(self, Self::Bool | Self::Int | Self::Text),
            FieldKind::Bytes { .. } | FieldKind::Uuid { .. } => matches!(self, Self::Bytes | Self::Text),
            FieldKind::Time(_) => !matches!(self, Self::Bool | Self::Bytes | Self::Decimal),
        }
    }

    /// Returns a declaration for the design file of a field that can hold all the cells.
    pub(super) fn suggested(self) -> &'static str {
        match self {
            Self::Bool => r#"type = "bool""#,
            Self::Int => r#"type = "int""#,
            Self::Float => r#"type = "f64""#,
            Self::Bytes => r#"type = "bytes""#,
            Self::Decimal | Self::Text | Self::Date | Self::Null => r#"type = "string""#,
            Self::Instant | Self::LocalTime => r#"type = "time", unit = "ms""#,
        }
    }
}

impl Cells {
    /// Extracts the cells of `array`; those that are null have unspecified values. Returns `None` for the null type
    /// and for types without a [`CellKind`].
    pub(super) fn of(array: &ArrayRef) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Boolean => Self::Bools(array.as_boolean().clone()),
            DataType::Int8 => Self::Ints(numbers::<Int8Type, _>(array)),
            DataType::Int16 => Self::Ints(numbers::<Int16Type, _>(array)),
            DataType::Int32 => Self::Ints(numbers::<Int32Type, _>(array)),
            DataType::Int64 => Self::Ints(numbers::<Int64Type, _>(array)),
            DataType::UInt8 => Self::Ints(numbers::<UInt8Type, _>(array)),
            DataType::UInt16 => Self::Ints(numbers::<UInt16Type, _>(array)),
            DataType::UInt32 => Self::Ints(numbers::<UInt32Type, _>(array)),
            DataType::UInt64 => Self::Ints(numbers::<UInt64Type, _>(array)),
            DataType::Float32 => Self::Floats(numbers::<Float32Type, _>(array)),
            DataType::Float64 => Self::Floats(numbers::<Float64Type, _>(array)),
            DataType::Decimal128(..) => Self::Decimals(array.as_primitive::<Decimal128Type>().clone()),
            DataType::Utf8 => Self::Texts(array.as_string::<i32>().clone()),
            DataType::Binary => Self::Bytes(array.as_binary::<i32>().clone()),
            DataType::FixedSizeBinary(_) => Self::FixedBytes(array.as_fixed_size_binary().clone()),
            DataType::Date32 => Self::Dates(numbers::<Date32Type, _>(array)),
            DataType::Timestamp(unit, _) => Self::Times(nanos(*unit, array)),
            _ => return None,
        })
    }

    /// Returns the bytes of a text or byte string.
    pub(super) fn bytes(&self, at: usize) -> Option<&[u8]> {
        match self {
            Self::Texts(texts) => Some(texts.value(at).as_bytes()),
            Self::Bytes(bytes) => Some(bytes.value(at)),
            Self::FixedBytes(bytes) => Some(bytes.value(at)),
            _ => None,
        }
    }
}

fn numbers<T, N>(array: &ArrayRef) -> Vec<N>
where
    T: ArrowPrimitiveType,
    T::Native: Into<N>,
{
    array.as_primitive::<T>().values().iter().map(|number| (*number).into()).collect()
}

fn nanos(unit: TimeUnit, array: &ArrayRef) -> Vec<i128> {
    let (mut numbers, scale) = match unit {
        TimeUnit::Second => (numbers::<TimestampSecondType, i128>(array), 1_000_000_000),
        TimeUnit::Millisecond => (numbers::<TimestampMillisecondType, i128>(array), 1_000_000),
        TimeUnit::Microsecond => (numbers::<TimestampMicrosecondType, i128>(array), 1_000),
        TimeUnit::Nanosecond => (numbers::<TimestampNanosecondType, i128>(array), 1),
    };
    for number in &mut numbers {
        *number *= scale;
    }
    numbers
}
