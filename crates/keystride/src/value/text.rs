//! The default text of a value: what an unadorned part of a key and a cell hold.

use std::io::Write as _;

use super::Value;
use crate::design::{FieldKind, TimeText};
use crate::key::decimal;
use crate::time::TimeError;

/// Appends the default text of `value`, a value of `kind`.
///
/// # Errors
///
/// [`TimeError`] for a time its pattern can't write.
pub(crate) fn write_text(value: Value<'_>, kind: &FieldKind, out: &mut Vec<u8>) -> Result<(), TimeError> {
    match value {
        Value::Text(text) => out.extend_from_slice(text.as_bytes()),
        Value::Bytes(bytes) => out.extend_from_slice(bytes),
        Value::Int(number) => return write_number(number, kind, out),
        Value::Bool(value) => out.push(if value { b'1' } else { b'0' }),
        Value::Uuid(bytes) => write_uuid(bytes, out),
        // Writing to a Vec can't fail. Rust's shortest text that reads back as the same number.
        Value::F32(number) => drop(write!(out, "{number}")),
        Value::F64(number) => drop(write!(out, "{number}")),
    }
    Ok(())
}

fn write_number(number: i128, kind: &FieldKind, out: &mut Vec<u8>) -> Result<(), TimeError> {
    match kind {
        FieldKind::Time(time) => match &time.text {
            TimeText::Pattern(pattern) => pattern.format(time_ms(number), &time.zone, out),
            TimeText::Epoch(_) => {
                decimal::encode(out, number);
                Ok(())
            }
        },
        _ => {
            decimal::encode(out, number);
            Ok(())
        }
    }
}

/// Milliseconds of a formatted time; out of 64 bits it is out of every pattern's years.
fn time_ms(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

fn write_uuid(bytes: [u8; 16], out: &mut Vec<u8>) {
    let mut buffer = uuid::Uuid::encode_buffer();
    out.extend_from_slice(uuid::Uuid::from_bytes(bytes).hyphenated().encode_lower(&mut buffer).as_bytes());
}

impl crate::Design {
    /// The default text of a field's value; escaped where it is no text, `None` where there is no value.
    pub fn value_text(&self, row: &crate::Row, field: usize) -> Option<String> {
        let mut text = Vec::new();
        write_text(row.get(field)?, &self.fields[field].kind, &mut text).ok()?;
        Some(String::from_utf8(text).unwrap_or_else(|bytes| crate::escape::to_escaped(bytes.as_bytes())))
    }
}
