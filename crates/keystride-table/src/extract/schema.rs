//! The Arrow schema of an extract's files.

use std::sync::Arc;

use arrow_schema::{DataType, Field as ArrowField, Schema, SchemaRef, TimeUnit};
use keystride::Design;
use keystride::design::{Field, FieldKind, FloatKind, IntWidth, TimeKind};
use keystride::time::Unit;

/// Returns the schema of the fields at `fields`, all of which are nullable. Times are instants in UTC; those in
/// seconds are written in milliseconds, as Parquet has no unit of seconds.
pub(super) fn schema(design: &Design, fields: &[usize]) -> SchemaRef {
    let column = |&field: &usize| {
        let field = &design.fields[field];
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

pub(super) fn time_unit(time: &TimeKind) -> TimeUnit {
    match time.unit() {
        Unit::S | Unit::Ms => TimeUnit::Millisecond,
        Unit::Us => TimeUnit::Microsecond,
        Unit::Ns => TimeUnit::Nanosecond,
    }
}
