//! Results in rows: a table for people, lines for programs.

use std::io::IsTerminal as _;

use comfy_table::{Table, presets};
use serde_json::Value;

use super::Out;
use crate::failure::Failure;
use crate::format::Format;
use crate::global::Global;
use crate::interrupt::is_interrupted;

/// Rows with column names, printed in the format asked for, as they come. Many rows are shown as several tables, since
/// the columns of a table are as wide as its widest cells.
#[derive(Debug)]
pub(crate) struct Rows {
    columns: Vec<String>,
    format: Format,
    header: bool,
    /// The rows of the next table.
    kept: Vec<Vec<Value>>,
    kept_bytes: usize,
    /// Whether a table, or the beginning of a JSON document, has been printed.
    is_begun: bool,
    out: Out,
}

/// Maximum number of rows in a table, and of bytes of text after which it ends.
const TABLE_ROWS: usize = 10_000;
const TABLE_BYTES: usize = 4 << 20;

impl Rows {
    pub(crate) fn new<C: Into<String>>(global: &Global, columns: impl IntoIterator<Item = C>) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let format = global.format.unwrap_or(if terminal { Format::Table } else { Format::Tsv });
        let columns = columns.into_iter().map(Into::into).collect();
        let (header, kept, out) = (!global.no_header, Vec::new(), Out::new());
        Self { columns, format, header, kept, kept_bytes: 0, is_begun: false, out }
    }

    /// Sets whether the rows continue others that were already printed: lines then have no second header, a table has
    /// its own.
    pub(crate) fn going_on(self, goes_on: bool) -> Self {
        let has_own = matches!(self.format, Format::Table | Format::Full);
        Self { header: self.header && (has_own || !goes_on), ..self }
    }

    /// Adds a row with a value for each column; null if it has none.
    ///
    /// # Errors
    ///
    /// The output can't be written, or the user has asked for an end.
    pub(crate) fn push(&mut self, row: Vec<Value>) -> Result<(), Failure> {
        if is_interrupted() {
            return Err(Failure::Interrupted);
        }
        match self.format {
            Format::Table | Format::Full => self.push_to_table(row),
            Format::Json => self.push_to_document(&row),
            Format::Ndjson => {
                let object = self.object(&row);
                self.out.line(object.to_string())
            }
            Format::Csv => self.push_line(&row, ','),
            Format::Tsv | Format::Concise => self.push_line(&row, '\t'),
        }
    }

    /// Ends the output.
    pub(crate) fn print(mut self) -> Result<(), Failure> {
        match self.format {
            Format::Table | Format::Full if self.is_begun && self.kept.is_empty() => {}
            Format::Table | Format::Full => self.print_table()?,
            Format::Json if self.is_begun => self.out.line("\n  ]\n}")?,
            Format::Json => self.out.line("{\n  \"format\": 1,\n  \"rows\": []\n}")?,
            Format::Csv => self.print_header(',')?,
            Format::Tsv | Format::Concise => self.print_header('\t')?,
            Format::Ndjson => {}
        }
        self.out.finish()
    }

    fn push_to_table(&mut self, row: Vec<Value>) -> Result<(), Failure> {
        self.kept_bytes += row.iter().filter_map(Value::as_str).map(str::len).sum::<usize>();
        self.kept.push(row);
        let is_full = self.kept.len() >= TABLE_ROWS || self.kept_bytes >= TABLE_BYTES;
        if is_full { self.print_table() } else { Ok(()) }
    }

    fn print_table(&mut self) -> Result<(), Failure> {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        if self.header {
            table.set_header(self.columns.iter().map(|name| shown(name)));
        }
        for row in self.kept.drain(..) {
            table.add_row(row.iter().map(|cell| shown(&cell_text(cell))));
        }
        (self.kept_bytes, self.is_begun) = (0, true);
        self.out.line(table.to_string())
    }

    fn push_to_document(&mut self, row: &[Value]) -> Result<(), Failure> {
        let before = if self.is_begun { ",\n    " } else { "{\n  \"format\": 1,\n  \"rows\": [\n    " };
        self.is_begun = true;
        self.out.write(before.as_bytes())?;
        // Texts in JSON contain no line breaks, so all of these are between values.
        let object = format!("{:#}", self.object(row)).replace('\n', "\n    ");
        self.out.write(object.as_bytes())
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
