//! Results that are no rows: a text for people, one JSON document for programs.

use serde_json::{Value, json};

use super::{Out, Rows, print};
use crate::failure::Failure;
use crate::format::Format;
use crate::global::Global;
use crate::usage::Usage;

/// Writes a JSON document: over many lines, or as ndjson on one.
pub(crate) fn print_document(global: &Global, document: &Value) -> Result<(), Failure> {
    match global.format {
        Some(Format::Ndjson) => print(&document.to_string()),
        _ => print(&format!("{document:#}")),
    }
}

/// Writes what people read as a text and programs as a document; a format of rows does not fit it.
pub(crate) fn print_text_or_document(
    global: &Global,
    what: &'static str,
    text: impl FnOnce() -> String,
    document: impl FnOnce() -> Value,
) -> Result<(), Failure> {
    refuse_rows(global, what)?;
    if global.is_json() { print_document(global, &document()) } else { print(&text()) }
}

/// Refuses formats of rows for `what` has none.
pub(crate) fn refuse_rows(global: &Global, what: &'static str) -> Result<(), Usage> {
    match global.format {
        Some(format @ (Format::Csv | Format::Tsv)) => Err(Usage::NoRows { what, format: format.name() }),
        _ => Ok(()),
    }
}

/// Writes what is a text and nothing else.
pub(crate) fn print_text(global: &Global, what: &'static str, text: &str) -> Result<(), Failure> {
    match global.format {
        Some(format @ (Format::Json | Format::Ndjson | Format::Csv | Format::Tsv)) => {
            Err(Usage::TextAlone { what, format: format.name() }.into())
        }
        _ => print(text),
    }
}

/// Writes the one number that a command gives: bare, unless a format was asked for.
pub(crate) fn print_number(global: &Global, name: &str, number: u64) -> Result<(), Failure> {
    match global.format {
        None => print(&number.to_string()),
        Some(_) if global.is_json() => print_document(global, &json!({ "format": 1, name: number })),
        Some(_) => {
            let mut rows = Rows::new(global, [name]);
            rows.push(vec![number.into()])?;
            rows.print()
        }
    }
}

/// Writes lines as they are, or where a format was asked for as rows of one column.
pub(crate) fn print_lines(
    global: &Global,
    column: &str,
    lines: impl Iterator<Item = String>,
) -> Result<(), Failure> {
    if global.format.is_none() {
        let mut out = Out::new();
        lines.into_iter().try_for_each(|line| out.line(line))?;
        return out.finish();
    }
    let mut rows = Rows::new(global, [column]);
    lines.into_iter().try_for_each(|line| rows.push(vec![line.into()]))?;
    rows.print()
}
