//! Decodes and filters the rows of a query, and collects them in batches.

use keystride::{Predicate, Row, Value};
use keystride_store::Row as StoredRow;

use super::collect::Collect;
use super::{PreparedQuery, ReadError, Route, Rows};
use crate::Table;
use crate::cells::RowReader;

/// Decodes stored rows one by one and keeps those that are wanted.
pub(crate) struct Gatherer {
    table: Table,
    reader: RowReader,
    kept: Option<Predicate>,
    /// Fields that are copied to the batch from a decoded row; the others are decoded late, directly into the batch.
    fields: Vec<usize>,
    rows: Rows,
    /// Target number of rows of the batch.
    target: usize,
    /// How many rows are still wanted.
    left: u64,
    text: Vec<u8>,
}

/// Number of rows of the first batch. Each batch may be twice as large as the previous one, so that a reader that
/// stops early has waited only for a few rows.
const FIRST_ROWS: usize = 64;
const MOST_ROWS: usize = 4_096;
/// Size in bytes at which a batch ends, whatever its number of rows.
const MOST_BYTES: usize = 4 << 20;

impl Gatherer {
    /// Creates a gatherer without late fields.
    pub(crate) fn new(prepared: &PreparedQuery) -> Self {
        Self::with_late(prepared, &[])
    }

    /// Creates a gatherer that decodes the fields of `late` only for rows that are wanted.
    /// [`PreparedQuery::late_fields`] returns the fields for which this is possible.
    pub(crate) fn with_late(prepared: &PreparedQuery, late: &[usize]) -> Self {
        let table = prepared.table.clone();
        let mut early = prepared.wanted_fields();
        early.retain(|field| !late.contains(field));
        let fields = early.clone();
        early.extend(prepared.looked_at());
        let reader = RowReader::in_turns(table.codec(), &early, late);
        let (kept, left) = (prepared.kept.clone(), prepared.limit());
        let rows = Rows::new(table.design().fields().len());
        Self { table, reader, kept, fields, rows, target: FIRST_ROWS, left, text: Vec::new() }
    }

    /// Decodes a stored row; `None` if it is not wanted.
    pub(crate) fn read(&mut self, stored: StoredRow<'_>) -> Result<Option<&Row>, ReadError> {
        let row = self.reader.read(stored)?;
        if self.kept.as_ref().is_none_or(|kept| kept.matches(self.table.design(), row)) {
            return Ok(Some(self.reader.row()));
        }
        // Its late cells must be valid nevertheless.
        self.reader.read_late(stored, &mut |_, _: Value<'_>| ())?;
        Ok(None)
    }

    /// Counts a row as one of those that are wanted.
    pub(crate) fn count_row(&mut self) {
        self.left -= 1;
    }

    /// Whether no more rows are wanted.
    pub(crate) fn is_done(&self) -> bool {
        self.left == 0
    }
}

#[cfg(feature = "arrow")]
impl Gatherer {
    /// Returns the design of the rows.
    pub(crate) fn design(&self) -> &keystride::Design {
        self.table.design()
    }

    /// Returns the early fields of the row read last.
    pub(crate) fn row(&self) -> &Row {
        self.reader.row()
    }

    /// Passes the late values of the row read last to `taker`. `stored` must be that row.
    pub(crate) fn read_late(
        &mut self,
        stored: StoredRow<'_>,
        taker: &mut impl crate::cells::TakeValues,
    ) -> Result<(), ReadError> {
        Ok(self.reader.read_late(stored, taker)?)
    }

    /// Decodes every value of `rows`, to find the first row with a text that was accepted as bytes but is not UTF-8.
    pub(crate) fn check_each<'a>(
        &mut self,
        rows: impl IntoIterator<Item = StoredRow<'a>>,
    ) -> Result<(), ReadError> {
        for stored in rows {
            self.read(stored)?;
            self.read_late(stored, &mut |_, _: Value<'_>| ())?;
        }
        Ok(())
    }
}

impl Collect for Gatherer {
    type Batch = Rows;
    type Error = ReadError;

    fn gatherer(&mut self) -> &mut Gatherer {
        self
    }

    fn add(&mut self, stored: StoredRow<'_>) -> Result<(), ReadError> {
        if self.read(stored)?.is_some() {
            let Self { table, reader, fields, rows, text, .. } = self;
            push(table, fields, stored.key(), reader.row(), rows, text);
            reader.read_late(stored, &mut |field, value: Value<'_>| rows.set(field, value))?;
            self.count_row();
        }
        Ok(())
    }

    fn put(&mut self, key: &[u8], row: &Row) -> Result<(), ReadError> {
        push(&self.table, &self.fields, key, row, &mut self.rows, &mut self.text);
        self.count_row();
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= self.target || self.rows.byte_count() >= MOST_BYTES || self.is_done()
    }

    fn take(&mut self) -> Option<Rows> {
        if self.rows.is_empty() {
            return None;
        }
        self.target = (self.target * 2).min(MOST_ROWS);
        let next = Rows::new(self.table.design().fields().len());
        Some(std::mem::replace(&mut self.rows, next))
    }
}

impl PreparedQuery {
    /// Returns the requested fields.
    pub(crate) fn wanted_fields(&self) -> Vec<usize> {
        let all = || self.table.design().source_fields().map(|(index, _)| index).collect();
        self.query.fields.clone().unwrap_or_else(all)
    }

    /// Returns the fields needed to filter and order rows.
    fn looked_at(&self) -> Vec<usize> {
        let by_predicate = self.kept.iter().flat_map(Predicate::fields);
        by_predicate.chain(self.sorted_by()).collect()
    }

    /// Returns the requested fields that can be decoded late: those that are not in the key, not derived, not needed
    /// to filter or order rows, and requested only once. Rows to be sorted must be decoded completely, because they
    /// are kept until their position is known.
    pub(crate) fn late_fields(&self) -> Vec<usize> {
        if let Route::Top { .. } = self.route {
            return Vec::new();
        }
        let design = self.table.design();
        let (wanted, in_key) = (self.wanted_fields(), design.fields_in_key());
        let looked_at: Vec<usize> =
            self.looked_at().into_iter().map(|field| design.source_of(field)).collect();
        let is_late = |field: usize| {
            design.fields()[field].from.is_none()
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
