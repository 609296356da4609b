//! Conversion of typed values to values of a field, through text only if the types differ.

use std::fmt::Write as _;

use keystride::design::{FieldKind, TimeKind, TimeText};
use keystride::time::{Zone, read_iso8601};
use keystride::value::ValueError;
use keystride::{Design, Row, Value};

use super::super::reject::RejectReason;
use super::text::{decimal_text, time_error, without_zeros, write_text};
use super::{IsoWriter, Precision, TypedValue, ValueKind};

/// The destination of a value, and what is needed to convert it.
pub(in crate::input) struct FieldValue<'a> {
    pub(in crate::input) design: &'a Design,
    pub(in crate::input) row: &'a mut Row,
    pub(in crate::input) index: usize,
    pub(in crate::input) kind: ValueKind,
    /// Whether any of the design's null texts may be a value of this kind, so that values have to be compared as texts.
    pub(in crate::input) null_text: bool,
    pub(in crate::input) iso: &'a mut IsoWriter,
    pub(in crate::input) scratch: &'a mut String,
}

impl FieldValue<'_> {
    /// Reads a value, which must be of a kind that fits the field.
    pub(in crate::input) fn read(self, value: TypedValue<'_>) -> Result<(), RejectReason> {
        let field = &self.design.fields()[self.index].kind;
        let has_own_text = matches!(value, TypedValue::Bool(_) | TypedValue::Date(_) | TypedValue::Time(_));
        if self.null_text
            && has_own_text
            && write_text(value, self.kind, self.iso, self.scratch).is_ok()
            && self.design.input().is_null(self.scratch)
        {
            return Ok(());
        }
        match (value, field) {
            (TypedValue::Int(int), _) if takes_numbers(field) && !self.null_text => {
                self.design.check_number(self.index, int.into())?;
                self.set_number(int.into())
            }
            (TypedValue::Unsigned(int), _) if takes_numbers(field) && !self.null_text => {
                self.design.check_number(self.index, int.into())?;
                self.set_number(int.into())
            }
            (TypedValue::Float(value, _), FieldKind::Float(float)) if !self.null_text => {
                self.set(float.value_of(value)?)
            }
            (TypedValue::Float(value, precision), kind) if !matches!(kind, FieldKind::Float(_)) => {
                self.read_whole(value, precision)
            }
            (TypedValue::Decimal(number, scale), FieldKind::Int(_) | FieldKind::Digits { .. }) => {
                self.read_text(without_zeros(&decimal_text(number, scale)))
            }
            (TypedValue::Bool(bool), FieldKind::Bool) => self.set(Value::Bool(bool)),
            (TypedValue::Bytes(bytes), FieldKind::Bytes { len, .. }) if self.kind == ValueKind::Bytes => {
                Ok(self.design.set_bytes(self.row, self.index, bytes, *len)?)
            }
            (TypedValue::Bytes(bytes), FieldKind::Uuid { .. }) if self.kind == ValueKind::Bytes => {
                self.read_uuid(bytes)
            }
            (TypedValue::Bytes(bytes), _) => match str::from_utf8(bytes) {
                Ok(text) => self.read_text(text),
                Err(_) => Err(RejectReason::NotText { charset: "utf-8" }),
            },
            (TypedValue::Time(nanos), FieldKind::Time(time)) => self.set_time(nanos, time),
            (TypedValue::Date(days), FieldKind::Time(time)) => self.set_day(days.into(), time),
            _ => {
                write_text(value, self.kind, self.iso, self.scratch)?;
                self.read_scratch()
            }
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "all callers return its result")]
    fn set(self, value: Value<'_>) -> Result<(), RejectReason> {
        self.row.set(self.index, value);
        Ok(())
    }

    fn set_number(self, number: i128) -> Result<(), RejectReason> {
        Ok(self.design.set_number(self.row, self.index, number)?)
    }

    fn read_text(self, text: &str) -> Result<(), RejectReason> {
        Ok(self.design.read_value(self.row, self.index, text)?)
    }

    fn read_scratch(self) -> Result<(), RejectReason> {
        Ok(self.design.read_value(self.row, self.index, self.scratch)?)
    }

    /// Reads a UUID from 16 bytes or from its text.
    fn read_uuid(self, bytes: &[u8]) -> Result<(), RejectReason> {
        if bytes.len() != 16 {
            let text = str::from_utf8(bytes).map_err(|_| RejectReason::NotText { charset: "utf-8" })?;
            return self.read_text(text);
        }
        self.scratch.clear();
        for byte in bytes {
            // Writing to a String can't fail.
            let _ = write!(self.scratch, "{byte:02x}");
        }
        self.read_scratch()
    }

    /// Reads a float as a whole number, unless its text means that there is no value.
    fn read_whole(self, float: f64, precision: Precision) -> Result<(), RejectReason> {
        self.scratch.clear();
        let whole = precision.whole(float);
        // Writing to a String can't fail.
        let _ = match &whole {
            Ok(number) => write!(self.scratch, "{number}"),
            Err(_) => write!(self.scratch, "{}", precision.text(float)),
        };
        let Self { design, index, .. } = self;
        match whole {
            Err(reason) if !design.means_none(index, self.scratch) => Err(reason),
            _ => self.read_scratch(),
        }
    }

    fn set_time(self, nanos: i128, time: &TimeKind) -> Result<(), RejectReason> {
        if self.kind == ValueKind::Instant || time.zone == Zone::utc() {
            return self.set_instant(nanos, time);
        }
        self.scratch.clear();
        self.iso.write_time(nanos, self.scratch).map_err(|cause| time_error(nanos, cause))?;
        self.set_local(time)
    }

    fn set_day(self, days: i128, time: &TimeKind) -> Result<(), RejectReason> {
        self.scratch.clear();
        self.iso.write_date(days, self.scratch).map_err(|cause| time_error(days, cause))?;
        self.set_local(time)
    }

    /// Parses the scratch text as a local time in the field's time zone.
    fn set_local(self, time: &TimeKind) -> Result<(), RejectReason> {
        match read_iso8601(self.scratch.as_bytes(), &time.zone) {
            Ok(nanos) => self.set_instant(nanos, time),
            Err(cause) => Err(ValueError::Time { found: self.scratch.clone(), cause }.into()),
        }
    }

    fn set_instant(self, nanos: i128, time: &TimeKind) -> Result<(), RejectReason> {
        let number = time.number_of_nanos(nanos).map_err(|cause| time_error(nanos, cause))?;
        match time.text {
            TimeText::Epoch(unit) if nanos % unit.nanos() != 0 => {
                self.scratch.clear();
                self.iso.write_time(nanos, self.scratch).map_err(|cause| time_error(nanos, cause))?;
                Err(RejectReason::FinerTime { found: std::mem::take(self.scratch), unit })
            }
            _ => self.set_number(number),
        }
    }
}

/// Whether a whole number is a value of the field without conversion.
fn takes_numbers(field: &FieldKind) -> bool {
    match field {
        FieldKind::Int(_) => true,
        FieldKind::Time(time) => time.input.is_none() && matches!(time.text, TimeText::Epoch(_)),
        _ => false,
    }
}
