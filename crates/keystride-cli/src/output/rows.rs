//! Results in rows: a table for people, lines for programs.

use keystride_table::extract::MOST_EXACT_IN_JSON;
use serde::Serialize;
use serde_json::Value;

use super::Out;
use super::cell_text::{cell_text, written};
use super::document::document_of;
use super::safe::safe_json;
use super::screen::Screen;
use super::table::{Contents, Drawing, Kept, table_cell};
use crate::failure::Failure;
use crate::format::Format;
use crate::global::Global;
use crate::stop::stop;

/// Rows with column names, printed in the format asked for, as they come. Many rows are shown as several tables, since
/// the columns of a table are as wide as its widest cells.
#[derive(Debug)]
pub(crate) struct Rows {
    columns: Vec<String>,
    format: Format,
    header: bool,
    /// The rows of the next table.
    kept: Kept,
    /// The number of rows in the tables before it.
    drawn_before: usize,
    /// The width of the terminal; `None` if stdout is none.
    terminal_columns: Option<usize>,
    /// What is shown of many rows; `None` for all.
    screen: Option<Screen>,
    /// What stands for null in CSV.
    null: String,
    /// Whether a table, or the beginning of a JSON document, has been printed.
    is_begun: bool,
    out: Out,
}

/// Whether rows are printed for the first time, or continue those that were printed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    First,
    Later,
}

impl Rows {
    pub(crate) fn new<C: Into<String>>(global: &Global, columns: impl IntoIterator<Item = C>) -> Self {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        Self {
            columns: columns.into_iter().map(Into::into).collect(),
            format: global.rows_format(),
            header: !global.no_header,
            kept: Kept::default(),
            drawn_before: 0,
            terminal_columns: size.map(|(columns, _)| columns.0.into()),
            screen: None,
            null: String::new(),
            is_begun: false,
            out: Out::new(),
        }
    }

    /// Sets what stands for null in CSV, where nothing does by default.
    pub(crate) fn with_null(self, null: String) -> Self {
        Self { null, ..self }
    }

    /// Shows no more than fits a terminal where a table is drawn on one, and says that there is more; `unit` is what a row
    /// is, in the plural.
    pub(crate) fn cut_to_screen(self, unit: &'static str) -> Self {
        let is_table = matches!(self.format, Format::Table | Format::Full);
        let screen = if is_table { Screen::of_stdout(unit) } else { None };
        Self { screen, ..self }
    }

    /// Whether no more rows are shown, so that none need be read.
    pub(crate) fn is_full(&self) -> bool {
        self.screen.as_ref().is_some_and(Screen::is_full)
    }

    /// Sets which rows these are: lines that continue others have no second header, a table has its own.
    pub(crate) fn of_turn(self, turn: Turn) -> Self {
        let has_own = matches!(self.format, Format::Table | Format::Full);
        Self { header: self.header && (has_own || turn == Turn::First), ..self }
    }

    /// Adds a row with a value for each column; null if it has none.
    ///
    /// # Errors
    ///
    /// The output can't be written, or the command is to end.
    pub(crate) fn push(&mut self, row: Vec<Value>) -> Result<(), Failure> {
        if let Some(stop) = stop() {
            return Err(stop.into());
        }
        match self.format {
            Format::Table | Format::Full => self.push_to_table(row),
            Format::Json => self.push_to_document(&row),
            Format::Ndjson => {
                let object = self.object(&row);
                self.out.line(&*safe_json(&object.to_string()))
            }
            Format::Csv => self.push_line(&row, ','),
            Format::Tsv | Format::Concise => self.push_line(&row, '\t'),
        }
    }

    /// Prints documents, whose fields are the columns.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub(crate) fn print_documents(
        mut self,
        documents: impl IntoIterator<Item = impl Serialize>,
    ) -> Result<(), Failure> {
        for document in documents {
            let mut fields = document_of(&document);
            debug_assert!(self.columns.iter().all(|column| fields.get(column).is_some()), "{fields}");
            let cell = |column: &String| fields.get_mut(column).map_or(Value::Null, Value::take);
            let row = self.columns.iter().map(cell).collect();
            self.push(row)?;
        }
        self.print()
    }

    /// Ends the output.
    pub(crate) fn print(mut self) -> Result<(), Failure> {
        match self.format {
            Format::Table | Format::Full if self.is_begun && self.kept.rows().is_empty() => {}
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
        if self.screen.as_mut().is_some_and(|screen| !screen.takes_another(self.kept.rows().len())) {
            return Ok(());
        }
        let contents: Vec<Contents> = row.iter().map(Contents::of).collect();
        let row: Vec<String> = row.into_iter().map(|cell| table_cell(cell, self.terminal_columns)).collect();
        if !self.kept.has_room_for(&row) {
            self.print_table()?;
        }
        self.kept.push(row, &contents);
        Ok(())
    }

    fn print_table(&mut self) -> Result<(), Failure> {
        let (names, has_header, first) = (&self.columns, self.header, self.drawn_before + 1);
        let kept = std::mem::take(&mut self.kept);
        let columns = self.terminal_columns;
        let draw = |rows: &[Vec<String>]| {
            Drawing { names, has_header, rows, contents: kept.contents(), first }.within(columns)
        };
        let text = match &mut self.screen {
            Some(screen) => screen.fitted(kept.rows(), draw),
            None => draw(kept.rows()),
        };
        self.drawn_before += kept.rows().len();
        self.is_begun = true;
        self.out.line(text)
    }

    fn push_to_document(&mut self, row: &[Value]) -> Result<(), Failure> {
        let before = if self.is_begun { ",\n    " } else { "{\n  \"format\": 1,\n  \"rows\": [\n    " };
        self.is_begun = true;
        self.out.write(before.as_bytes())?;
        // Texts in JSON contain no line breaks, so all of these are between values.
        let object = format!("{:#}", self.object(row)).replace('\n', "\n    ");
        self.out.write(safe_json(&object).as_bytes())
    }

    fn object(&self, row: &[Value]) -> Value {
        Value::Object(self.columns.iter().cloned().zip(row.iter().map(exact)).collect())
    }

    fn push_line(&mut self, row: &[Value], separator: char) -> Result<(), Failure> {
        self.print_header(separator)?;
        let text = |cell: &Value| match cell {
            Value::Null if separator == ',' => self.null.clone(),
            cell => cell_text(cell),
        };
        let cells: Vec<String> = row.iter().map(|cell| written(&text(cell), separator)).collect();
        // Readers of CSV take an empty line for no row.
        let is_empty = separator == ',' && cells.len() == 1 && cells[0].is_empty();
        self.out.line(if is_empty { "\"\"".to_owned() } else { cells.join(&separator.to_string()) })
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

/// Returns a value as it is in JSON: whole numbers that not all readers take exactly are texts.
fn exact(value: &Value) -> Value {
    const MOST: u64 = MOST_EXACT_IN_JSON;
    let is_beyond = |number: &serde_json::Number| {
        number.as_u64().is_some_and(|number| number > MOST)
            || number.as_i64().is_some_and(|number| number.unsigned_abs() > MOST)
    };
    match value {
        Value::Number(number) if is_beyond(number) => number.to_string().into(),
        value => value.clone(),
    }
}
