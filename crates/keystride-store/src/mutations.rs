//! Batches of mutations to write: puts and delete markers, kept in one contiguous buffer.

use crate::batch_pool::BatchPool;
use crate::cell::Cell;
use crate::column_names::{ColumnNames, PutCell};
use crate::flat::{FlatRows, Row};
use crate::mutation_error::{MutationError, check_column, check_row, check_ts};
use crate::{CellKind, StoreError, TableDescription};

/// The default limit on the size of a cell in bytes, as HBase's client counts it (`hbase.client.keyvalue.maxsize`):
/// 24 plus the lengths of row, family, qualifier and value.
pub const DEFAULT_MAX_CELL_BYTES: usize = 10 * 1024 * 1024;

/// Overhead of HBase's `KeyValue`: its length fields, timestamp and kind, and the length that precedes it.
const CELL_OVERHEAD: usize = 24;

/// Puts and deletes, in the order in which they take effect.
///
/// The order matters only between mutations of the same row, column, timestamp and kind: the later one wins. Rows may
/// come in any order; consecutive mutations of one row store its key once.
///
/// ```
/// # use keystride_store::{LATEST, MutationBatch};
/// let mut batch = MutationBatch::new();
/// batch.put(b"007|42", b"cf", b"event", 1_400_657_685_457, b"login")?;
/// batch.put(b"007|42", b"cf", b"page", 1_400_657_685_457, b"")?;
/// batch.delete_column(b"007|41", b"cf", b"page", LATEST)?;
/// assert_eq!((batch.len(), batch.rows().len()), (3, 2));
/// # Ok::<(), keystride_store::MutationError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MutationBatch {
    pub(crate) flat: FlatRows,
    max_cell_bytes: usize,
    /// The pool that the memory is returned to.
    pool: Option<BatchPool>,
}

impl MutationBatch {
    /// Creates an empty batch that accepts cells of up to [`DEFAULT_MAX_CELL_BYTES`].
    pub fn new() -> Self {
        Self::with_max_cell_bytes(DEFAULT_MAX_CELL_BYTES)
    }

    /// Creates an empty batch that accepts cells of up to `bytes`, counted as HBase's client does.
    pub fn with_max_cell_bytes(bytes: usize) -> Self {
        Self { flat: FlatRows::default(), max_cell_bytes: bytes, pool: None }
    }

    /// Creates an empty batch whose memory is returned to `pool`.
    pub(crate) fn in_memory_of(pool: BatchPool, flat: FlatRows) -> Self {
        Self { flat, max_cell_bytes: DEFAULT_MAX_CELL_BYTES, pool: Some(pool) }
    }

    /// Returns an error if a cell belongs to a family that the table does not have.
    pub(crate) fn check_families(&self, table: &TableDescription) -> Result<(), StoreError> {
        self.flat.family_names().try_for_each(|name| table.family_index(name).map(drop))
    }

    /// Adds a value.
    ///
    /// # Errors
    ///
    /// [`MutationError`] when a part exceeds its limit; the batch is then unchanged.
    pub fn put(
        &mut self,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        ts: i64,
        value: &[u8],
    ) -> Result<(), MutationError> {
        self.push(row, &Cell { family, qualifier, ts, kind: CellKind::Put, value })
    }

    /// Adds the cells of one row at once, all with the same timestamp. `values` holds their values back to back;
    /// `cells` gives the column of each and where its value ends. Equivalent to as many calls of [`Self::put`], but
    /// faster.
    ///
    /// # Errors
    ///
    /// As [`Self::put`].
    ///
    /// # Panics
    ///
    /// When a cell's column does not exist, or its value ends outside `values` or before the value of the previous
    /// cell.
    pub fn put_row(
        &mut self,
        row: &[u8],
        ts: i64,
        columns: &ColumnNames,
        values: &[u8],
        cells: &[PutCell],
    ) -> Result<(), MutationError> {
        let last = cells.last().map_or(0, |cell| cell.end as usize);
        assert!(cells.is_sorted_by_key(|cell| cell.end) && last <= values.len());
        check_row(row)?;
        check_ts(ts)?;
        self.check_sizes(row, columns, values, cells)?;
        if cells.is_empty() {
            return Ok(());
        }
        self.flat.push_row(row, ts, columns, values, cells)
    }

    /// Hides the version of a column at exactly `ts`, or the newest version if `ts` is [`LATEST`](crate::LATEST).
    ///
    /// # Errors
    ///
    /// As [`Self::put`].
    pub fn delete(
        &mut self,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        ts: i64,
    ) -> Result<(), MutationError> {
        self.push(row, &Cell { family, qualifier, ts, kind: CellKind::Delete, value: b"" })
    }

    /// Hides all versions of a column up to `ts`.
    ///
    /// # Errors
    ///
    /// As [`Self::put`].
    pub fn delete_column(
        &mut self,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        ts: i64,
    ) -> Result<(), MutationError> {
        self.push(row, &Cell { family, qualifier, ts, kind: CellKind::DeleteColumn, value: b"" })
    }

    /// Hides all columns of a family up to `ts`.
    ///
    /// # Errors
    ///
    /// As [`Self::put`].
    pub fn delete_family(&mut self, row: &[u8], family: &[u8], ts: i64) -> Result<(), MutationError> {
        self.push(row, &Cell { family, qualifier: b"", ts, kind: CellKind::DeleteFamily, value: b"" })
    }

    /// Hides all columns of a family at exactly `ts`.
    ///
    /// # Errors
    ///
    /// As [`Self::put`].
    pub fn delete_family_version(&mut self, row: &[u8], family: &[u8], ts: i64) -> Result<(), MutationError> {
        self.push(row, &Cell { family, qualifier: b"", ts, kind: CellKind::DeleteFamilyVersion, value: b"" })
    }

    /// Adds a value or a delete marker of any kind. The value of a delete marker is dropped, and so is the qualifier
    /// of one that affects a whole family.
    ///
    /// # Errors
    ///
    /// As [`Self::put`].
    pub fn push(&mut self, row: &[u8], cell: &Cell<'_>) -> Result<(), MutationError> {
        let cell = without_what_its_kind_lacks(*cell);
        self.check(row, &cell)?;
        if self.flat.last_key() != Some(row) {
            self.flat.begin_row(row)?;
        }
        self.flat.push_cell(&cell)?;
        Ok(())
    }

    /// Returns the number of mutations.
    pub fn len(&self) -> usize {
        self.flat.cell_count()
    }

    /// Whether the batch has no mutations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the size of its keys, names and values in bytes; shared ones count once.
    pub fn byte_count(&self) -> usize {
        self.flat.byte_count()
    }

    /// Returns the mutations grouped by row; only consecutive mutations of a row are grouped.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = Row<'_>> + ExactSizeIterator {
        self.flat.rows()
    }

    /// Removes all mutations, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.flat.clear();
    }

    fn check(&self, row: &[u8], cell: &Cell<'_>) -> Result<(), MutationError> {
        check_row(row)?;
        check_column(cell.family, cell.qualifier)?;
        check_ts(cell.ts)?;
        self.check_size(row.len() + cell.family.len() + cell.qualifier.len() + cell.value.len())
    }

    /// Checks the size of a cell whose row, family, qualifier and value have `bytes` bytes in total.
    fn check_size(&self, bytes: usize) -> Result<(), MutationError> {
        let bytes = CELL_OVERHEAD + bytes;
        if bytes > self.max_cell_bytes {
            return Err(MutationError::CellTooLarge { bytes, limit: self.max_cell_bytes });
        }
        Ok(())
    }

    fn check_sizes(
        &self,
        row: &[u8],
        columns: &ColumnNames,
        values: &[u8],
        cells: &[PutCell],
    ) -> Result<(), MutationError> {
        // Fast path: in most rows no cell can be too large.
        if self.check_size(row.len() + columns.longest() + values.len()).is_ok() {
            return Ok(());
        }
        let mut start = 0;
        cells.iter().try_for_each(|cell| {
            let len = (cell.end - std::mem::replace(&mut start, cell.end)) as usize;
            self.check_size(row.len() + columns.name_len(cell.column) + len)
        })
    }
}

impl Drop for MutationBatch {
    fn drop(&mut self) {
        if let Some(pool) = &self.pool {
            pool.keep(std::mem::take(&mut self.flat));
        }
    }
}

impl Default for MutationBatch {
    fn default() -> Self {
        Self::new()
    }
}

fn without_what_its_kind_lacks(cell: Cell<'_>) -> Cell<'_> {
    Cell {
        qualifier: if cell.kind.is_of_family() { b"" } else { cell.qualifier },
        value: if cell.kind.is_delete() { b"" } else { cell.value },
        ..cell
    }
}

#[cfg(test)]
mod tests {
    use keystride::InvalidKey;

    use super::*;

    #[test]
    fn every_bound_of_hbase_is_checked() {
        let mut batch = MutationBatch::with_max_cell_bytes(60_000);
        let long = vec![b'x'; 40_000];
        let refused = [
            batch.put(b"", b"f", b"q", 1, b""),
            batch.put(&long, b"f", b"q", 1, b""),
            batch.put(b"r", b"", b"q", 1, b""),
            batch.put(b"r", &long[..128], b"q", 1, b""),
            batch.put(b"r", b"f", &long, 1, b""),
            batch.put(b"r", b"f", b"q", -1, b""),
            batch.put(b"r", b"f", &long[..30_000], 1, &long),
        ];
        let lens: Vec<_> = refused.into_iter().map(|result| result.unwrap_err()).collect();
        assert_eq!(
            lens,
            [
                MutationError::Row(InvalidKey::Empty),
                MutationError::Row(InvalidKey::TooLong { len: 40_000 }),
                MutationError::Family { len: 0 },
                MutationError::Family { len: 128 },
                MutationError::Qualifier { len: 40_000 },
                MutationError::Timestamp { ts: -1 },
                MutationError::CellTooLarge { bytes: 70_026, limit: 60_000 },
            ]
        );
        assert!(batch.is_empty());
        assert_eq!(batch.put(b"r", b"f", b"q", 1, &vec![b'v'; 60_000 - 24 - 3]), Ok(()));
        assert_eq!(batch.put(&long[..32_767], &long[..127], &long[..20_000], 0, b""), Ok(()));
    }

    /// A key, a timestamp, values and cells.
    type Put<'a> = (&'a [u8], i64, &'a [u8], &'a [PutCell]);

    #[test]
    fn a_row_put_at_once_is_its_cells_put_one_by_one() {
        let mut columns = ColumnNames::new();
        for (family, qualifier) in [("f", "a"), ("g", "a"), ("f", ""), ("f", "long name")] {
            columns.add(family.as_bytes(), qualifier.as_bytes());
        }
        let cell = |column, end| PutCell { column, end };
        let rows: [Put<'_>; 4] = [
            (b"r1", 1, b"xyz", &[cell(0, 1), cell(3, 3)]),
            (b"r1", 2, b"", &[cell(0, 0), cell(1, 0)]),
            (b"r2", 1, b"vw", &[cell(3, 1), cell(1, 1), cell(2, 2)]),
            (b"r3", 1, b"", &[]),
        ];
        let (mut at_once, mut one_by_one) = (MutationBatch::new(), MutationBatch::new());
        for (row, ts, values, cells) in rows {
            at_once.put_row(row, ts, &columns, values, cells).unwrap();
            let mut start = 0;
            for cell in cells {
                let value = &values[start..cell.end as usize];
                start = cell.end as usize;
                let (family, qualifier) = columns.name(cell.column);
                one_by_one.put(row, family, qualifier, ts, value).unwrap();
            }
        }
        let told = |batch: &MutationBatch| {
            let rows =
                batch.rows().map(|row| format!("{:?}: {:?}", row.key(), row.cells().collect::<Vec<_>>()));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(told(&at_once), told(&one_by_one));
        assert_eq!(at_once.byte_count(), b"r1r2fgalong namea".len() + 5);
    }

    #[test]
    fn a_row_put_at_once_has_the_bounds_of_its_cells() {
        let mut columns = ColumnNames::new();
        columns.add(b"f", b"q");
        columns.add(b"f", b"r");
        columns.add(b"", b"q");
        columns.add(b"f", &[b'q'; 15]);
        let mut batch = MutationBatch::with_max_cell_bytes(40);
        let long = [PutCell { column: 3, end: 0 }];
        let refused = batch.put_row(b"r", 1, &columns, b"", &long);
        assert_eq!(refused, Err(MutationError::CellTooLarge { bytes: 41, limit: 40 }));
        let cells = [PutCell { column: 0, end: 12 }, PutCell { column: 1, end: 30 }];
        let mut put = |row: &[u8], ts, cells| batch.put_row(row, ts, &columns, &[b'v'; 30], cells);
        assert_eq!(put(b"", 1, &cells[..1]), Err(MutationError::Row(InvalidKey::Empty)));
        assert_eq!(put(b"r", -1, &cells[..1]), Err(MutationError::Timestamp { ts: -1 }));
        assert_eq!(put(b"r", 1, &cells), Err(MutationError::CellTooLarge { bytes: 45, limit: 40 }));
        let nameless = [PutCell { column: 2, end: 0 }];
        assert_eq!(put(b"r", 1, &nameless), Err(MutationError::Family { len: 0 }));
        assert_eq!(put(b"r", 1, &cells[..1]), Ok(()));
        assert_eq!(batch.len(), 1);
    }

    #[test]
    fn a_mark_of_a_family_has_no_qualifier_and_no_value() {
        let mut batch = MutationBatch::new();
        let cell = Cell { family: b"f", qualifier: b"q", ts: 1, kind: CellKind::DeleteFamily, value: b"v" };
        batch.push(b"r", &cell).unwrap();
        let kept: Vec<_> = batch.rows().flat_map(|row| row.cells()).collect();
        assert_eq!(kept, [Cell { qualifier: b"", value: b"", ..cell }]);
    }

    #[test]
    #[should_panic = "assertion failed"]
    fn a_value_that_ends_outside_of_the_values_is_a_mistake() {
        let mut columns = ColumnNames::new();
        columns.add(b"f", b"q");
        let cells = [1, 3].map(|end| PutCell { column: 0, end });
        let _ = MutationBatch::new().put_row(b"r", 1, &columns, b"vw", &cells);
    }

    #[test]
    fn each_mutation_has_its_kind() {
        let mut batch = MutationBatch::new();
        batch.put(b"r", b"f", b"q", 1, b"v").unwrap();
        batch.delete(b"r", b"f", b"q", 2).unwrap();
        batch.delete_column(b"r", b"f", b"q", 3).unwrap();
        batch.delete_family(b"r", b"f", 4).unwrap();
        batch.delete_family_version(b"r", b"f", 5).unwrap();
        let cells = batch.rows().flat_map(|row| row.cells()).map(|cell| (cell.kind, cell.qualifier, cell.ts));
        let expected: [(CellKind, &[u8], i64); 5] = [
            (CellKind::Put, b"q", 1),
            (CellKind::Delete, b"q", 2),
            (CellKind::DeleteColumn, b"q", 3),
            (CellKind::DeleteFamily, b"", 4),
            (CellKind::DeleteFamilyVersion, b"", 5),
        ];
        assert_eq!(cells.collect::<Vec<_>>(), expected);
        batch.clear();
        assert!(batch.is_empty() && batch.rows().len() == 0);
    }
}
