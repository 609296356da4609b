use std::convert::Infallible;

use axum::body::Bytes;
use futures_util::{Stream, StreamExt as _};
use keystride_app::error_text::with_causes;
use keystride_app::values::{field_columns, row_values};
use keystride_table::{Query, ReadError, Rows, RowsStream, Table};
use serde_json::{Value, json};

use super::exact::exact;
use super::time_style;

/// The rows of a query as lines of JSON: the names of the columns, then a row a line, then how it ended.
///
/// A reader that is slow costs no memory: a batch is read when the one before is sent. When the reader is gone, the answer is
/// dropped, and its scan ends.
pub(super) struct Answer {
    table: Table,
    fields: Vec<(usize, String)>,
    rows: RowsStream,
    most: (u64, usize),
    row_count: u64,
    bytes: usize,
    /// Rows that the store had read before.
    read_before: u64,
    next: Part,
}

/// What is sent next.
enum Part {
    Columns,
    Rows,
    End,
    Nothing,
}

impl Answer {
    /// Begins an answer of at most so many rows and, to the next batch, bytes.
    pub(super) fn new(table: &Table, query: &Query, most: (u64, usize)) -> Result<Self, ReadError> {
        Ok(Self {
            fields: field_columns(table.design(), query.fields.as_deref()),
            rows: table.query(query)?,
            most: (query.limit.map_or(most.0, |limit| limit.min(most.0)), most.1),
            row_count: 0,
            bytes: 0,
            read_before: table.store().rows_read(),
            next: Part::Columns,
            table: table.clone(),
        })
    }

    /// Returns the lines as they are read.
    pub(super) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        futures_util::stream::unfold(self, async |mut answer| {
            answer.next_lines().await.map(|lines| (Ok(lines), answer))
        })
    }

    async fn next_lines(&mut self) -> Option<Bytes> {
        match std::mem::replace(&mut self.next, Part::Rows) {
            Part::Columns => {
                let names: Vec<&str> = self.fields.iter().map(|(_, name)| name.as_str()).collect();
                Some(line(&json!({ "columns": names })).into())
            }
            Part::Rows => Some(match self.rows.next().await {
                Some(Ok(batch)) => self.lines_of(&batch).into(),
                Some(Err(error)) => self.end(Some(&with_causes(&error))),
                None => self.end(None),
            }),
            Part::End => Some(self.end(None)),
            Part::Nothing => {
                self.next = Part::Nothing;
                None
            }
        }
    }

    fn lines_of(&mut self, batch: &Rows) -> String {
        let mut lines = String::new();
        let style = time_style();
        for row in batch.iter() {
            let values = exact(row_values(self.table.design(), &self.fields, &style, |field| row.get(field)));
            lines
                .push_str(&line(&json!({ "key": data_encoding::HEXLOWER.encode(row.key()), "row": values })));
        }
        self.row_count += batch.len() as u64;
        self.bytes += lines.len();
        if self.bytes > self.most.1 {
            self.next = Part::End;
        }
        lines
    }

    fn end(&mut self, error: Option<&str>) -> Bytes {
        self.next = Part::Nothing;
        let is_cut = self.row_count >= self.most.0 || self.bytes > self.most.1;
        let rows_read = self.table.store().rows_read().saturating_sub(self.read_before);
        line(&json!({ "rows": self.row_count, "is_cut": is_cut, "rows_read": rows_read, "error": error }))
            .into()
    }
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}
