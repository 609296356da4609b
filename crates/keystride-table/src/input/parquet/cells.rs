//! The cells of a column, reduced to a few types.

use arrow_schema::{DataType, TimeUnit};
use keystride::design::Int96Times;
use parquet::basic::Type;
use parquet::data_type::ByteArray;

use super::super::typed::{Precision, TypedValue, ValueKind};

/// Values of a column, without nulls.
#[derive(Debug)]
pub(super) enum Cells {
    Bools(Vec<bool>),
    Ints(Vec<i64>),
    Unsigned(Vec<u64>),
    Floats(Vec<f64>, Precision),
    /// Decimals, and how many digits are behind the point.
    Decimals(Vec<i128>, i8),
    Bytes(Vec<ByteArray>),
    /// Days since 1970-01-01.
    Dates(Vec<i32>),
    /// Times since 1970-01-01T00:00, in UTC or local, and the nanoseconds of their unit.
    Times(Vec<i64>, i128),
    /// Nanoseconds since then, which may be beyond 64 bits.
    Nanos(Vec<i128>),
}

/// Returns the kind of a type; `None` for lists, objects and other types that are not single values.
pub(super) fn kind_of(found: &DataType, physical: Type, int96: Int96Times) -> Option<ValueKind> {
    Some(match found {
        DataType::Boolean => ValueKind::Bool,
        found if found.is_integer() => ValueKind::Int,
        DataType::Float16 | DataType::Float32 | DataType::Float64 => ValueKind::Float,
        DataType::Decimal128(..) => ValueKind::Decimal,
        DataType::Utf8 => ValueKind::Text,
        DataType::Binary | DataType::FixedSizeBinary(_) => ValueKind::Bytes,
        DataType::Date32 => ValueKind::Date,
        DataType::Timestamp(..) if physical == Type::INT96 => match int96 {
            Int96Times::Utc => ValueKind::Instant,
            Int96Times::Local => ValueKind::LocalTime,
        },
        DataType::Timestamp(_, Some(_)) => ValueKind::Instant,
        DataType::Timestamp(_, None) => ValueKind::LocalTime,
        DataType::Null => ValueKind::Null,
        _ => return None,
    })
}

impl Cells {
    /// Returns a value.
    pub(super) fn value(&self, at: usize) -> TypedValue<'_> {
        match self {
            Self::Bools(bools) => TypedValue::Bool(bools[at]),
            Self::Ints(ints) => TypedValue::Int(ints[at]),
            Self::Unsigned(ints) => TypedValue::Unsigned(ints[at]),
            Self::Floats(floats, precision) => TypedValue::Float(floats[at], *precision),
            Self::Decimals(decimals, scale) => TypedValue::Decimal(decimals[at], *scale),
            Self::Bytes(bytes) => TypedValue::Bytes(bytes[at].data()),
            Self::Dates(days) => TypedValue::Date(days[at]),
            Self::Times(times, nanos) => TypedValue::Time(i128::from(times[at]) * nanos),
            Self::Nanos(nanos) => TypedValue::Time(nanos[at]),
        }
    }

    /// Returns the length of the longest text or byte string. Panics if a damaged page has fewer values than it says.
    pub(super) fn longest(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.iter().map(ByteArray::len).max().unwrap_or(0),
            _ => 0,
        }
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self::Bools(Vec::new())
    }
}

/// Returns the nanoseconds of a unit.
pub(super) fn nanos_of(unit: TimeUnit) -> i128 {
    match unit {
        TimeUnit::Second => 1_000_000_000,
        TimeUnit::Millisecond => 1_000_000,
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1,
    }
}
