//! Results that are not rows: a text for people, one JSON document for programs.

use serde::Serialize;
use serde_json::{Value, json};

use super::safe::safe_json;
use super::{Out, Rows, print};
use crate::failure::Failure;
use crate::format::Format;
use crate::global::Global;
use crate::usage::Usage;

/// Returns a document as JSON.
pub(crate) fn document_of(document: &impl Serialize) -> Value {
    serde_json::to_value(document).expect("the keys of documents are texts")
}

/// Prints a JSON document, indented or, for ndjson, on one line.
pub(crate) fn print_document(global: &Global, document: &impl Serialize) -> Result<(), Failure> {
    let document = document_of(document);
    match global.format {
        Some(Format::Ndjson) => print(&safe_json(&document.to_string())),
        _ => print(&safe_json(&format!("{document:#}"))),
    }
}

/// Prints a text for people, or a document for programs; formats of rows are rejected.
pub(crate) fn print_text_or_document<D: Serialize>(
    global: &Global,
    what: &'static str,
    text: impl FnOnce() -> String,
    document: impl FnOnce() -> D,
) -> Result<(), Failure> {
    refuse_rows(global, what)?;
    if global.is_json() { print_document(global, &document()) } else { print(&text()) }
}

/// Rejects formats of rows for `what`, which has none.
pub(crate) fn refuse_rows(global: &Global, what: &'static str) -> Result<(), Usage> {
    match global.format {
        Some(format @ (Format::Csv | Format::Tsv)) => Err(Usage::NoRows { what, format: format.name() }),
        _ => Ok(()),
    }
}

/// Prints what has no form other than text.
pub(crate) fn print_text(global: &Global, what: &'static str, text: &str) -> Result<(), Failure> {
    refuse_all_but_text(global, what)?;
    print(text)
}

/// Rejects formats for `what`, which has no form other than text.
pub(crate) fn refuse_all_but_text(global: &Global, what: &'static str) -> Result<(), Usage> {
    match global.format {
        Some(format @ (Format::Json | Format::Ndjson | Format::Csv | Format::Tsv)) => {
            Err(Usage::TextAlone { what, format: format.name() })
        }
        _ => Ok(()),
    }
}

/// Prints the single number that is a command's result: bare, unless a format was asked for.
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

/// Prints lines as they are or, if a format was asked for, as rows of one column.
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
