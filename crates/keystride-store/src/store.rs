//! The trait that all table stores implement.

use async_trait::async_trait;
use keystride::{Key, SplitPoints};

use crate::{
    AfterTruncate, Amount, Appended, Bulk, Check, MutationBatch, RowBatch, StoreError, TableDescription,
    TableName, TableReader, Write, Written,
};

/// A store of tables with HBase's data model. What a read sees is said at [`TableReader`].
///
/// All methods may be called concurrently. An operation whose future is dropped before completion may still take
/// effect, but only as a whole. All methods must be called within a Tokio runtime.
#[async_trait]
pub trait Store: TableReader {
    /// Creates an empty table, split at `splits`.
    ///
    /// # Errors
    ///
    /// [`StoreError::TableExists`], and [`StoreError::NoFamily`], [`StoreError::FamilyTwice`] or
    /// [`StoreError::FamilyAttribute`] for an invalid description.
    async fn create(&self, table: &TableDescription, splits: &SplitPoints) -> Result<(), StoreError>;

    /// Changes the table of this name: adds the families that it does not have, replaces the settings of those it has, and
    /// sets the attributes. Families and attributes that `change` does not name stay as they are, and so do all rows.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`]; [`StoreError::FamilyAttribute`] for an invalid family.
    async fn alter(&self, change: &TableDescription) -> Result<(), StoreError>;

    /// Splits the region that contains `at` in two, the second of which starts at `at`. Both get new names, and their
    /// counters start at zero.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::SplitExists`].
    async fn split(&self, table: &TableName, at: &Key) -> Result<(), StoreError>;

    /// Removes all rows and notes of a table in one step.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn truncate(&self, table: &TableName, splits: AfterTruncate) -> Result<(), StoreError>;

    /// Removes a table and all its data. Scans in progress may end with an error.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError>;

    /// Applies a batch and stores its notes. When this returns, both have the durability that the store was opened
    /// with.
    ///
    /// The embedded and the memory store apply the batch and its notes atomically. A cluster applies each row
    /// atomically and stores the notes after the last row: if it fails, some rows may have been applied, and applying
    /// the batch again has the same effect as applying it once, provided that the caller set its timestamps.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`].
    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError>;

    /// Performs the part of a write that can be done in advance and returns the rest as a write. For callers that
    /// write batches one after another: the next batch can be prepared while one is being written. Nothing else is
    /// changed, and the outcome is that of calling [`Self::write`] with the batch at that later time.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`], if the implementation checks for them.
    async fn prepare(&self, _table: &TableName, batch: MutationBatch) -> Result<Write, StoreError> {
        Ok(Write::of(batch))
    }

    /// Adds to counters of one row and returns the row with the new values, in cell order.
    ///
    /// A counter is an `i64` in 8 bytes, big-endian; a column without a visible value counts as 0, and sums wrap
    /// around on overflow. A new value gets the store's time, or the millisecond after the old value's timestamp if
    /// that is later; it is written even if the amount is 0. No other write to the row happens in between, and when
    /// this returns, the new values are as durable as those of [`Self::write`].
    ///
    /// If an increment fails on its way to a server or back, it is unknown whether it took effect; retrying it may
    /// count twice.
    ///
    /// # Errors
    ///
    /// Nothing is changed by [`StoreError::NotANumber`] for a stored value that is not 8 bytes long,
    /// [`StoreError::ColumnTwice`], [`StoreError::EmptyChange`] for no amounts, [`StoreError::Mutation`] for invalid
    /// names, [`StoreError::UnknownTable`] and [`StoreError::UnknownFamily`].
    async fn increment(
        &self,
        table: &TableName,
        row: &Key,
        amounts: &[Amount<'_>],
    ) -> Result<RowBatch, StoreError>;

    /// Appends bytes to values of one row and returns the row with the new values, in cell order.
    ///
    /// A column without a visible value counts as empty. Timestamps, durability, concurrency and failures with an
    /// unknown outcome are as for [`Self::increment`].
    ///
    /// # Errors
    ///
    /// Nothing is changed by [`StoreError::ColumnTwice`], [`StoreError::EmptyChange`] for no values,
    /// [`StoreError::Mutation`] for invalid names and for a value that becomes larger than
    /// [`DEFAULT_MAX_CELL_BYTES`](crate::DEFAULT_MAX_CELL_BYTES) allows, [`StoreError::UnknownTable`] and
    /// [`StoreError::UnknownFamily`].
    async fn append(
        &self,
        table: &TableName,
        row: &Key,
        values: &[Appended<'_>],
    ) -> Result<RowBatch, StoreError>;

    /// Applies a batch to one row if `check` holds, and returns whether it did.
    ///
    /// No other write to the row happens between the check and the batch, and when this returns, the batch is as
    /// durable as with [`Self::write`]. Values without a timestamp get the store's time, or the timestamp of the cell
    /// that was examined if that is later; for a filter, this is the first cell of the row.
    ///
    /// # Errors
    ///
    /// Nothing is changed by [`StoreError::OtherRow`] for mutations of another row, [`StoreError::EmptyChange`] for
    /// an empty batch, [`StoreError::UnknownTable`] and [`StoreError::UnknownFamily`] in batch or condition, whether
    /// the condition holds or not.
    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: &Check,
        batch: MutationBatch,
    ) -> Result<bool, StoreError>;

    /// Returns the note stored with the table under `key`, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn note(&self, table: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Starts a bulk load, which fills an empty table with ascending rows faster than batches do; `None` if the store
    /// does not support it.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::NotEmpty`].
    async fn bulk(&self, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError>;

    /// Writes a table's in-memory data to its files.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn flush(&self, table: &TableName) -> Result<(), StoreError>;

    /// Merges all files of each region of a table, and leaves out expired cells and excess versions. A cluster is asked to
    /// do it, and does it later.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn compact(&self, table: &TableName) -> Result<(), StoreError>;

    /// Waits until everything acknowledged so far is durable, whatever durability the store was opened with.
    ///
    /// # Errors
    ///
    /// Only if the data can't be made durable.
    async fn sync(&self) -> Result<(), StoreError>;

    /// Closes the store: writes in-memory data to files and releases locks. Afterwards every operation except another
    /// `close` fails with [`StoreError::Closed`]; scans in progress continue.
    ///
    /// # Errors
    ///
    /// Whatever prevented a clean close; the store is closed nevertheless.
    async fn close(&self) -> Result<(), StoreError>;
}
