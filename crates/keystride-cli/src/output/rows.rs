//! Results in rows: a table for people, lines for programs.

use std::io::IsTerminal as _;

use comfy_table::{Table, presets};
use serde_json::{Map, Value};

use super::Out;
use crate::failure::Failure;
use crate::format::Format;
use crate::global::Global;

/// Rows with column names, printed in the format asked for. Lines are printed as rows come; a table or a JSON document
/// is printed at the end.
#[derive(Debug)]
pub(crate) struct Rows {
    columns: Vec<String>,
    format: Format,
    header: bool,
    kept: Vec<Vec<Value>>,
    out: Out,
}

impl Rows {
    pub(crate) fn new<C: Into<String>>(global: &Global, columns: impl IntoIterator<Item = C>) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let format = global.format.unwrap_or(if terminal { Format::Table } else { Format::Tsv });
        let columns = columns.into_iter().map(Into::into).collect();
        Self { columns, format, header: !global.no_header, kept: Vec::new(), out: Out::new() }
    }

    /// Sets whether the rows continue others that were already printed: lines then have no second header, a table has
    /// its own.
    pub(crate) fn going_on(self, goes_on: bool) -> Self {
        let has_own = matches!(self.format, Format::Table | Format::Full);
        Self { header: self.header && (has_own || !goes_on), ..self }
    }

    /// Adds a row with a value for each column; null if it has none.
    pub(crate) fn push(&mut self, row: Vec<Value>) -> Result<(), Failure> {
        match self.format {
            Format::Table | Format::Full | Format::Json => {
                self.kept.push(row);
                Ok(())
            }
            Format::Ndjson => {
                let object = self.object(&row);
                self.out.line(object.to_string())
            }
            Format::Csv => self.push_line(&row, ','),
            Format::Tsv | Format::Concise => self.push_line(&row, '\t'),
        }
    }

    pub(crate) fn print(mut self) -> Result<(), Failure> {
        match self.format {
            Format::Table | Format::Full => {
                let table = self.table();
                self.out.line(table)?;
            }
            Format::Json => {
                let document = self.document();
                self.out.line(format!("{document:#}"))?;
            }
            Format::Csv => self.print_header(',')?,
            Format::Tsv | Format::Concise => self.print_header('\t')?,
            Format::Ndjson => {}
        }
        self.out.finish()
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        if self.header {
            table.set_header(self.columns.iter().map(|name| shown(name)));
        }
        for row in &self.kept {
            table.add_row(row.iter().map(|cell| shown(&cell_text(cell))));
        }
        table.to_string()
    }

    fn document(&self) -> Value {
        let rows = self.kept.iter().map(|row| self.object(row)).collect();
        let mut document = Map::new();
        document.insert("format".to_owned(), 1.into());
        document.insert("rows".to_owned(), Value::Array(rows));
        Value::Object(document)
    }

    fn object(&self, row: &[Value]) -> Value {
        Value::Object(self.columns.iter().cloned().zip(row.iter().cloned()).collect())
    }

    fn push_line(&mut self, row: &[Value], separator: char) -> Result<(), Failure> {
        self.print_header(separator)?;
        let cells: Vec<String> = row.iter().map(|cell| written(&cell_text(cell), separator)).collect();
        self.out.line(cells.join(&separator.to_string()))
    }

    /// Prints the header once: before the first line, or at the end if there is none.
    fn print_header(&mut self, separator: char) -> Result<(), Failure> {
        if std::mem::take(&mut self.header) {
            let names: Vec<String> = self.columns.iter().map(|name| written(name, separator)).collect();
            self.out.line(names.join(&separator.to_string()))?;
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

/// Formats a value. CSV quotes what would break a line; TSV has no quotes, and a cell of a table has a single line, so
/// there control characters are escaped.
fn written(text: &str, separator: char) -> String {
    if separator != ',' {
        return shown(text);
    }
    let breaks = text.contains([separator, '"', '\n', '\r']);
    if breaks { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Escapes control characters, so that they neither break a line nor control a terminal. A backslash is kept, so that
/// escaped keys can be pasted.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\0'..='\x7f' if character.is_control() => {
                shown.push_str(&format!("\\x{:02x}", u32::from(character)));
            }
            // Programs that read lines treat the last two as line breaks as well.
            character if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                shown.extend(character.escape_unicode());
            }
            character => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_neither_break_a_line_nor_steer_a_terminal() {
        assert_eq!(shown("a\tb\nc\r\x1b[31m\0\u{9b}年\\n"), "a\\tb\\nc\\r\\x1b[31m\\x00\\u{9b}年\\n");
        assert_eq!(written("a\nb", ','), "\"a\nb\"");
    }
}
