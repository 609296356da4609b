//! A fast path that reads common values from their bytes without consulting the design.

use std::str::from_utf8;

use super::cell::steps;
use crate::Design;
use crate::design::{
    Alphabet, Binary, Charset, Column, Encoding, Field, FieldKind, FieldPart, FloatKind, NumberDesc, Steps,
    StringKind, TimeKind, TimeText, binary_range,
};
use crate::key::{Float as _, Number};
use crate::time::{Pattern, Zone};
use crate::value::Value;

/// Reads common values of a column's cells; the method is chosen once, from the column's encoding and its field's kind.
///
/// It reports no errors and needs no buffer. A value that it returns is the one [`Design::decode_cell`] reads; bytes
/// for which it returns `None` may still be a value.
///
/// ```
/// # use keystride::{Design, Value, internal::QuickValues};
/// let design = Design::from_toml(
///     "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
///      delay = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]",
/// )?;
/// let delays = QuickValues::of_column(&design, &design.columns().cells[0]);
/// assert_eq!(delays.read(b"-12"), Some(Value::Int(-12)));
/// assert_eq!(delays.read(b"012"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct QuickValues {
    form: Form,
}

#[derive(Debug, Clone)]
enum Form {
    Text(StringKind),
    Bytes {
        len: Option<usize>,
    },
    /// Decimal digits in the shortest form of the number.
    Decimal {
        min: i128,
        max: i128,
    },
    /// Decimal digits padded with zeros. `from` is the bound that the number was subtracted from, if any.
    Padded {
        from: Option<i128>,
        min: i128,
        max: i128,
    },
    /// A time as its pattern writes it.
    Time {
        pattern: Box<Pattern>,
        zone: Zone,
        min: i128,
        max: i128,
    },
    Binary {
        form: Binary,
        is_ordered: bool,
        min: i128,
        max: i128,
    },
    /// Floats as their plain IEEE bits.
    F32,
    F64,
    /// Has no fast path.
    Other,
}

impl QuickValues {
    /// Creates the reader for the cells of `column`.
    pub fn of_column(design: &Design, column: &Column) -> Self {
        Self { form: Form::of(&steps(column.encoding), &design.fields[column.field].kind) }
    }

    /// Creates the reader for a field part of the key whose end can be found; it reads nothing if the part has `floor`
    /// or steps on bytes.
    pub(super) fn of_part(part: &FieldPart, field: &Field) -> Self {
        let Steps { floor, desc, encoding, width, pad, reverse, hash, escape, invert } = &part.steps;
        let is_text = matches!(encoding, Encoding::Plain | Encoding::Text);
        let is_number = is_text && field.kind.is_number();
        let is_whole = floor.is_none() && hash.is_none() && !reverse && !escape && !invert;
        let form = match &field.kind {
            _ if !is_whole => Form::Other,
            kind if is_number && (pad.is_some() || desc.is_some()) => {
                let (min, max) = kind.number_range().unwrap_or((i128::MIN, i128::MAX));
                Form::Padded { from: desc.map(NumberDesc::bound), min, max }
            }
            kind if width.is_none() && pad.is_none() && desc.is_none() => Form::of(&part.steps, kind),
            _ => Form::Other,
        };
        Self { form }
    }

    /// Reads a value; returns `None` for anything that the fast path does not handle.
    #[inline]
    pub fn read<'b>(&self, bytes: &'b [u8]) -> Option<Value<'b>> {
        match &self.form {
            Form::Text(kind) if kind.holds(bytes) => from_utf8(bytes).ok().map(Value::Text),
            Form::Decimal { min, max } => within(decimal(bytes)?.into(), *min, *max),
            _ => self.read_other(bytes),
        }
    }

    /// Whether the bytes are a text that the fast path accepts, provided that they are UTF-8; that check is left to the
    /// caller, since checking many texts together takes less time.
    #[inline]
    pub fn is_text(&self, bytes: &[u8]) -> bool {
        if let Form::Text(kind) = &self.form { kind.holds(bytes) } else { false }
    }

    /// Reads what is neither a text nor a number in its shortest form.
    fn read_other<'b>(&self, bytes: &'b [u8]) -> Option<Value<'b>> {
        match &self.form {
            Form::Bytes { len } => len.is_none_or(|len| len == bytes.len()).then_some(Value::Bytes(bytes)),
            Form::Padded { from, min, max } => {
                let number = i128::from(digits(bytes)?);
                within(from.map_or(number, |from| from - number), *min, *max)
            }
            Form::Time { pattern, zone, min, max } => {
                within(pattern.read(bytes, zone).ok()?.into(), *min, *max)
            }
            Form::Binary { form, is_ordered, min, max } => {
                within(binary(*form, *is_ordered, bytes)?, *min, *max)
            }
            Form::F32 => Some(Value::F32(f32::from_plain(bytes.try_into().ok()?).with_canonical_nan())),
            Form::F64 => Some(Value::F64(f64::from_plain(bytes.try_into().ok()?).with_canonical_nan())),
            Form::Text(_) | Form::Decimal { .. } | Form::Other => None,
        }
    }
}

impl Form {
    /// Returns the form of values that have no step other than their encoding.
    fn of(steps: &Steps, kind: &FieldKind) -> Self {
        match steps.encoding {
            Encoding::Plain | Encoding::Text => Self::of_text(kind),
            Encoding::Be | Encoding::Ordered | Encoding::Phoenix => Self::of_binary(steps, kind),
            Encoding::OrderedBytes => Self::Other,
        }
    }

    fn of_text(kind: &FieldKind) -> Self {
        match kind {
            FieldKind::String(kind) => Self::Text(*kind),
            &FieldKind::Digits { len } => {
                let (alphabet, charset) = (Alphabet::parse("0-9"), Charset::Utf8);
                Self::Text(StringKind { min_len: len, max_len: len, alphabet, charset })
            }
            FieldKind::Bytes { len, .. } => Self::Bytes { len: *len },
            FieldKind::Int(kind) => Self::Decimal { min: kind.min, max: kind.max },
            FieldKind::Time(TimeKind { text, zone, min, max, .. }) => match text {
                TimeText::Epoch(_) => Self::Decimal { min: *min, max: *max },
                TimeText::Pattern(pattern) => Self::Time {
                    pattern: Box::new(pattern.clone()),
                    zone: zone.clone(),
                    min: *min,
                    max: *max,
                },
            },
            _ => Self::Other,
        }
    }

    fn of_binary(steps: &Steps, kind: &FieldKind) -> Self {
        let is_plain = steps.encoding == Encoding::Be;
        match kind {
            FieldKind::Int(_) | FieldKind::Time(_) => {
                let (least, most) = binary_range(steps, kind);
                let (min, max) = kind.number_range().unwrap_or((least, most));
                let (min, max) = (min.max(least), max.min(most));
                Self::Binary { form: Binary::of(steps, kind), is_ordered: !is_plain, min, max }
            }
            FieldKind::Float(FloatKind::F32) if is_plain => Self::F32,
            FieldKind::Float(FloatKind::F64) if is_plain => Self::F64,
            _ => Self::Other,
        }
    }
}

/// Reads a number in the form that [`decimal::encode`](crate::key::decimal::encode) writes.
#[inline]
fn decimal(text: &[u8]) -> Option<i64> {
    let (is_negative, text) = match text {
        [b'-', text @ ..] => (true, text),
        text => (false, text),
    };
    let number = match text {
        [b'0', _, ..] => None,
        [b'0'] if is_negative => None,
        text => i64::try_from(digits(text)?).ok(),
    };
    number.map(|number| if is_negative { -number } else { number })
}

/// Reads up to 19 decimal digits, which always fit 64 bits.
#[inline]
fn digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 19 {
        return None;
    }
    let mut number = 0;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u64::from(digit);
    }
    Some(number)
}

fn within(number: i128, min: i128, max: i128) -> Option<Value<'static>> {
    (min..=max).contains(&number).then_some(Value::Int(number))
}

fn binary(form: Binary, is_ordered: bool, bytes: &[u8]) -> Option<i128> {
    match form {
        Binary::I32 => whole::<i32>(is_ordered, bytes),
        Binary::I64 => whole::<i64>(is_ordered, bytes),
        Binary::U32 => whole::<u32>(is_ordered, bytes),
        Binary::U64 => whole::<u64>(is_ordered, bytes),
    }
}

fn whole<N: Number + Into<i128>>(is_ordered: bool, bytes: &[u8]) -> Option<i128> {
    let bytes = N::Bytes::try_from(bytes).ok()?;
    Some(if is_ordered { N::from_ordered(bytes) } else { N::from_plain(bytes) }.into())
}

#[cfg(test)]
mod tests;
