//! The values in columns.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use keystride::Value;
use keystride::design::{Field, TimeKind};
use keystride::time::Unit;

/// Returns the value that a row has in the column of `field`, as it was before it was added to
/// [`ColumnRows`](super::ColumnRows); `None` for null.
pub(crate) fn value_at<'a>(column: &'a ArrayRef, field: &Field, row: usize) -> Option<Value<'a>> {
    if column.is_null(row) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Int32 => Value::Int(column.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => Value::Int(column.as_primitive::<Int64Type>().value(row).into()),
        DataType::UInt32 => Value::Int(column.as_primitive::<UInt32Type>().value(row).into()),
        DataType::UInt64 => Value::Int(column.as_primitive::<UInt64Type>().value(row).into()),
        DataType::Float32 => Value::F32(column.as_primitive::<Float32Type>().value(row)),
        DataType::Float64 => Value::F64(column.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Value::Bool(column.as_boolean().value(row)),
        DataType::Binary => Value::Bytes(column.as_binary::<i32>().value(row)),
        DataType::FixedSizeBinary(_) => {
            Value::Uuid(column.as_fixed_size_binary().value(row).try_into().ok()?)
        }
        DataType::Timestamp(unit, _) => Value::Int(time_at(column, *unit, field.time()?, row).into()),
        _ => Value::Text(column.as_string::<i32>().value(row)),
    })
}

/// Returns a time as a number in the unit of its field: columns have no seconds.
fn time_at(column: &ArrayRef, unit: TimeUnit, time: &TimeKind, row: usize) -> i64 {
    let number = match unit {
        TimeUnit::Nanosecond => column.as_primitive::<TimestampNanosecondType>().value(row),
        TimeUnit::Microsecond => column.as_primitive::<TimestampMicrosecondType>().value(row),
        TimeUnit::Millisecond | TimeUnit::Second => {
            column.as_primitive::<TimestampMillisecondType>().value(row)
        }
    };
    if time.unit() == Unit::S { number / 1_000 } else { number }
}
