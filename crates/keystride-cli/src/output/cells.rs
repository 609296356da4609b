//! Cells as they are stored, in HBase's escaped form.

use keystride::escape::to_escaped;
use keystride_store::RowBatch;
use serde_json::Value;

use super::Rows;
use crate::failure::Failure;
use crate::global::Global;
use crate::screen_args::ScreenArgs;

/// The rows of an output with one line for each cell.
#[derive(Debug)]
pub(crate) struct CellRows {
    rows: Rows,
}

impl CellRows {
    /// Returns the rows of an output; `screen` says how much of it a terminal shows.
    pub(crate) fn new(global: &Global, screen: ScreenArgs) -> Self {
        let rows = Rows::new(global, ["row", "column", "timestamp", "value"]);
        Self { rows: screen.rows(rows, "cells") }
    }

    /// Whether no more cells are shown, so that none need be read.
    pub(crate) fn is_full(&self) -> bool {
        self.rows.is_full()
    }

    /// Adds the cells of up to `most` rows, and returns the number of rows that had any.
    pub(crate) fn push(&mut self, batch: &RowBatch, most: u64) -> Result<u64, Failure> {
        let mut count = 0;
        for row in batch.rows().filter(|row| !row.is_empty()) {
            if count == most {
                break;
            }
            count += 1;
            let key = to_escaped(row.key());
            for cell in row.cells() {
                let column = format!("{}:{}", to_escaped(cell.family), to_escaped(cell.qualifier));
                let value = to_escaped(cell.value).into();
                self.rows.push(vec![Value::from(key.clone()), column.into(), cell.ts.into(), value])?;
            }
        }
        Ok(count)
    }

    pub(crate) fn print(self) -> Result<(), Failure> {
        self.rows.print()
    }
}
