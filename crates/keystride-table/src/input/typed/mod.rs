//! Values of sources that have types, such as Parquet and Avro, and their conversion to values of fields: through text only if the
//! types differ.

mod field_value;
mod float;
mod iso;
mod kind;
mod text;

pub(super) use field_value::FieldValue;
pub(super) use float::Precision;
pub(super) use iso::IsoWriter;
pub(super) use kind::ValueKind;
pub(super) use text::write_other;
#[cfg(feature = "parquet")]
pub(super) use text::{quoted, write_json};

/// A value that is not null, reduced to a few types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TypedValue<'a> {
    Bool(bool),
    Int(i64),
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet has such numbers"))]
    Unsigned(u64),
    Float(f64, Precision),
    /// A decimal, and how many digits are behind the point.
    Decimal(i128, i8),
    /// A text or a byte string.
    Bytes(&'a [u8]),
    /// Days since 1970-01-01.
    Date(i32),
    /// Nanoseconds since 1970-01-01T00:00, in UTC or local.
    Time(i128),
}
