//! Formatting of typed values as text.

use std::fmt::Write as _;

use keystride::design::Input;
#[cfg(feature = "parquet")]
use keystride::escape;
use keystride::value::ValueError;

use super::super::reject::RejectReason;
use super::{IsoWriter, TypedValue, ValueKind};

/// Replaces the contents of `out` by the text of a value. A float has the shortest decimal that reads back as the
/// same float.
pub(super) fn write_text(
    value: TypedValue<'_>,
    kind: ValueKind,
    iso: &mut IsoWriter,
    out: &mut String,
) -> Result<(), RejectReason> {
    out.clear();
    let written = match value {
        TypedValue::Bool(bool) => write!(out, "{bool}"),
        TypedValue::Int(int) => write!(out, "{int}"),
        TypedValue::Unsigned(int) => write!(out, "{int}"),
        TypedValue::Float(float, precision) => write!(out, "{}", precision.text(float)),
        TypedValue::Decimal(number, scale) => out.write_str(&decimal_text(number, scale)),
        TypedValue::Bytes(bytes) => {
            let text = str::from_utf8(bytes).map_err(|_| RejectReason::NotText { charset: "utf-8" })?;
            out.write_str(text)
        }
        TypedValue::Date(days) => {
            let days = i128::from(days);
            return iso.write_date(days, out).map_err(|cause| time_error(days, cause));
        }
        TypedValue::Time(nanos) => {
            iso.write_time(nanos, out).map_err(|cause| time_error(nanos, cause))?;
            out.write_str(if kind == ValueKind::Instant { "Z" } else { "" })
        }
    };
    // Writing to a String can't fail.
    let _ = written;
    Ok(())
}

/// Replaces the contents of `out` by the text of a value that belongs to no field. Returns whether there is
/// one. A float that may stand for several whole numbers has none, because who reads the text can't see that.
pub(in crate::input) fn write_other(
    value: TypedValue<'_>,
    kind: ValueKind,
    input: &Input,
    iso: &mut IsoWriter,
    out: &mut String,
) -> Result<bool, RejectReason> {
    write_text(value, kind, iso, out)?;
    if input.is_null(out) {
        return Ok(false);
    }
    match value {
        TypedValue::Float(float, precision) => precision.check(float).map(|()| true),
        _ => Ok(true),
    }
}

/// Appends a value as JSON: a time that can't be formatted as its number, bytes that are not text with escapes.
#[cfg(feature = "parquet")]
pub(in crate::input) fn write_json(value: TypedValue<'_>, kind: ValueKind, json: &mut String) {
    let mut text = String::new();
    let is_text = write_text(value, kind, &mut IsoWriter::new(), &mut text).is_ok();
    match value {
        TypedValue::Bool(_) | TypedValue::Int(_) | TypedValue::Unsigned(_) | TypedValue::Decimal(..) => {
            json.push_str(&text);
        }
        TypedValue::Float(float, _) if float.is_finite() => json.push_str(&text),
        TypedValue::Date(days) if !is_text => json.push_str(&days.to_string()),
        TypedValue::Time(nanos) if !is_text => json.push_str(&nanos.to_string()),
        TypedValue::Bytes(bytes) if !is_text => json.push_str(&quoted(&escape::to_escaped(bytes))),
        _ => json.push_str(&quoted(&text)),
    }
}

/// Returns a text as a JSON string.
#[cfg(feature = "parquet")]
pub(in crate::input) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a decimal without zeros after its point: `517.00` as `517`, which a whole number can be read from.
pub(super) fn without_zeros(decimal: &str) -> &str {
    if decimal.contains('.') { decimal.trim_end_matches('0').trim_end_matches('.') } else { decimal }
}

/// Returns a decimal with `scale` digits behind its point.
pub(super) fn decimal_text(number: i128, scale: i8) -> String {
    let digits = number.unsigned_abs().to_string();
    let sign = if number < 0 { "-" } else { "" };
    let Ok(scale @ 1..) = usize::try_from(scale) else {
        return format!("{sign}{digits}{}", "0".repeat(scale.unsigned_abs().into()));
    };
    // At least one digit stands before the point.
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

pub(super) fn time_error(number: i128, cause: keystride::time::TimeError) -> RejectReason {
    ValueError::Time { found: number.to_string(), cause }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_its_digits_behind_the_point() {
        for (number, scale, text) in [
            (51_700, 2, "517.00"),
            (-5, 3, "-0.005"),
            (0, 2, "0.00"),
            (517, 0, "517"),
            (-517, -2, "-51700"),
            (i128::MIN, 1, "-17014118346046923173168730371588410572.8"),
        ] {
            assert_eq!(decimal_text(number, scale), text);
        }
    }
}
