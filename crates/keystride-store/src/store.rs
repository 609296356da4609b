//! The trait that every home of tables implements.

use std::fmt;
use std::pin::Pin;

use async_trait::async_trait;
use futures_core::Stream;
use keystride::{Key, SplitPoints};

use crate::{
    AfterTruncate, Amount, Appended, Check, MutationBatch, Note, Region, RowBatch, Scan, Selection,
    StoreError, TableDescription, TableName, Write, Written,
};

/// Rows of a scan, batch by batch; no batch is empty. Nothing is read before it is polled, and at most one batch
/// ahead of the reader after that; dropping it ends the scan.
pub type RowStream = Pin<Box<dyn Stream<Item = Result<RowBatch, StoreError>> + Send>>;

/// A place where tables live, with HBase's data model.
///
/// **Rows** are sorted by key as unsigned bytes and cut into regions. **Cells** of a row are sorted as
/// [`Cell::cmp_in_row`](crate::Cell::cmp_in_row) says. Of two cells alike in row, column, timestamp and kind the one
/// written later remains. **Marks** hide values as [`CellKind`](crate::CellKind) says, also values written after
/// them. What a read sees of a column: values no mark hides, in the read's time range, at most as many versions as
/// both the family and the read allow, and none older than the family's time to live except the newest
/// `min_versions`.
///
/// A row is read whole: a read never sees a part of what one batch wrote to a row. A scan may or may not see rows
/// written after it began.
///
/// Every method may be called from many tasks at once. A future that is dropped before it is done may still take
/// effect, whole. All must run inside a Tokio runtime.
#[async_trait]
pub trait Store: fmt::Debug + Send + Sync {
    /// Makes an empty table cut at `splits`.
    ///
    /// # Errors
    ///
    /// [`StoreError::TableExists`], and [`StoreError::NoFamily`], [`StoreError::FamilyTwice`] or
    /// [`StoreError::FamilyAttribute`] for a description that can't be.
    async fn create(&self, table: &TableDescription, splits: &SplitPoints) -> Result<(), StoreError>;

    /// A table's families and attributes.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError>;

    /// Whether there is a table of that name.
    ///
    /// # Errors
    ///
    /// Only what keeps the store from looking.
    async fn exists(&self, table: &TableName) -> Result<bool, StoreError>;

    /// All tables, sorted by namespace and name.
    ///
    /// # Errors
    ///
    /// Only what keeps the store from looking.
    async fn list(&self) -> Result<Vec<TableName>, StoreError>;

    /// A table's regions in key order. They cover all keys, without overlap.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError>;

    /// Cuts the region that holds `at` in two; the second starts with `at`. Both have new names and count from zero.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::SplitExists`].
    async fn split(&self, table: &TableName, at: &Key) -> Result<(), StoreError>;

    /// Removes all rows and notes of a table, at once.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn truncate(&self, table: &TableName, splits: AfterTruncate) -> Result<(), StoreError>;

    /// Removes a table with all it has. Scans that are under way may end with an error.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError>;

    /// Applies a batch and keeps its notes. When this returns, both are as durable as the store was opened for.
    ///
    /// The embedded and the memory store apply all of it or nothing. A store of several servers applies each row
    /// whole and keeps the notes after the last row: when it fails, some rows may have been applied, and applying
    /// the batch again gives what applying it once would have, if its timestamps were set by the caller.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`].
    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError>;

    /// Does what of a write can be done before its turn, and returns the write that is left. For who writes one batch
    /// after the other: the next can be made ready while one is written. It changes nothing else; what is written is what
    /// [`Self::write`] of the batch would write at that time.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`], where it looks for them.
    async fn prepare(&self, _table: &TableName, batch: MutationBatch) -> Result<Write, StoreError> {
        Ok(Write::of(batch))
    }

    /// Adds to numbers of one row and gives back the row with the new ones, in the order of cells.
    ///
    /// A number is an `i64` in 8 bytes, big-endian; a column without a visible value counts as 0, and a sum out of
    /// bounds wraps around. A new value has the store's time, or the millisecond after the old value's where that is
    /// later; it is written also when the amount is 0. Nobody else writes to the row in between, and when this
    /// returns, the new values are durable as those of [`Self::write`] are.
    ///
    /// What became of an increment that failed on its way to a server or back may be unknown; done again, it may
    /// count twice.
    ///
    /// # Errors
    ///
    /// Nothing is changed by [`StoreError::NotANumber`] for a stored value that is not 8 bytes long,
    /// [`StoreError::ColumnTwice`], [`StoreError::EmptyChange`] for no amounts, [`StoreError::Mutation`] for names out
    /// of bounds, [`StoreError::UnknownTable`] and [`StoreError::UnknownFamily`].
    async fn increment(
        &self,
        table: &TableName,
        row: &Key,
        amounts: &[Amount<'_>],
    ) -> Result<RowBatch, StoreError>;

    /// Puts bytes behind values of one row and gives back the row with the new values, in the order of cells.
    ///
    /// A column without a visible value counts as empty. Time, durability, what others may do meanwhile, and failures
    /// of which nothing is known are as with [`Self::increment`].
    ///
    /// # Errors
    ///
    /// Nothing is changed by [`StoreError::ColumnTwice`], [`StoreError::EmptyChange`] for no values,
    /// [`StoreError::Mutation`] for names out of bounds and for what makes a value larger than
    /// [`DEFAULT_MAX_CELL_BYTES`](crate::DEFAULT_MAX_CELL_BYTES) allows, [`StoreError::UnknownTable`] and
    /// [`StoreError::UnknownFamily`].
    async fn append(
        &self,
        table: &TableName,
        row: &Key,
        values: &[Appended<'_>],
    ) -> Result<RowBatch, StoreError>;

    /// Applies a batch to one row if what is there is as `check` says; whether it was.
    ///
    /// Nobody else writes to the row between the look at it and the batch, and when this returns, the batch is durable
    /// as with [`Self::write`]. Values without a time get the store's, or that of the cell that was looked at where
    /// that is later: of a filter, the first of the row.
    ///
    /// # Errors
    ///
    /// Nothing is changed by [`StoreError::OtherRow`] for mutations of another row, [`StoreError::EmptyChange`] for a
    /// batch without any, [`StoreError::UnknownTable`] and [`StoreError::UnknownFamily`] in batch or condition,
    /// whether that holds or not.
    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: &Check,
        batch: MutationBatch,
    ) -> Result<bool, StoreError>;

    /// Reads rows by key. The answer has one row for each key, in the order of `keys`, without cells where nothing is
    /// visible.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`], [`StoreError::Key`] for bytes that can't be a row
    /// key.
    async fn get(
        &self,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError>;

    /// Opens a scan. Rows without a visible selected cell are passed over and don't count for the limit.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`], [`StoreError::RangesOverlap`].
    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError>;

    /// A note kept with the table; `None` when there is none of that key.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn note(&self, table: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Begins to fill an empty table with ascending rows, faster than batches do; `None` where the store can't.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::NotEmpty`].
    async fn bulk(&self, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError>;

    /// Moves what is in memory of a table to its files.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn flush(&self, table: &TableName) -> Result<(), StoreError>;

    /// Returns when everything acknowledged so far is durable, whatever level the store was opened for.
    ///
    /// # Errors
    ///
    /// Only what keeps the store from it.
    async fn sync(&self) -> Result<(), StoreError>;

    /// Ends the store's work: what is in memory goes to files, locks are given back. Everything but another `close`
    /// fails with [`StoreError::Closed`] from then on, except scans that are under way.
    ///
    /// # Errors
    ///
    /// Only what keeps the store from it; it is closed nevertheless.
    async fn close(&self) -> Result<(), StoreError>;

    /// How many rows of all tables have been read since the store was opened, counted as
    /// [`RegionCounts::rows_read`](crate::RegionCounts::rows_read).
    fn rows_read(&self) -> u64;

    /// Who may write to its tables besides this store.
    fn writers(&self) -> Writers;
}

/// Who may write to the tables of a store besides the store itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Nobody: what it has read and has not changed since is still there.
    Alone,
    /// Other clients, at any moment.
    Others,
}

/// A bulk load under way: all rows become visible when it is finished, or none.
///
/// Dropped without [`Self::finish`], or cut off by a crash, it leaves the table empty; the load is then begun anew.
#[async_trait]
pub trait Bulk: fmt::Debug + Send {
    /// Takes rows that ascend, in the batch and after all rows taken before. When an error is returned for rows out
    /// of order, nothing of the batch was taken and the load can go on.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAscending`], [`StoreError::UnknownFamily`].
    async fn write(&mut self, batch: MutationBatch) -> Result<(), StoreError>;

    /// Makes all rows visible and durable, and keeps `notes` with them.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotEmpty`] when something else was written to the table in between; the load is then undone.
    async fn finish(self: Box<Self>, notes: Vec<Note>) -> Result<Written, StoreError>;
}
