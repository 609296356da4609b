//! The usual form of a field's values in one encoding: how a source's text, a part of the key or a cell is read, and how
//! a part or a cell is written, decided once from the field's kind and its steps.

use std::str::from_utf8;

use super::cell::steps;
use super::number::write_binary;
use crate::Design;
use crate::design::{
    Alphabet, Binary, Charset, Column, Encoding, Field, FieldKind, FieldPart, FloatKind, NumberDesc, Steps,
    StringKind, TimeKind, TimeText, binary_range,
};
use crate::key::{Float as _, Number, decimal};
use crate::time::{Pattern, Zone};
use crate::value::{Row, Value, read_short};

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
    /// Texts as they are.
    Text(StringKind),
    Bytes {
        len: Option<usize>,
    },
    /// A number from `min` to `max`. `from` is the bound that it is subtracted from, if any.
    Number {
        from: Option<i128>,
        min: i128,
        max: i128,
        written: Written,
    },
    /// Floats as their plain IEEE bits.
    F32,
    F64,
    /// Has no usual form.
    Other,
}

/// How a number is written.
#[derive(Debug, Clone)]
enum Written {
    /// In decimal digits, with no more than it needs.
    Shortest,
    /// In this many decimal digits, padded with zeros on the left.
    Padded(usize),
    /// As a time in this pattern.
    Time(Box<Pattern>, Zone),
    Binary(Binary, Encoding),
}

/// Numbers from `min` to `max` in decimal digits: `width` of them, or no more than a number needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decimal {
    /// The bound that the number is subtracted from, if any.
    pub(super) from: Option<i128>,
    pub(super) min: i128,
    pub(super) max: i128,
    pub(super) width: Option<usize>,
}

impl QuickValues {
    /// Creates the form of the cells of `column`.
    pub fn of_column(design: &Design, column: &Column) -> Self {
        Self { form: Form::of(&steps(column.encoding), &design.fields[column.field].kind) }
    }

    /// Creates the form of a field part before its steps on bytes.
    pub(super) fn of_part(part: &FieldPart, field: &Field) -> Self {
        let form = if part.steps.floor.is_some() { Form::Other } else { Form::of(&part.steps, &field.kind) };
        Self { form: form.for_parts(field) }
    }

    /// Creates the form of the texts of a source.
    pub(crate) fn of_source(kind: &FieldKind) -> Self {
        let form = match kind {
            FieldKind::String(_)
            | FieldKind::Digits { .. }
            | FieldKind::Int(_)
            | FieldKind::Time(TimeKind { text: TimeText::Pattern(_), input: None, .. }) => {
                Form::of(&Steps::default(), kind)
            }
            _ => Form::Other,
        };
        Self { form }
    }

    /// Reads a value; returns `None` for anything that the fast path does not handle.
    #[inline]
    pub fn read<'b>(&self, bytes: &'b [u8]) -> Option<Value<'b>> {
        match &self.form {
            Form::Text(kind) if kind.holds(bytes) => from_utf8(bytes).ok().map(Value::Text),
            Form::Number { from: None, min, max, written: Written::Shortest } => {
                within(shortest(bytes)?.into(), *min, *max)
            }
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
            Form::Number { from, min, max, written } => {
                let number = written.read(bytes)?;
                within(from.map_or(number, |from| from - number), *min, *max)
            }
            Form::F32 => Some(Value::F32(f32::from_plain(bytes.try_into().ok()?).with_canonical_nan())),
            Form::F64 => Some(Value::F64(f64::from_plain(bytes.try_into().ok()?).with_canonical_nan())),
            Form::Text(_) | Form::Other => None,
        }
    }

    /// Reads a text of the source, which may have more zeros than a number needs.
    pub(crate) fn read_source<'t>(&self, text: &'t str) -> Option<Value<'t>> {
        match &self.form {
            Form::Text(kind) if kind.holds(text.as_bytes()) => Some(Value::Text(text)),
            Form::Number { min, max, written: Written::Shortest, .. } => {
                within(read_short(text)?.into(), *min, *max)
            }
            _ => self.read_other(text.as_bytes()),
        }
    }

    /// Returns the limits of texts that may have any characters.
    pub(crate) fn plain_text(&self) -> Option<StringKind> {
        match self.form {
            Form::Text(kind) if kind.alphabet.is_none() => Some(kind),
            _ => None,
        }
    }

    /// Appends the value in slot `field`; returns `false`, and appends nothing, for any that the fast path does not
    /// handle.
    #[inline]
    pub(super) fn write(&self, row: &Row, field: usize, out: &mut Vec<u8>) -> bool {
        match &self.form {
            Form::Text(_) => row.append_text(field, out),
            _ => self.write_number(row, field, out),
        }
    }

    /// Kept out of line, as most cells are texts.
    #[inline(never)]
    fn write_number(&self, row: &Row, field: usize, out: &mut Vec<u8>) -> bool {
        let Form::Number { from, min, max, written } = &self.form else { return false };
        match row.int(field) {
            Some(number) if (*min..=*max).contains(&number) => {
                written.write(from.map_or(number, |from| from - number), out)
            }
            _ => false,
        }
    }

    /// Returns the form of numbers of which nothing but digits is written, perhaps after a `-`.
    pub(super) fn decimal(&self) -> Option<Decimal> {
        match self.form {
            Form::Number { from, min, max, written: Written::Shortest } => {
                Some(Decimal { from, min, max, width: None })
            }
            Form::Number { from, min, max, written: Written::Padded(width) } => {
                Some(Decimal { from, min, max, width: Some(width) })
            }
            _ => None,
        }
    }

    /// Whether it writes texts as they are.
    pub(super) fn is_text_as_it_is(&self) -> bool {
        matches!(self.form, Form::Text(_))
    }

    /// Whether the terminator may begin inside a value.
    pub(super) fn may_hold(&self, terminator: &[u8]) -> bool {
        let is_of_number = |byte: &u8| *byte == b'-' || byte.is_ascii_digit();
        self.decimal().is_none() || terminator.first().is_none_or(is_of_number)
    }
}

impl Form {
    fn of(steps: &Steps, kind: &FieldKind) -> Self {
        let is_text = matches!(steps.encoding, Encoding::Plain | Encoding::Text);
        let is_plain = steps.encoding == Encoding::Be;
        match kind {
            FieldKind::Int(_) | FieldKind::Time(_) => Self::of_number(steps, kind),
            FieldKind::String(kind) if is_text => Self::Text(*kind),
            &FieldKind::Digits { len } if is_text => {
                let (alphabet, charset) = (Alphabet::parse("0-9"), Charset::Utf8);
                Self::Text(StringKind { min_len: len, max_len: len, alphabet, charset })
            }
            FieldKind::Bytes { len, .. } if is_text => Self::Bytes { len: *len },
            FieldKind::Float(FloatKind::F32) if is_plain => Self::F32,
            FieldKind::Float(FloatKind::F64) if is_plain => Self::F64,
            _ => Self::Other,
        }
    }

    fn of_number(steps: &Steps, kind: &FieldKind) -> Self {
        let Some((written, least, most)) = Written::of(steps, kind) else { return Self::Other };
        let (min, max) = kind.number_range().unwrap_or((i128::MIN, i128::MAX));
        let from = steps.desc.map(NumberDesc::bound);
        let (least, most) = match from {
            Some(from) => ((from - most).max(0), (from - least).min(from)),
            None => (least, most),
        };
        Self::Number { from, min: min.max(least), max: max.min(most), written }
    }

    /// Returns the form of parts: an epoch has in keys exactly the digits of its unit.
    fn for_parts(mut self, field: &Field) -> Self {
        if let (Self::Number { min, max, written: Written::Shortest, .. }, FieldKind::Time(time)) =
            (&mut self, &field.kind)
        {
            let digits = time.unit().digits();
            *min = (*min).max(power(digits - 1));
            *max = (*max).min(power(digits) - 1);
        }
        self
    }
}

impl Written {
    /// Returns how a number is written, and the smallest and the largest one that can be.
    fn of(steps: &Steps, kind: &FieldKind) -> Option<(Self, i128, i128)> {
        /// The most digits that always fit 128 bits.
        const MOST_DIGITS: usize = 38;
        match (steps.encoding, steps.pad.or(steps.desc.map(NumberDesc::digits)), kind) {
            (Encoding::Plain | Encoding::Text, Some(width), _) => {
                Some((Self::Padded(width), 0, power(width.min(MOST_DIGITS)) - 1))
            }
            (
                Encoding::Plain | Encoding::Text,
                None,
                FieldKind::Time(TimeKind { text: TimeText::Pattern(pattern), zone, .. }),
            ) => {
                Some((Self::Time(Box::new(pattern.clone()), zone.clone()), i64::MIN.into(), i64::MAX.into()))
            }
            (Encoding::Plain | Encoding::Text, None, _) => Some((Self::Shortest, i128::MIN, i128::MAX)),
            (encoding @ (Encoding::Be | Encoding::Ordered | Encoding::Phoenix), ..) => {
                let (least, most) = binary_range(steps, kind);
                Some((Self::Binary(Binary::of(steps, kind), encoding), least, most))
            }
            (Encoding::OrderedBytes, ..) => None,
        }
    }

    fn read(&self, bytes: &[u8]) -> Option<i128> {
        match self {
            Self::Shortest => shortest(bytes).map(i128::from),
            Self::Padded(_) => digits(bytes).map(i128::from),
            Self::Time(pattern, zone) => pattern.read(bytes, zone).ok().map(i128::from),
            Self::Binary(form, encoding) => binary(*form, *encoding != Encoding::Be, bytes),
        }
    }

    /// Appends a number within the limits; returns `false`, and appends nothing, when it can't.
    fn write(&self, number: i128, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Shortest => decimal::encode(out, number),
            Self::Padded(width) => return decimal::encode_padded(out, number, *width).is_ok(),
            Self::Time(pattern, zone) => {
                return i64::try_from(number).is_ok_and(|ms| pattern.format(ms, zone, out).is_ok());
            }
            Self::Binary(form, encoding) => return write_binary(number, *form, *encoding, out).is_ok(),
        }
        true
    }
}

/// Reads a number in the form that [`decimal::encode`] writes.
#[inline]
fn shortest(text: &[u8]) -> Option<i64> {
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

/// Returns 10^`digits`, for at most 38 digits.
fn power(digits: usize) -> i128 {
    (0..digits).fold(1, |power, _| power * 10)
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
