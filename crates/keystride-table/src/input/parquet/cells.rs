//! The cells of a column, reduced to a few types.

use arrow_schema::{DataType, TimeUnit};
use keystride::design::{FieldKind, Int96Times};
use keystride::time::{Zone, read_iso8601};
use parquet::basic::Type;
use parquet::data_type::ByteArray;

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

/// The type that floats were stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    Half,
    Single,
    Double,
}

impl CellKind {
    /// Returns the kind of a type; `None` for lists, objects and other types that are not single values.
    pub(super) fn of(found: &DataType, physical: Type, int96: Int96Times) -> Option<Self> {
        Some(match found {
            DataType::Boolean => Self::Bool,
            found if found.is_integer() => Self::Int,
            DataType::Float16 | DataType::Float32 | DataType::Float64 => Self::Float,
            DataType::Decimal128(..) => Self::Decimal,
            DataType::Utf8 => Self::Text,
            DataType::Binary | DataType::FixedSizeBinary(_) => Self::Bytes,
            DataType::Date32 => Self::Date,
            DataType::Timestamp(..) if physical == Type::INT96 => match int96 {
                Int96Times::Utc => Self::Instant,
                Int96Times::Local => Self::LocalTime,
            },
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
            FieldKind::Digits { .. } => {
                matches!(self, Self::Int | Self::Text | Self::Bytes | Self::Decimal | Self::Float)
            }
            FieldKind::Int(_) => matches!(self, Self::Int | Self::Text | Self::Float | Self::Decimal),
            FieldKind::Float(_) => matches!(self, Self::Int | Self::Text | Self::Float | Self::Decimal),
            FieldKind::Bool => matches!(self, Self::Bool | Self::Int | Self::Text),
            FieldKind::Bytes { .. } | FieldKind::Uuid { .. } => matches!(self, Self::Bytes | Self::Text),
            FieldKind::Time(_) => !matches!(self, Self::Bool | Self::Bytes | Self::Decimal),
        }
    }

    /// Whether a text may be that of such a cell; true of all texts for what is compared as text in any case.
    pub(super) fn may_be(self, text: &str) -> bool {
        match self {
            Self::Bool => matches!(text, "true" | "false"),
            Self::Int | Self::Float | Self::Decimal => text.parse::<f64>().is_ok(),
            Self::Date | Self::Instant | Self::LocalTime => {
                read_iso8601(text.as_bytes(), &Zone::utc()).is_ok()
            }
            Self::Bytes | Self::Text | Self::Null => true,
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
    /// Returns the bytes of a text or byte string.
    pub(super) fn bytes(&self, at: usize) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes[at].data(),
            _ => &[],
        }
    }

    /// Returns the length of the longest text or byte string. Panics if a damaged page has fewer values than it says.
    pub(super) fn longest(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.iter().map(ByteArray::len).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns a time in nanoseconds since 1970-01-01T00:00, in UTC or local.
    pub(super) fn nanos(&self, at: usize) -> i128 {
        match self {
            Self::Times(times, nanos) => i128::from(times[at]) * nanos,
            Self::Nanos(nanos) => nanos[at],
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
