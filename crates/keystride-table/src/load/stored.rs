//! Lookup of what is stored under the keys of rows to be loaded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use keystride_store::{Cell, ColumnNames, Row, Selection, Store, StoreError, TableName};
use tokio::runtime::Handle;

use super::same_key::Stored;
use crate::cells::{ROW_MARK, RowImage};

/// Reads the rows of a table by their keys, from a thread that may block.
#[derive(Debug)]
pub(super) struct StoredRows {
    pub(super) store: Arc<dyn Store>,
    pub(super) table: TableName,
    pub(super) runtime: Handle,
    /// The timestamp of cells whose rows have no time of their own.
    pub(super) load_ms: i64,
    /// The family of [`ROW_MARK`].
    pub(super) mark_family: Vec<u8>,
    pub(super) reads: StoredReads,
}

/// What comparing rows with those stored before the load has cost so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoredReads {
    /// Rows looked up.
    pub rows: u64,
    /// The time that this took.
    pub elapsed: Duration,
}

impl StoredRows {
    /// Returns what is stored under the key of each row.
    pub(super) fn look_up<'a>(
        &mut self,
        images: impl Iterator<Item = &'a RowImage> + Clone,
        columns: &ColumnNames,
    ) -> Result<Vec<Stored>, StoreError> {
        let begun = Instant::now();
        let keys: Vec<&[u8]> = images.clone().map(|image| image.key.as_slice()).collect();
        let selection = Selection::default();
        let found = self.runtime.block_on(self.store.get(&self.table, &keys, &selection))?;
        self.reads.rows += keys.len() as u64;
        self.reads.elapsed += begun.elapsed();
        Ok(images.zip(found.rows()).map(|(image, row)| self.compare(image, row, columns)).collect())
    }

    fn compare(&self, image: &RowImage, row: Row<'_>, columns: &ColumnNames) -> Stored {
        if row.is_empty() {
            return Stored::Nothing;
        }
        let is_own = self.has_stamp_of_load(image) && row.cells().all(|cell| cell.ts == self.load_ms);
        match (is_own, self.is_same(image, row, columns)) {
            // What an earlier run of this load wrote does not count as stored before it.
            (true, _) => Stored::Nothing,
            (false, true) => Stored::Same,
            (false, false) if row.cells().any(|cell| cell.ts > image.stamp_ms) => Stored::Newer,
            (false, false) => Stored::Other,
        }
    }

    /// Whether a row's timestamp says when it was loaded, and nothing of the row.
    fn has_stamp_of_load(&self, image: &RowImage) -> bool {
        image.stamp_ms == self.load_ms
    }

    fn is_same(&self, image: &RowImage, row: Row<'_>, columns: &ColumnNames) -> bool {
        let is_mark = |(family, qualifier): (&[u8], &[u8]), value: &[u8]| {
            value.is_empty() && family == self.mark_family && qualifier == ROW_MARK.1.as_bytes()
        };
        let cells = image.cells().map(|(column, value)| (columns.name(column), value));
        let mut cells: Vec<_> = cells.filter(|&(name, value)| !is_mark(name, value)).collect();
        cells.sort_unstable();
        // A mark stays when the row gets other cells, and says nothing then.
        let stored = row.cells().filter(|cell| !is_mark((cell.family, cell.qualifier), cell.value));
        let stored: Vec<Cell<'_>> = stored.collect();
        let is_alike = |stored: Cell<'_>, name: (&[u8], &[u8]), value: &[u8]| {
            (stored.family, stored.qualifier) == name
                && stored.value == value
                && (self.has_stamp_of_load(image) || stored.ts == image.stamp_ms)
        };
        let mut pairs = stored.iter().zip(&cells);
        stored.len() == cells.len() && pairs.all(|(stored, &(name, value))| is_alike(*stored, name, value))
    }
}
