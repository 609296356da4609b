//! Results in rows: a table for people, lines for programs.

use std::io::IsTerminal as _;

use comfy_table::{Table, presets};
use serde_json::{Map, Value};

use super::Out;
use crate::args::{Format, Global};
use crate::failure::Failure;

/// Rows under column names, written in the format asked for.
#[derive(Debug)]
pub(crate) struct Rows {
    columns: Vec<&'static str>,
    format: Format,
    header: bool,
    values: Vec<Vec<Value>>,
}

impl Rows {
    pub(crate) fn new(global: &Global, columns: &[&'static str]) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let format = global.format.unwrap_or(if terminal { Format::Table } else { Format::Tsv });
        Self { columns: columns.to_vec(), format, header: !global.no_header, values: Vec::new() }
    }

    /// Adds a row with a value for each column; null for none.
    pub(crate) fn push(&mut self, row: Vec<Value>) {
        self.values.push(row);
    }

    pub(crate) fn print(self) -> Result<(), Failure> {
        let mut out = Out::new();
        match self.format {
            Format::Table | Format::Full => out.line(self.table())?,
            Format::Json => out.line(format!("{:#}", self.document()))?,
            Format::Ndjson => {
                for row in &self.values {
                    out.line(self.object(row).to_string())?;
                }
            }
            Format::Csv => self.lines(&mut out, ',')?,
            Format::Tsv | Format::Concise => self.lines(&mut out, '\t')?,
        }
        out.finish()
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        if self.header {
            table.set_header(self.columns.clone());
        }
        for row in &self.values {
            table.add_row(row.iter().map(cell_text));
        }
        table.to_string()
    }

    fn document(&self) -> Value {
        let rows = self.values.iter().map(|row| self.object(row)).collect();
        let mut document = Map::new();
        document.insert("format".to_owned(), 1.into());
        document.insert("rows".to_owned(), Value::Array(rows));
        Value::Object(document)
    }

    fn object(&self, row: &[Value]) -> Value {
        Value::Object(
            self.columns.iter().zip(row).map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        )
    }

    fn lines(&self, out: &mut Out, separator: char) -> Result<(), Failure> {
        if self.header {
            out.line(self.columns.join(&separator.to_string()))?;
        }
        for row in &self.values {
            let cells: Vec<String> = row.iter().map(|cell| quoted(&cell_text(cell), separator)).collect();
            out.line(cells.join(&separator.to_string()))?;
        }
        Ok(())
    }
}

fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// CSV quotes what would break a line; TSV has no quotes, so tabs and line breaks are escaped. A backslash stays as it
/// is, so that escaped keys can be pasted.
fn quoted(text: &str, separator: char) -> String {
    if separator == '\t' {
        return text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
    }
    if text.contains([separator, '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
