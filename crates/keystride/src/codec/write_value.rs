//! Writes one value in its encoding, for parts and cells alike.

use super::error::KeyFault;
use super::number;
use crate::design::{Encoding, FieldKind, Steps};
use crate::key::{SortOrder, ordered_bytes, phoenix};
use crate::value::{Value, write_text};

/// Appends a value, with the steps that precede its encoding and the encoding itself.
pub(super) fn write_value(
    value: Value<'_>,
    steps: &Steps,
    kind: &FieldKind,
    out: &mut Vec<u8>,
) -> Result<(), Box<KeyFault>> {
    if let Value::Int(value) = value {
        return number::write(value, steps, kind, out);
    }
    let order = if steps.encodes_descending() { SortOrder::Descending } else { SortOrder::Ascending };
    match (steps.encoding, value) {
        (Encoding::Be, Value::F32(number)) => number::be(number, out),
        (Encoding::Be, Value::F64(number)) => number::be(number, out),
        (Encoding::Be, Value::Bool(value)) => {
            crate::key::binary::encode_bool(out, value, SortOrder::Ascending);
        }
        (Encoding::Ordered, Value::F32(number)) => number::ordered(number, out),
        (Encoding::Ordered, Value::F64(number)) => number::ordered(number, out),
        (Encoding::Phoenix, value) => write_phoenix(value, out)?,
        (Encoding::OrderedBytes, value) => write_ordered_bytes(value, order, out)?,
        (_, Value::Uuid(bytes)) if steps.encoding == Encoding::Plain => out.extend_from_slice(&bytes),
        (_, value) => write_text(value, kind, out)?,
    }
    Ok(())
}

fn write_phoenix(value: Value<'_>, out: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    // Phoenix's descending form is the complement, which is applied last for every part.
    let order = SortOrder::Ascending;
    match value {
        Value::Text(text) => phoenix::encode_varchar(out, text, order)?,
        Value::Bytes(bytes) => phoenix::encode_varbinary(out, bytes, order),
        Value::F32(number) => phoenix::encode_float(out, number, order),
        Value::F64(number) => phoenix::encode_float(out, number, order),
        Value::Bool(value) => phoenix::encode_boolean(out, value, order),
        Value::Int(_) | Value::Uuid(_) => {}
    }
    Ok(())
}

fn write_ordered_bytes(value: Value<'_>, order: SortOrder, out: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    match value {
        Value::Text(text) => ordered_bytes::encode_string(out, text, order)?,
        Value::Bytes(bytes) => ordered_bytes::encode_blob_copy(out, bytes, order)?,
        Value::F32(number) => ordered_bytes::encode_fixed(out, number, order),
        Value::F64(number) => ordered_bytes::encode_fixed(out, number, order),
        Value::Int(_) | Value::Bool(_) | Value::Uuid(_) => {}
    }
    Ok(())
}
