//! The default text of a value, as cells and the parts of a key without further steps hold it.

use std::io::Write as _;

use super::{Row, Value};
use crate::design::{BytesInput, Design, Field, FieldKind, TimeText};
use crate::escape::to_escaped;
use crate::key::decimal;
use crate::time::TimeError;

/// Appends the default text of `value`, a value of `kind`.
///
/// # Errors
///
/// [`TimeError`] for a time that its pattern can't write.
pub fn write_text(value: Value<'_>, kind: &FieldKind, out: &mut Vec<u8>) -> Result<(), TimeError> {
    match value {
        Value::Text(text) => out.extend_from_slice(text.as_bytes()),
        Value::Bytes(bytes) => out.extend_from_slice(bytes),
        Value::Int(number) => return write_number(number, kind, out),
        Value::Bool(value) => out.push(if value { b'1' } else { b'0' }),
        Value::Uuid(bytes) => write_uuid(bytes, out),
        // Writing to a Vec can't fail. This is the shortest text that Rust reads back as the same number.
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

/// Converts to the milliseconds of a formatted time; a number that exceeds 64 bits is beyond the years of any pattern.
pub(crate) fn time_ms(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

fn write_uuid(bytes: [u8; 16], out: &mut Vec<u8>) {
    let mut buffer = uuid::Uuid::encode_buffer();
    out.extend_from_slice(uuid::Uuid::from_bytes(bytes).hyphenated().encode_lower(&mut buffer).as_bytes());
}

/// Returns bytes in the form in which the source writes them.
pub(crate) fn bytes_text(bytes: &[u8], input: BytesInput) -> String {
    match input {
        BytesInput::Hex => data_encoding::HEXLOWER.encode(bytes),
        BytesInput::Base64 => data_encoding::BASE64.encode(bytes),
        BytesInput::Escaped => to_escaped(bytes),
    }
}

/// The spelling of JavaScript and Java.
fn infinity_text(is_negative: bool) -> String {
    (if is_negative { "-Infinity" } else { "Infinity" }).to_owned()
}

impl Field {
    /// Returns the text of a value of this field: its default text or, for bytes, the form in which the field's input
    /// writes them.
    ///
    /// `None` for a time that its pattern can't write.
    pub fn text_of(&self, value: Value<'_>) -> Option<String> {
        match (value, &self.kind) {
            (Value::Bytes(bytes), FieldKind::Bytes { input, .. }) => Some(bytes_text(bytes, *input)),
            (Value::F32(number), _) if number.is_infinite() => Some(infinity_text(number.is_sign_negative())),
            (Value::F64(number), _) if number.is_infinite() => Some(infinity_text(number.is_sign_negative())),
            (value, kind) => {
                let mut text = Vec::new();
                write_text(value, kind, &mut text).ok()?;
                Some(String::from_utf8(text).unwrap_or_else(|bytes| to_escaped(bytes.as_bytes())))
            }
        }
    }
}

impl Design {
    /// Returns the text of a field's value, see [`Field::text_of`]; `None` if there is no value.
    pub fn value_text(&self, row: &Row, field: usize) -> Option<String> {
        self.fields[field].text_of(row.get(field)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_s_text_reads_back_as_the_value() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    hex = { type = \"bytes\", input = \"hex\" }\nb64 = { type = \"bytes\", input = \"base64\" }\n\
                    raw = { type = \"bytes\", input = \"escaped\" }\nshort = { type = \"f32\" }\nlong = { type = \"f64\" }\n\
                    [key]\nparts = [{ field = \"hex\", as = \"ordered-bytes\" }]";
        let design = Design::from_toml(toml).unwrap();
        for (field, text) in [
            (0, "61"),
            (0, "ff00"),
            (1, "YWI="),
            (2, "ab\\x5C\\x00\\xFF"),
            (3, "0.1"),
            (3, "NaN"),
            (3, "-Infinity"),
            (4, "0.1"),
            (4, "Infinity"),
        ] {
            let mut row = Row::new(design.fields.len());
            design.read_value(&mut row, field, text).unwrap();
            assert_eq!(design.value_text(&row, field).as_deref(), Some(text));
        }
    }
}
