//! Where a query's rows come together: read, decided, and put into batches.

use keystride::{Predicate, Row};
use keystride_store::Row as StoredRow;

use super::{PreparedQuery, ReadError, Rows};
use crate::Table;
use crate::cells::RowReader;

/// Reads stored rows one by one and keeps those wanted.
pub(crate) struct Gatherer {
    table: Table,
    reader: RowReader,
    kept: Option<Predicate>,
    /// Fields that go into the batch.
    fields: Vec<usize>,
    rows: Rows,
    /// How many rows the batch is to have.
    target: usize,
    /// How many rows are still wanted.
    left: u64,
    text: Vec<u8>,
}

/// Rows of the first batch; each may be twice the one before, so that a reader who stops early has waited for little.
const FIRST_ROWS: usize = 64;
const MOST_ROWS: usize = 4_096;
/// Bytes after which a batch ends, whatever its rows.
const MOST_BYTES: usize = 4 << 20;

impl Gatherer {
    pub(crate) fn new(prepared: &PreparedQuery) -> Self {
        let table = prepared.table.clone();
        let design = table.design();
        let plain =
            || (0..design.fields.len()).filter(|&field| design.fields[field].from.is_none()).collect();
        let fields: Vec<usize> = prepared.query.fields.clone().unwrap_or_else(plain);
        let mut looked_at = fields.clone();
        looked_at.extend(prepared.kept.iter().flat_map(Predicate::fields));
        looked_at.extend(prepared.sorted_by());
        let reader = RowReader::of_fields(table.codec(), &looked_at);
        let (kept, rows, left) = (prepared.kept.clone(), Rows::new(design.fields.len()), prepared.limit());
        Self { table, reader, kept, fields, rows, target: FIRST_ROWS, left, text: Vec::new() }
    }

    /// Reads a stored row; `None` when it is not wanted.
    pub(crate) fn read(&mut self, stored: StoredRow<'_>) -> Result<Option<&Row>, ReadError> {
        let row = self.reader.read(stored)?;
        let wanted = self.kept.as_ref().is_none_or(|kept| kept.matches(self.table.design(), row));
        Ok(wanted.then_some(row))
    }

    /// Reads a stored row into the batch if it is wanted.
    pub(crate) fn add(&mut self, stored: StoredRow<'_>) -> Result<(), ReadError> {
        let Self { table, reader, kept, fields, rows, left, text, .. } = self;
        let row = reader.read(stored)?;
        if kept.as_ref().is_none_or(|kept| kept.matches(table.design(), row)) {
            push(table, fields, stored.key(), row, rows, text);
            *left -= 1;
        }
        Ok(())
    }

    /// Puts a row that was read before into the batch.
    pub(crate) fn put(&mut self, key: &[u8], row: &Row) {
        push(&self.table, &self.fields, key, row, &mut self.rows, &mut self.text);
        self.left -= 1;
    }

    /// Whether no more rows are wanted.
    pub(crate) fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Whether the batch is as large as it is to be.
    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() >= self.target || self.rows.byte_count() >= MOST_BYTES || self.is_done()
    }

    /// The rows gathered; `None` when there are none.
    pub(crate) fn take(&mut self) -> Option<Rows> {
        if self.rows.is_empty() {
            return None;
        }
        self.target = (self.target * 2).min(MOST_ROWS);
        let next = Rows::new(self.table.design().fields.len());
        Some(std::mem::replace(&mut self.rows, next))
    }
}

fn push(table: &Table, fields: &[usize], key: &[u8], row: &Row, rows: &mut Rows, text: &mut Vec<u8>) {
    rows.begin_row(key);
    for &field in fields {
        // A derived value that can't be computed is missing, as in a predicate.
        if let Ok(Some(value)) = table.design().value_of(field, row, text) {
            rows.set(field, value);
        }
    }
}
