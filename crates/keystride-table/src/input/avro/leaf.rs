//! Types of single values.

use std::fmt::Write as _;

use keystride::design::FieldKind;
pub(super) use keystride::time::Unit;
use keystride::value::ValueError;

use super::cursor::Cursor;
use super::fault::AvroFault;
use crate::input::reject::RejectReason;
use crate::input::typed::{IsoWriter, Precision, TypedValue, ValueKind};

/// A type of single values. Logical types that are not listed are those that they annotate.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Null,
    Bool,
    Int,
    Long,
    Float,
    Double,
    Text,
    Bytes,
    /// So many bytes.
    Fixed(usize),
    /// One of these symbols.
    Enum(Vec<String>),
    Date,
    TimeOfDay(Unit),
    Instant(Unit),
    LocalTime(Unit),
    /// Bytes without a length if `len` is known, and how many digits are behind the point.
    Decimal {
        len: Option<usize>,
        scale: usize,
    },
    /// A decimal that says how many digits are behind its point.
    BigDecimal,
    /// Sixteen bytes.
    Uuid,
}

const NANOS_PER_DAY: i128 = 86_400_000_000_000;

/// The length of a date in front of a time.
const DATE_LEN: usize = "1970-01-01T".len();

impl Leaf {
    /// Returns the kind of the values, as they are given to a field.
    pub(super) fn kind(&self, field: Option<&FieldKind>) -> ValueKind {
        match self {
            Self::Null => ValueKind::Null,
            Self::Bool => ValueKind::Bool,
            Self::Int | Self::Long => ValueKind::Int,
            Self::Float | Self::Double => ValueKind::Float,
            Self::Bytes | Self::Fixed(_) => ValueKind::Bytes,
            Self::Uuid if matches!(field, Some(FieldKind::Bytes { .. })) => ValueKind::Bytes,
            Self::Text | Self::Enum(_) | Self::TimeOfDay(_) | Self::Uuid => ValueKind::Text,
            Self::Date => ValueKind::Date,
            Self::Instant(_) => ValueKind::Instant,
            Self::LocalTime(_) => ValueKind::LocalTime,
            Self::Decimal { .. } | Self::BigDecimal => ValueKind::Decimal,
        }
    }

    /// Whether the values can be converted to those of a field.
    pub(super) fn fits(&self, field: &FieldKind) -> bool {
        match self {
            Self::TimeOfDay(_) => matches!(field, FieldKind::String(_)),
            Self::Uuid => {
                matches!(field, FieldKind::String(_) | FieldKind::Uuid { .. } | FieldKind::Bytes { .. })
            }
            leaf => leaf.kind(Some(field)).fits(field),
        }
    }

    /// Returns its name in a schema.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Fixed(_) => "fixed",
            Self::Enum(_) => "enum",
            Self::Date => "date",
            Self::TimeOfDay(Unit::Ms) => "time-millis",
            Self::TimeOfDay(_) => "time-micros",
            Self::Instant(Unit::Ms) => "timestamp-millis",
            Self::Instant(Unit::Us) => "timestamp-micros",
            Self::Instant(_) => "timestamp-nanos",
            Self::LocalTime(Unit::Ms) => "local-timestamp-millis",
            Self::LocalTime(Unit::Us) => "local-timestamp-micros",
            Self::LocalTime(_) => "local-timestamp-nanos",
            Self::Decimal { .. } => "decimal",
            Self::BigDecimal => "big-decimal",
            Self::Uuid => "uuid",
        }
    }

    /// Reads a value as it is stored: a decimal and a UUID as bytes, a time of day as a number. `None` is null.
    pub(super) fn read<'a>(&'a self, body: &mut Cursor<'a>) -> Result<Option<TypedValue<'a>>, AvroFault> {
        Ok(Some(match self {
            Self::Null => return Ok(None),
            Self::Bool => TypedValue::Bool(body.bool()?),
            Self::Int | Self::TimeOfDay(Unit::Ms) => TypedValue::Int(body.int()?.into()),
            Self::Long | Self::TimeOfDay(_) => TypedValue::Int(body.long()?),
            Self::Float => TypedValue::Float(float(body.array()?).into(), Precision::Single),
            Self::Double => TypedValue::Float(double(body.array()?), Precision::Double),
            Self::Text | Self::Bytes | Self::Decimal { len: None, .. } | Self::BigDecimal => {
                TypedValue::Bytes(body.bytes()?)
            }
            Self::Fixed(len) | Self::Decimal { len: Some(len), .. } => TypedValue::Bytes(body.take(*len)?),
            Self::Uuid => TypedValue::Bytes(body.take(16)?),
            Self::Enum(symbols) => {
                let count = symbols.len();
                let symbol = body.index(count, |found| AvroFault::Symbol { found, count })?;
                TypedValue::Bytes(symbols[symbol].as_bytes())
            }
            Self::Date => TypedValue::Date(body.int()?),
            Self::Instant(unit) | Self::LocalTime(unit) => {
                TypedValue::Time(i128::from(body.long()?) * unit.nanos())
            }
        }))
    }

    /// Returns what a value that was read stands for; its text, if it has one, is in `text`.
    pub(super) fn meant<'a>(
        &self,
        value: TypedValue<'a>,
        kind: ValueKind,
        iso: &mut IsoWriter,
        text: &'a mut String,
    ) -> Result<TypedValue<'a>, RejectReason> {
        text.clear();
        match (self, value) {
            (Self::Decimal { scale, .. }, TypedValue::Bytes(bytes)) => {
                decimal(bytes, i64::try_from(*scale).ok())
            }
            (Self::BigDecimal, TypedValue::Bytes(bytes)) => {
                let mut parts = Cursor::new(bytes);
                let number = parts.bytes().map_err(|_| RejectReason::LongDecimal)?;
                decimal(number, parts.long().ok())
            }
            (Self::TimeOfDay(unit), TypedValue::Int(number)) => {
                write_time_of_day(number.into(), *unit, iso, text)?;
                Ok(TypedValue::Bytes(text.as_bytes()))
            }
            (Self::Uuid, TypedValue::Bytes(bytes)) if kind == ValueKind::Text => {
                for (index, byte) in bytes.iter().enumerate() {
                    let hyphen = if matches!(index, 4 | 6 | 8 | 10) { "-" } else { "" };
                    // Writing to a String can't fail.
                    let _ = write!(text, "{hyphen}{byte:02x}");
                }
                Ok(TypedValue::Bytes(text.as_bytes()))
            }
            (_, value) => Ok(value),
        }
    }
}

#[expect(clippy::little_endian_bytes, reason = "so does Avro write floats")]
fn float(bytes: [u8; 4]) -> f32 {
    f32::from_le_bytes(bytes)
}

#[expect(clippy::little_endian_bytes, reason = "so does Avro write floats")]
fn double(bytes: [u8; 8]) -> f64 {
    f64::from_le_bytes(bytes)
}

/// Returns a decimal of a number in two's complement, of any length, and the number of digits behind its point.
fn decimal(number: &[u8], scale: Option<i64>) -> Result<TypedValue<'_>, RejectReason> {
    let fill = if number.first().is_some_and(|first| *first >= 0x80) { 0xff } else { 0 };
    let number = &number[number.iter().take_while(|byte| **byte == fill).count()..];
    let mut bytes = [fill; 16];
    let start = bytes.len().checked_sub(number.len()).ok_or(RejectReason::LongDecimal)?;
    bytes[start..].copy_from_slice(number);
    let decimal = i128::from_be_bytes(bytes);
    match scale.map(i8::try_from) {
        Some(Ok(scale)) if (decimal < 0) == (fill != 0) => Ok(TypedValue::Decimal(decimal, scale)),
        _ => Err(RejectReason::LongDecimal),
    }
}

/// Appends a time of day, such as `10:30:00.123`.
fn write_time_of_day(
    number: i128,
    unit: Unit,
    iso: &mut IsoWriter,
    text: &mut String,
) -> Result<(), RejectReason> {
    let nanos = number * unit.nanos();
    if !(0..NANOS_PER_DAY).contains(&nanos) {
        let max = NANOS_PER_DAY / unit.nanos() - 1;
        return Err(ValueError::OutOfRange { found: number, min: 0, max }.into());
    }
    let time_error = |cause| ValueError::Time { found: number.to_string(), cause };
    iso.write_time(nanos, text).map_err(time_error)?;
    text.drain(..DATE_LEN);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_numbers_of_any_length_within_128_bits() {
        let long = |head: &[u8], first: u8| [head, &[first], &[0; 15]].concat();
        for (bytes, number) in [
            (vec![], Some(0)),
            (vec![0], Some(0)),
            (vec![0xff], Some(-1)),
            (vec![0x7f], Some(127)),
            (vec![0, 0x80], Some(128)),
            (vec![0x80], Some(-128)),
            (long(&[0; 20], 0x40), Some(1 << 126)),
            (long(&[0xff; 20], 0x80), Some(i128::MIN)),
            (long(&[0], 0x80), None),
            (long(&[1], 0), None),
            (long(&[0xff], 0x7f), None),
        ] {
            let found = decimal(&bytes, Some(2)).ok();
            assert_eq!(found, number.map(|number| TypedValue::Decimal(number, 2)), "{bytes:x?}");
        }
        assert!(decimal(&[1], Some(128)).is_err());
    }
}
