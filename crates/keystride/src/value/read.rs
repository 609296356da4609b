//! Reads a source's text as a value of a field, and checks it against the field's limits.

use std::str::FromStr;

use super::{Row, Value, write_text};
use crate::design::{
    Alphabet, BytesInput, Design, Field, FieldKind, FloatKind, IntKind, StringKind, TimeKind, TimeText,
};
use crate::escape::{self, EscapeError};
use crate::time::TimeError;

/// Why a text is not a value of its field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// Not a text of this type.
    #[error("\"{found}\" is not {expected}")]
    Unreadable {
        /// The text found.
        found: String,
        /// What is expected.
        expected: &'static str,
    },
    /// Out of its declared range.
    #[error("{found} is out of range: {min} to {max}")]
    OutOfRange {
        /// The number found.
        found: i128,
        /// The smallest number allowed.
        min: i128,
        /// The largest number allowed.
        max: i128,
    },
    /// A time out of its declared range.
    #[error("\"{found}\" is out of range: {min} to {max}")]
    TimeOutOfRange {
        /// The text found.
        found: String,
        /// The earliest time allowed, as the field writes it.
        min: String,
        /// The latest time allowed, as the field writes it.
        max: String,
    },
    /// Longer or shorter than declared.
    #[error("\"{found}\" has {len} bytes, not {expected}")]
    Length {
        /// The text found.
        found: String,
        /// Its length in bytes.
        len: usize,
        /// What is expected.
        expected: String,
    },
    /// A character outside the alphabet.
    #[error("\"{found}\" holds {character:?}, which is not in the alphabet {alphabet}")]
    OutsideAlphabet {
        /// The text found.
        found: String,
        /// The first such character.
        character: char,
        /// The alphabet.
        alphabet: Alphabet,
    },
    /// A time that can't be read.
    #[error("\"{found}\": {cause}")]
    Time {
        /// The text found.
        found: String,
        /// The reason.
        #[source]
        cause: TimeError,
    },
    /// Escaped bytes that can't be read.
    #[error(transparent)]
    Escape(#[from] EscapeError),
}

const BEYOND_F32: &str = "a number that 32 bits hold, of up to 3.4e38";
const BEYOND_F64: &str = "a number that 64 bits hold, of up to 1.7e308";

impl FloatKind {
    /// Returns the value nearest to a number.
    ///
    /// # Errors
    ///
    /// [`ValueError::Unreadable`] for a number that is out of range for the type.
    pub fn value_of(self, number: f64) -> Result<Value<'static>, ValueError> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the nearest f32, as reading its text would give"
        )]
        let narrow = number as f32;
        match self {
            Self::F64 => Ok(Value::F64(number)),
            Self::F32 if narrow.is_infinite() && number.is_finite() => {
                Err(unreadable(&number.to_string(), BEYOND_F32))
            }
            Self::F32 => Ok(Value::F32(narrow)),
        }
    }
}

impl Design {
    /// Reads a source's text into slot `field` of `row`. The value is absent when the text is one of `[input] null`, or
    /// the field's default if that is not a value of the field.
    ///
    /// # Errors
    ///
    /// [`ValueError`] when the text is not a value of the field.
    pub fn read_value(&self, row: &mut Row, field: usize, text: &str) -> Result<(), ValueError> {
        if self.means_none(field, text) {
            row.set_absent(field);
            return Ok(());
        }
        self.check_day(field, text)?;
        row.read(field, &self.fields[field].kind, text)
    }

    /// Puts a number into slot `field` of `row`, which is one of whole numbers or a time in its unit.
    ///
    /// # Errors
    ///
    /// [`ValueError::OutOfRange`] when it is beyond the field's limits.
    pub fn set_number(&self, row: &mut Row, field: usize, number: i128) -> Result<(), ValueError> {
        match self.fields[field].kind.number_range() {
            Some((min, max)) if !(min..=max).contains(&number) => {
                Err(ValueError::OutOfRange { found: number, min, max })
            }
            _ => {
                row.set(field, Value::Int(number));
                Ok(())
            }
        }
    }

    /// Puts bytes into slot `field` of `row`, which is one of bytes with this length, or of any.
    ///
    /// # Errors
    ///
    /// [`ValueError::Length`] when there are more or fewer.
    pub fn set_bytes(
        &self,
        row: &mut Row,
        field: usize,
        bytes: &[u8],
        len: Option<usize>,
    ) -> Result<(), ValueError> {
        if let Some(expected) = len.filter(|len| *len != bytes.len()) {
            let (found, len) = (escape::to_escaped(bytes), bytes.len());
            return Err(ValueError::Length { found, len, expected: expected.to_string() });
        }
        row.set(field, Value::Bytes(bytes));
        Ok(())
    }

    /// Whether a text means that a field has no value.
    pub fn means_none(&self, field: usize, text: &str) -> bool {
        self.input.is_null(text) || self.fields[field].is_absence(text)
    }
}

impl Field {
    /// Whether `text` is the default and can't be a value, so that it means that there is none.
    pub fn is_absence(&self, text: &str) -> bool {
        self.default.as_deref() == Some(text) && !self.accepts_default()
    }

    fn accepts_default(&self) -> bool {
        match (&self.kind, &self.default) {
            (FieldKind::String(kind), Some(default)) => check_string(kind, default).is_ok(),
            _ => true,
        }
    }
}

impl Row {
    /// Reads a text as a value of `kind` into slot `field`.
    ///
    /// # Errors
    ///
    /// [`ValueError`] when the text is not a value of `kind`, or is outside its limits.
    pub fn read(&mut self, field: usize, kind: &FieldKind, text: &str) -> Result<(), ValueError> {
        match kind.read(text)? {
            Reading::Text => self.set_text(field, text),
            Reading::Value(value) => self.set(field, value),
            Reading::Bytes(bytes) => self.set(field, Value::Bytes(&bytes)),
        }
        Ok(())
    }

    /// Reads a text that a design gives for a value, such as a default: like [`read`](Self::read), but a time is given as
    /// the field writes it, whatever the form of its source, and cut to what the field keeps.
    pub(crate) fn read_declared(
        &mut self,
        field: usize,
        kind: &FieldKind,
        text: &str,
    ) -> Result<(), ValueError> {
        let FieldKind::Time(time) = kind else { return self.read(field, kind, text) };
        let read = time.read_literal(text).and_then(|number| time.kept(number));
        self.set_int(field, time_of(time, text, read)?);
        Ok(())
    }
}

/// The result of reading a text.
pub(super) enum Reading {
    /// The text itself is the value.
    Text,
    /// A value of another type.
    Value(Value<'static>),
    /// The bytes that the text stands for.
    Bytes(Vec<u8>),
}

impl FieldKind {
    /// Reads a text as a value of this kind.
    pub(super) fn read(&self, text: &str) -> Result<Reading, ValueError> {
        let value = match self {
            Self::String(kind) => return check_string(kind, text).map(|()| Reading::Text),
            Self::Digits { len } => return check_digits(*len, text).map(|()| Reading::Text),
            Self::Bytes { len, input } => return read_bytes(*len, *input, text).map(Reading::Bytes),
            Self::Int(kind) => Value::Int(read_int(kind, text)?),
            Self::Float(FloatKind::F32) => Value::F32(read_float(text, BEYOND_F32)?),
            Self::Float(FloatKind::F64) => Value::F64(read_float(text, BEYOND_F64)?),
            Self::Bool => Value::Bool(read_bool(text)?),
            Self::Uuid { version } => Value::Uuid(read_uuid(*version, text)?),
            Self::Time(kind) => Value::Int(read_time(kind, text)?),
        };
        Ok(Reading::Value(value))
    }
}

fn check_string(kind: &StringKind, text: &str) -> Result<(), ValueError> {
    if !(kind.min_len..=kind.max_len).contains(&text.len()) {
        let expected = match (kind.min_len, kind.max_len) {
            (min, max) if min == max => max.to_string(),
            (0, max) => format!("at most {max}"),
            (min, max) => format!("{min} to {max}"),
        };
        return Err(ValueError::Length { found: shorten(text), len: text.len(), expected });
    }
    let Some(alphabet) = kind.alphabet else { return Ok(()) };
    if alphabet.contains_all(text.as_bytes()) {
        return Ok(());
    }
    let outside = |c: &char| !u8::try_from(*c).is_ok_and(|byte| alphabet.contains(byte));
    let character = text.chars().find(outside).unwrap_or_default();
    Err(ValueError::OutsideAlphabet { found: shorten(text), character, alphabet })
}

fn check_digits(len: usize, text: &str) -> Result<(), ValueError> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unreadable(text, "ASCII digits alone"));
    }
    if text.len() != len {
        return Err(ValueError::Length {
            found: shorten(text),
            len: text.len(),
            expected: format!("{len} digits"),
        });
    }
    Ok(())
}

fn read_int(kind: &IntKind, text: &str) -> Result<i128, ValueError> {
    let number = read_decimal(text)?;
    check_range(number, kind.min, kind.max)?;
    Ok(number)
}

/// Reads decimal digits with an optional minus sign.
fn read_decimal(text: &str) -> Result<i128, ValueError> {
    if let Some(number) = read_short(text) {
        return Ok(number.into());
    }
    let number = if text.starts_with('+') { None } else { text.parse().ok() };
    number.ok_or_else(|| unreadable(text, "a whole number in decimal digits"))
}

/// Reads decimal digits with an optional minus sign, up to 18 characters, which always fit 64 bits.
#[inline]
pub(crate) fn read_short(text: &str) -> Option<i64> {
    if text.len() > 18 || text.starts_with('+') { None } else { text.parse().ok() }
}

fn check_range(found: i128, min: i128, max: i128) -> Result<(), ValueError> {
    if (min..=max).contains(&found) { Ok(()) } else { Err(ValueError::OutOfRange { found, min, max }) }
}

/// `beyond` says what is expected when the number is too large.
fn read_float<N: FromStr + Into<f64> + Copy>(text: &str, beyond: &'static str) -> Result<N, ValueError> {
    let number: N = text.parse().map_err(|_| unreadable(text, "a number"))?;
    let is_written_in_digits = || text.bytes().any(|byte| byte.is_ascii_digit());
    if number.into().is_infinite() && is_written_in_digits() {
        return Err(unreadable(text, beyond));
    }
    Ok(number)
}

fn read_bool(text: &str) -> Result<bool, ValueError> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(unreadable(text, "true, false, 1 or 0")),
    }
}

fn read_bytes(len: Option<usize>, input: BytesInput, text: &str) -> Result<Vec<u8>, ValueError> {
    let bytes = match input {
        BytesInput::Hex => data_encoding::HEXLOWER_PERMISSIVE
            .decode(text.as_bytes())
            .map_err(|_| unreadable(text, "bytes in hex, two digits each"))?,
        BytesInput::Base64 => {
            data_encoding::BASE64.decode(text.as_bytes()).map_err(|_| unreadable(text, "bytes in base 64"))?
        }
        BytesInput::Escaped => escape::from_escaped(text)?,
    };
    match len {
        Some(len) if bytes.len() != len => {
            Err(ValueError::Length { found: shorten(text), len: bytes.len(), expected: len.to_string() })
        }
        _ => Ok(bytes),
    }
}

fn read_uuid(version: Option<u8>, text: &str) -> Result<[u8; 16], ValueError> {
    let uuid = uuid::Uuid::parse_str(text).map_err(|_| unreadable(text, "a UUID"))?.into_bytes();
    if has_version(uuid, version) {
        Ok(uuid)
    } else {
        Err(unreadable(text, "a UUID of the declared version"))
    }
}

/// Whether a UUID has the declared version, if there is one.
pub(crate) fn has_version(uuid: [u8; 16], version: Option<u8>) -> bool {
    let found = uuid::Uuid::from_bytes(uuid).get_version_num();
    version.is_none_or(|version| usize::from(version) == found)
}

fn read_time(kind: &TimeKind, text: &str) -> Result<i128, ValueError> {
    let number = match (&kind.input, &kind.text) {
        (Some(input), _) => input.read(text.as_bytes(), &kind.zone).and_then(|ns| kind.number_of_nanos(ns)),
        (None, TimeText::Pattern(pattern)) => pattern.read(text.as_bytes(), &kind.zone).map(i128::from),
        (None, TimeText::Epoch(_)) => {
            return read_decimal(text).and_then(|number| in_time_range(kind, number));
        }
    };
    time_of(kind, text, number)
}

/// Returns what was read of a time's text, if it is in the field's range.
fn time_of(kind: &TimeKind, text: &str, read: Result<i128, TimeError>) -> Result<i128, ValueError> {
    let number = read.map_err(|cause| ValueError::Time { found: shorten(text), cause })?;
    if (kind.min..=kind.max).contains(&number) { Ok(number) } else { Err(out_of_time(kind, text)) }
}

fn in_time_range(kind: &TimeKind, number: i128) -> Result<i128, ValueError> {
    check_range(number, kind.min, kind.max).map(|()| number)
}

#[cold]
fn out_of_time(kind: &TimeKind, text: &str) -> ValueError {
    let field = FieldKind::Time(kind.clone());
    let written = |number: i128| {
        let mut bytes = Vec::new();
        match write_text(Value::Int(number), &field, &mut bytes) {
            Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => number.to_string(),
        }
    };
    ValueError::TimeOutOfRange { found: shorten(text), min: written(kind.min), max: written(kind.max) }
}

fn unreadable(text: &str, expected: &'static str) -> ValueError {
    ValueError::Unreadable { found: shorten(text), expected }
}

/// Shortens a text to fit a message.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_its_float_is_none_and_infinity_is_said() {
        let read = |kind: FloatKind, text: &str| Row::new(1).read(0, &FieldKind::Float(kind), text);
        for text in ["1e400", "-1e400", "1e39"] {
            assert_eq!(read(FloatKind::F32, text), Err(unreadable(text, BEYOND_F32)));
        }
        assert_eq!(read(FloatKind::F64, "1e400"), Err(unreadable("1e400", BEYOND_F64)));
        for text in ["inf", "-inf", "infinity", "NaN", "3.4e38", "1e-400"] {
            assert_eq!(read(FloatKind::F32, text), Ok(()), "{text}");
        }
        assert_eq!(read(FloatKind::F64, "1e39"), Ok(()));
        assert!(FloatKind::F32.value_of(1e39).is_err());
        assert_eq!(FloatKind::F32.value_of(f64::INFINITY), Ok(Value::F32(f32::INFINITY)));
        assert_eq!(FloatKind::F32.value_of(0.5), Ok(Value::F32(0.5)));
    }

    #[test]
    fn the_first_and_the_last_day_of_four_digit_years_are_values_in_every_zone() {
        for zone in ["UTC", "Asia/Shanghai", "America/New_York", "+14:00"] {
            let toml = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 d = {{ type = \"time\", format = \"yyyyMMddHHmm\", zone = \"{zone}\" }}\n[key]\nparts = [{{ field = \"d\" }}]"
            );
            let codec = crate::KeyCodec::new(Design::from_toml(&toml).unwrap());
            for day in ["000101010000", "999912312359"] {
                let (mut row, mut key) = (Row::new(1), Vec::new());
                assert_eq!(codec.design().read_value(&mut row, 0, day), Ok(()), "{day} in {zone}");
                codec.encoder().encode(&row, &mut key).unwrap();
                assert_eq!(key, day.as_bytes());
                assert_eq!(codec.decode(&key).unwrap().row, row);
            }
        }
    }

    #[test]
    fn whole_numbers_have_no_plus_however_short() {
        for text in ["+5", "+5000000000000000000000"] {
            assert_eq!(read_decimal(text), Err(unreadable(text, "a whole number in decimal digits")));
        }
        assert_eq!(read_decimal("-170141183460469231731687303715884105728"), Ok(i128::MIN));
        assert_eq!(read_decimal("999999999999999999"), Ok(999_999_999_999_999_999));
    }
}
