//! Where a query's rows come together: read, decided, and put into batches.

use keystride::{Predicate, Row, Value};
use keystride_store::Row as StoredRow;

use super::{PreparedQuery, ReadError, Rows};
use crate::Table;
use crate::cells::{RowReader, TakeValues};

/// Reads stored rows one by one and keeps those wanted.
pub(crate) struct Gatherer {
    table: Table,
    reader: RowReader,
    kept: Option<Predicate>,
    /// Fields that go into the batch from a row that was read; the others are read late, straight into it.
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
    /// Of rows that are read whole.
    pub(crate) fn new(prepared: &PreparedQuery) -> Self {
        Self::with_late(prepared, &[])
    }

    /// Of rows whose fields `late` are given when it is known that the row is wanted; [`PreparedQuery::late_fields`]
    /// says which can be.
    pub(crate) fn with_late(prepared: &PreparedQuery, late: &[usize]) -> Self {
        let table = prepared.table.clone();
        let mut early = prepared.wanted_fields();
        early.retain(|field| !late.contains(field));
        let fields = early.clone();
        early.extend(prepared.looked_at());
        let reader = RowReader::in_turns(table.codec(), &early, late);
        let (kept, left) = (prepared.kept.clone(), prepared.limit());
        let rows = Rows::new(table.design().fields.len());
        Self { table, reader, kept, fields, rows, target: FIRST_ROWS, left, text: Vec::new() }
    }

    /// Reads a stored row; `None` when it is not wanted.
    pub(crate) fn read(&mut self, stored: StoredRow<'_>) -> Result<Option<&Row>, ReadError> {
        let row = self.reader.read(stored)?;
        if self.kept.as_ref().is_none_or(|kept| kept.matches(self.table.design(), row)) {
            return Ok(Some(self.reader.row()));
        }
        // Its cells have to be values all the same.
        self.reader.read_late(stored, &mut |_, _: Value<'_>| ())?;
        Ok(None)
    }

    /// What the row read last, `stored`, gave so far.
    pub(crate) fn row(&self) -> &Row {
        self.reader.row()
    }

    /// Gives the late values of the row read last, which `stored` is.
    pub(crate) fn read_late(
        &mut self,
        stored: StoredRow<'_>,
        taker: &mut impl TakeValues,
    ) -> Result<(), ReadError> {
        Ok(self.reader.read_late(stored, taker)?)
    }

    /// Reads a stored row into the batch if it is wanted.
    pub(crate) fn add(&mut self, stored: StoredRow<'_>) -> Result<(), ReadError> {
        if self.read(stored)?.is_some() {
            let Self { table, reader, fields, rows, left, text, .. } = self;
            push(table, fields, stored.key(), reader.row(), rows, text);
            reader.read_late(stored, &mut |field, value: Value<'_>| rows.set(field, value))?;
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

impl PreparedQuery {
    /// The fields asked for.
    fn wanted_fields(&self) -> Vec<usize> {
        let design = self.table.design();
        let plain =
            || (0..design.fields.len()).filter(|&field| design.fields[field].from.is_none()).collect();
        self.query.fields.clone().unwrap_or_else(plain)
    }

    /// The fields that decide about a row and its place.
    fn looked_at(&self) -> Vec<usize> {
        let by_predicate = self.kept.iter().flat_map(Predicate::fields);
        by_predicate.chain(self.sorted_by()).collect()
    }

    /// The fields asked for that are nothing but cells: not in the key, not derived, not looked at, and asked for once.
    pub(crate) fn late_fields(&self) -> Vec<usize> {
        let design = self.table.design();
        let (wanted, in_key) = (self.wanted_fields(), design.fields_in_key());
        let looked_at: Vec<usize> =
            self.looked_at().into_iter().map(|field| design.source_of(field)).collect();
        let is_late = |field: usize| {
            design.fields[field].from.is_none()
                && !in_key[field]
                && !looked_at.contains(&field)
                && wanted.iter().filter(|&&one| design.source_of(one) == field).count() == 1
        };
        wanted.iter().copied().filter(|&field| is_late(field)).collect()
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
