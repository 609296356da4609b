//! Reading of record batches.

use std::pin::Pin;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use futures_core::Stream;
use keystride::Row;
use keystride_store::Row as StoredRow;

use super::{BatchError, ColumnRows, schema};
use crate::scan::{Collect, Gatherer, PreparedQuery};

/// The rows of a partition in record batches, none of them empty. Nothing is read before the stream is polled; dropping
/// it ends the scan. After an error it ends.
pub type BatchStream = Pin<Box<dyn Stream<Item = Result<RecordBatch, BatchError>> + Send>>;

/// Maximum number of rows of a batch.
const MOST_ROWS: usize = 8_192;
/// Size in bytes at which a batch ends, whatever its number of rows.
const MOST_BYTES: usize = 4 << 20;

impl PreparedQuery {
    /// Returns the schema of the query's record batches: that of the requested fields.
    pub fn schema(&self) -> SchemaRef {
        schema(self.table.design(), &self.wanted_fields())
    }

    pub(super) fn batches(&self) -> BatchStream {
        Box::pin(self.collect(BatchGatherer::new(self)))
    }
}

/// Decodes stored rows one by one and collects those that are wanted in columns.
struct BatchGatherer {
    gatherer: Gatherer,
    rows: ColumnRows,
}

impl BatchGatherer {
    fn new(prepared: &PreparedQuery) -> Self {
        let (fields, late) = (prepared.wanted_fields(), prepared.late_fields());
        let rows = ColumnRows::new(prepared.table.design(), &fields, &late, &prepared.schema());
        Self { gatherer: Gatherer::with_late(prepared, &late), rows }
    }
}

impl Collect for BatchGatherer {
    type Batch = RecordBatch;
    type Error = BatchError;

    fn gatherer(&mut self) -> &mut Gatherer {
        &mut self.gatherer
    }

    fn add(&mut self, stored: StoredRow<'_>) -> Result<(), BatchError> {
        let Self { gatherer, rows } = self;
        if gatherer.read(stored)?.is_some() {
            rows.push(gatherer.design(), gatherer.row());
            gatherer.read_late(stored, rows)?;
            rows.end_row(stored.key())?;
            gatherer.count_row();
        }
        Ok(())
    }

    /// Checks that all texts are UTF-8.
    fn check<'a>(&mut self, rows: impl IntoIterator<Item = StoredRow<'a>>) -> Result<(), BatchError> {
        if self.rows.are_utf8() { Ok(()) } else { Ok(self.gatherer.check_each(rows)?) }
    }

    fn put(&mut self, key: &[u8], row: &Row) -> Result<(), BatchError> {
        self.rows.push(self.gatherer.design(), row);
        self.rows.end_row(key)?;
        self.gatherer.count_row();
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= MOST_ROWS || self.rows.byte_count() >= MOST_BYTES || self.gatherer.is_done()
    }

    fn take(&mut self) -> Option<RecordBatch> {
        (self.rows.len() > 0).then(|| self.rows.take())
    }
}
