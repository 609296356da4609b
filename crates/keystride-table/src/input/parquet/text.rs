//! Formatting of cells as text.

use std::fmt::Write as _;

use arrow_array::types::{Decimal128Type, DecimalType as _};
use keystride::design::Input;
use keystride::escape;
use keystride::value::ValueError;

use super::super::reject::RejectReason;
use super::cells::{CellKind, Cells};
use super::iso::IsoWriter;

/// Replaces the contents of `out` by the text of one cell. A float has the shortest decimal that reads back as the
/// same float.
pub(super) fn write_text(
    cells: &Cells,
    kind: CellKind,
    at: usize,
    iso: &mut IsoWriter,
    out: &mut String,
) -> Result<(), RejectReason> {
    out.clear();
    let written = match cells {
        Cells::Bools(bools) => write!(out, "{}", bools[at]),
        Cells::Ints(ints) => write!(out, "{}", ints[at]),
        Cells::Unsigned(ints) => write!(out, "{}", ints[at]),
        Cells::Floats(floats, precision) => write!(out, "{}", precision.text(floats[at])),
        Cells::Decimals(decimals, scale) => out.write_str(&decimal_text(decimals[at], *scale)),
        Cells::Bytes(bytes) => {
            let text =
                str::from_utf8(bytes[at].data()).map_err(|_| RejectReason::NotText { charset: "utf-8" })?;
            out.write_str(text)
        }
        Cells::Dates(days) => {
            let days = i128::from(days[at]);
            return iso.write_date(days, out).map_err(|cause| time_error(days, cause));
        }
        Cells::Times(..) | Cells::Nanos(_) => {
            let nanos = cells.nanos(at);
            iso.write_time(nanos, out).map_err(|cause| time_error(nanos, cause))?;
            out.write_str(if kind == CellKind::Instant { "Z" } else { "" })
        }
    };
    // Writing to a String can't fail.
    let _ = written;
    Ok(())
}

/// Replaces the contents of `out` by the text of one cell of a column that belongs to no field. Returns whether there is
/// one. A float that may stand for several whole numbers has none, because who reads the text can't see that.
pub(super) fn write_other(
    cells: &Cells,
    kind: CellKind,
    at: usize,
    input: &Input,
    iso: &mut IsoWriter,
    out: &mut String,
) -> Result<bool, RejectReason> {
    write_text(cells, kind, at, iso, out)?;
    if input.is_null(out) {
        return Ok(false);
    }
    match cells {
        Cells::Floats(floats, precision) => precision.check(floats[at]).map(|()| true),
        _ => Ok(true),
    }
}

/// Appends one cell as JSON: a time that can't be formatted as its number, bytes that are not text with escapes.
pub(super) fn write_json(cells: &Cells, kind: CellKind, at: usize, json: &mut String) {
    let mut text = String::new();
    let is_text = write_text(cells, kind, at, &mut IsoWriter::new(), &mut text).is_ok();
    match cells {
        Cells::Bools(_) | Cells::Ints(_) | Cells::Unsigned(_) | Cells::Decimals(..) => json.push_str(&text),
        Cells::Floats(floats, _) if floats[at].is_finite() => json.push_str(&text),
        Cells::Dates(days) if !is_text => json.push_str(&days[at].to_string()),
        Cells::Times(..) | Cells::Nanos(_) if !is_text => json.push_str(&cells.nanos(at).to_string()),
        _ if is_text => json.push_str(&quoted(&text)),
        _ => json.push_str(&quoted(&escape::to_escaped(cells.bytes(at)))),
    }
}

/// Returns a text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a decimal without zeros after its point: `517.00` as `517`, which a whole number can be read from.
pub(super) fn without_zeros(decimal: &str) -> &str {
    if decimal.contains('.') { decimal.trim_end_matches('0').trim_end_matches('.') } else { decimal }
}

/// Returns a decimal with `scale` digits behind its point.
pub(super) fn decimal_text(number: i128, scale: i8) -> String {
    Decimal128Type::format_decimal(number, Decimal128Type::MAX_PRECISION, scale)
}

pub(super) fn time_error(number: i128, cause: keystride::time::TimeError) -> RejectReason {
    ValueError::Time { found: number.to_string(), cause }.into()
}
