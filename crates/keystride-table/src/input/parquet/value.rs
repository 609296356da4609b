//! Conversion of cells to values of a field, through text only if the types differ.

use std::fmt::Write as _;

use keystride::design::{FieldKind, TimeKind, TimeText};
use keystride::time::{Zone, read_iso8601};
use keystride::value::ValueError;
use keystride::{Design, Row, Value};

use super::super::reject::RejectReason;
use super::cells::{CellKind, Cells, Precision};
use super::iso::IsoWriter;
use super::text::{decimal_text, time_error, without_zeros, write_text};

/// The destination of a value, and what is needed to convert it.
pub(super) struct FieldCell<'a> {
    pub(super) design: &'a Design,
    pub(super) row: &'a mut Row,
    pub(super) index: usize,
    /// The kind of the column's values.
    pub(super) kind: CellKind,
    /// Whether any of the design's null texts may be a value of this kind, so that values have to be compared as texts.
    pub(super) null_text: bool,
    pub(super) iso: &'a mut IsoWriter,
    pub(super) scratch: &'a mut String,
}

impl FieldCell<'_> {
    /// Reads the cell at `at`, which must not be null and must be of a kind that fits the field.
    pub(super) fn read(self, cells: &Cells, at: usize) -> Result<(), RejectReason> {
        let field = &self.design.fields()[self.index].kind;
        let has_own_text =
            matches!(cells, Cells::Bools(_) | Cells::Dates(_) | Cells::Times(..) | Cells::Nanos(_));
        if self.null_text
            && has_own_text
            && write_text(cells, self.kind, at, self.iso, self.scratch).is_ok()
            && self.design.input().is_null(self.scratch)
        {
            return Ok(());
        }
        match (cells, field) {
            (Cells::Ints(ints), _) if takes_numbers(field) && !self.null_text => {
                self.design.check_number(self.index, ints[at].into())?;
                self.set_number(ints[at].into())
            }
            (Cells::Unsigned(ints), _) if takes_numbers(field) && !self.null_text => {
                self.design.check_number(self.index, ints[at].into())?;
                self.set_number(ints[at].into())
            }
            (Cells::Floats(floats, _), FieldKind::Float(float)) if !self.null_text => {
                self.set(float.value_of(floats[at])?)
            }
            (Cells::Floats(floats, precision), kind) if !matches!(kind, FieldKind::Float(_)) => {
                self.read_whole(floats[at], *precision)
            }
            (Cells::Decimals(decimals, scale), FieldKind::Int(_) | FieldKind::Digits { .. }) => {
                self.read_text(without_zeros(&decimal_text(decimals[at], *scale)))
            }
            (Cells::Bools(bools), FieldKind::Bool) => self.set(Value::Bool(bools[at])),
            (Cells::Bytes(bytes), FieldKind::Bytes { len, .. }) if self.kind == CellKind::Bytes => {
                self.set_bytes(bytes[at].data(), *len)
            }
            (Cells::Bytes(bytes), FieldKind::Uuid { .. }) if self.kind == CellKind::Bytes => {
                self.read_uuid(bytes[at].data())
            }
            (Cells::Bytes(bytes), _) => match str::from_utf8(bytes[at].data()) {
                Ok(text) => self.read_text(text),
                Err(_) => Err(RejectReason::NotText { charset: "utf-8" }),
            },
            (Cells::Times(..) | Cells::Nanos(_), FieldKind::Time(time)) => {
                self.set_time(cells.nanos(at), time)
            }
            (Cells::Dates(days), FieldKind::Time(time)) => self.set_day(days[at].into(), time),
            _ => {
                write_text(cells, self.kind, at, self.iso, self.scratch)?;
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
        let field = &self.design.fields()[self.index].kind;
        match field.number_range() {
            Some((min, max)) if !(min..=max).contains(&number) => {
                Err(ValueError::OutOfRange { found: number, min, max }.into())
            }
            _ => self.set(Value::Int(number)),
        }
    }

    fn set_bytes(self, bytes: &[u8], len: Option<usize>) -> Result<(), RejectReason> {
        match len {
            Some(len) if len != bytes.len() => {
                let found = keystride::escape::to_escaped(bytes);
                Err(ValueError::Length { found, len: bytes.len(), expected: len.to_string() }.into())
            }
            _ => self.set(Value::Bytes(bytes)),
        }
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
        if self.kind == CellKind::Instant || time.zone == Zone::utc() {
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
