//! Formatting of cells as text.

use std::fmt::Write as _;

use keystride::escape;
use keystride::value::ValueError;

use super::super::reject::RejectReason;
use super::cells::{CellKind, Cells};
use super::iso::IsoWriter;

/// Replaces the contents of `out` by the text of one cell.
pub(super) fn write_text(
    cells: &Cells,
    kind: CellKind,
    at: usize,
    iso: &mut IsoWriter,
    out: &mut String,
) -> Result<(), RejectReason> {
    out.clear();
    let written = match cells {
        Cells::Bools(bools) => write!(out, "{}", bools.value(at)),
        Cells::Ints(ints) => write!(out, "{}", ints[at]),
        Cells::Floats(floats) => write!(out, "{}", floats[at]),
        Cells::Decimals(decimals) => out.write_str(&decimals.value_as_string(at)),
        Cells::Texts(texts) => out.write_str(texts.value(at)),
        Cells::Bytes(_) | Cells::FixedBytes(_) => {
            let text = str::from_utf8(cells.bytes(at).unwrap_or_default())
                .map_err(|_| RejectReason::NotText { charset: "utf-8" })?;
            out.write_str(text)
        }
        Cells::Dates(days) => {
            return iso.write_date(days[at], out).map_err(|cause| time_error(days[at], cause));
        }
        Cells::Times(nanos) => {
            iso.write_time(nanos[at], out).map_err(|cause| time_error(nanos[at], cause))?;
            out.write_str(if kind == CellKind::Instant { "Z" } else { "" })
        }
    };
    // Writing to a String can't fail.
    let _ = written;
    Ok(())
}

/// Appends one cell as JSON: a time that can't be formatted as its number, bytes that are not text with escapes.
pub(super) fn write_json(cells: &Cells, kind: CellKind, at: usize, json: &mut String) {
    let mut text = String::new();
    let is_text = write_text(cells, kind, at, &mut IsoWriter::new(), &mut text).is_ok();
    match cells {
        Cells::Bools(_) | Cells::Ints(_) | Cells::Decimals(_) => json.push_str(&text),
        Cells::Floats(floats) if floats[at].is_finite() => json.push_str(&text),
        Cells::Dates(numbers) | Cells::Times(numbers) if !is_text => json.push_str(&numbers[at].to_string()),
        _ if is_text => json.push_str(&quoted(&text)),
        _ => json.push_str(&quoted(&escape::to_escaped(cells.bytes(at).unwrap_or_default()))),
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

pub(super) fn time_error(number: i128, cause: keystride::time::TimeError) -> RejectReason {
    ValueError::Time { found: number.to_string(), cause }.into()
}
