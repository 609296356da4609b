//! The Arrow schema of a design.

use std::sync::Arc;

use arrow_schema::{DataType, Field as ArrowField, Schema, SchemaRef, TimeUnit};
use keystride::Design;
use keystride::design::{Field, FieldKind, FloatKind, IntWidth, TimeKind};
use keystride::time::Unit;

/// Returns the schema of the design's fields at `fields`, one nullable column each, in that order.
///
/// Times are instants in UTC; those in seconds become milliseconds, because Parquet has no unit of seconds. Integers
/// without a width have 64 bits, texts of digits stay texts, and a UUID has 16 bytes.
///
/// # Panics
///
/// When there is no such field.
pub fn schema(design: &Design, fields: &[usize]) -> SchemaRef {
    let column = |&field: &usize| {
        let field = &design.fields()[field];
        ArrowField::new(&field.name, data_type(field), true)
    };
    Arc::new(Schema::new(fields.iter().map(column).collect::<Vec<_>>()))
}

fn data_type(field: &Field) -> DataType {
    match &field.kind {
        FieldKind::String(_) | FieldKind::Digits { .. } => DataType::Utf8,
        FieldKind::Int(int) => match int.width {
            IntWidth::I32 => DataType::Int32,
            IntWidth::U32 => DataType::UInt32,
            IntWidth::U64 => DataType::UInt64,
            IntWidth::Int | IntWidth::I64 => DataType::Int64,
        },
        FieldKind::Float(FloatKind::F32) => DataType::Float32,
        FieldKind::Float(FloatKind::F64) => DataType::Float64,
        FieldKind::Bool => DataType::Boolean,
        FieldKind::Bytes { .. } => DataType::Binary,
        FieldKind::Uuid { .. } => DataType::FixedSizeBinary(16),
        FieldKind::Time(time) => DataType::Timestamp(time_unit(time), Some("UTC".into())),
    }
}

fn time_unit(time: &TimeKind) -> TimeUnit {
    match time.unit() {
        Unit::S | Unit::Ms => TimeUnit::Millisecond,
        Unit::Us => TimeUnit::Microsecond,
        Unit::Ns => TimeUnit::Nanosecond,
    }
}
