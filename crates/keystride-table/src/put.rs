//! Writing a few rows to a table.

use std::hash::{BuildHasher, Hasher, RandomState};

use keystride::Row;
use keystride_store::{LATEST, MutationBatch, StoreError, Write, Written};

use crate::Table;
use crate::cells::{RawCell, RowError, RowWriter};

/// Why rows were not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PutError {
    /// A row can't be stored; none of them was.
    #[error("row {number}")]
    Row {
        /// Its position among the rows given, counted from 1.
        number: usize,
        /// Why.
        #[source]
        source: RowError,
    },
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Table {
    /// Writes rows in one batch. Cells without a `cell_time` get the store's time. A bucket that does not depend on
    /// its row is chosen at random.
    ///
    /// # Errors
    ///
    /// [`PutError`]; if rows can't be encoded, the first one is reported and nothing is written.
    pub async fn put_rows(&self, rows: &[Row]) -> Result<Written, PutError> {
        self.put(rows.iter().map(|row| (row, &[][..]))).await
    }

    /// Writes a row with further cells under its key.
    ///
    /// # Errors
    ///
    /// As [`Table::put_rows`].
    pub async fn put_row(&self, row: &Row, beside: &[RawCell]) -> Result<Written, PutError> {
        self.put(std::iter::once((row, beside))).await
    }

    async fn put(&self, rows: impl Iterator<Item = (&Row, &[RawCell])>) -> Result<Written, PutError> {
        let mut writer = RowWriter::new(self.codec());
        let mut batch = MutationBatch::new();
        let draw = RandomState::new();
        for (index, (row, beside)) in rows.enumerate() {
            let mut hasher = draw.build_hasher();
            hasher.write_usize(index);
            writer.supply(hasher.finish());
            let written = writer.write(row, LATEST, &mut batch);
            let written = written.and_then(|()| writer.write_beside(row, beside, LATEST, &mut batch));
            written.map_err(|source| PutError::Row { number: index + 1, source })?;
        }
        Ok(self.store().write(self.name(), Write::of(batch)).await?)
    }
}
