//! The trait of all that tables can be read from.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;

use async_trait::async_trait;
use futures_core::Stream;
use keystride::SplitPoints;

use crate::{Detail, Region, RowBatch, Scan, Selection, StoreError, TableDescription, TableName};

/// The rows of a scan in batches, none of them empty. Nothing is read before the stream is first polled, and
/// afterwards at most one batch is read ahead. Dropping the stream ends the scan.
pub type RowStream = Pin<Box<dyn Stream<Item = Result<RowBatch, StoreError>> + Send>>;

/// Tables with HBase's data model, to be read. A [`Store`](crate::Store) can change them as well.
///
/// **Rows** are sorted by key as unsigned bytes and partitioned into regions. **Cells** of a row are sorted as
/// described at [`Cell::cmp_in_row`](crate::Cell::cmp_in_row). Of two cells with the same row, column, timestamp and
/// kind, the one written later remains. **Delete markers** hide values as described at [`CellKind`](crate::CellKind),
/// including values written after them. A read sees the values of a column that no marker hides and that lie in the
/// read's time range; at most as many versions as both the family and the read allow; and none past the family's time
/// to live except the newest `min_versions`.
///
/// Rows are read atomically: a read never sees only a part of what one batch wrote to a row. A scan may or may not
/// see rows written after it started.
///
/// All methods may be called concurrently, and must be called within a Tokio runtime.
#[async_trait]
pub trait TableReader: fmt::Debug + Send + Sync {
    /// Returns a table's families and attributes.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError>;

    /// Whether a table of that name exists.
    ///
    /// # Errors
    ///
    /// Only if the tables can't be accessed.
    async fn exists(&self, table: &TableName) -> Result<bool, StoreError>;

    /// Returns the names of all tables, sorted by namespace and name.
    ///
    /// # Errors
    ///
    /// Only if the tables can't be accessed.
    async fn list(&self) -> Result<Vec<TableName>, StoreError>;

    /// Returns a table's regions in key order. They cover all keys without overlap.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError>;

    /// Returns where a table is split. Servers of its regions are not asked for that.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`].
    async fn split_points(&self, table: &TableName) -> Result<SplitPoints, StoreError> {
        Ok(Region::split_points(&self.regions(table).await?)?)
    }

    /// Reads rows by key. The result has one row per key, in the order of `keys`; rows of which nothing is visible
    /// have no cells.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`], [`StoreError::Key`] for bytes that are not a
    /// valid row key.
    async fn get(
        &self,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError>;

    /// Opens a scan. Rows without a visible selected cell are skipped and do not count towards the limit.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownTable`], [`StoreError::UnknownFamily`], [`StoreError::RangesOverlap`].
    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError>;

    /// Counts the rows that a scan returns, whatever its detail.
    ///
    /// # Errors
    ///
    /// As [`scan`](Self::scan).
    async fn count(&self, table: &TableName, scan: Scan) -> Result<u64, StoreError> {
        count_by_scan(self, table, scan).await
    }

    /// Returns how many rows of all tables have been read since this was opened, counted as
    /// [`RegionCounts::rows_read`](crate::RegionCounts::rows_read).
    fn rows_read(&self) -> u64;

    /// Returns how many calls to servers had to be repeated since this was opened; 0 without servers.
    fn retries(&self) -> u64 {
        0
    }

    /// Returns the id of the cluster that has the tables, or `None` without servers.
    ///
    /// # Errors
    ///
    /// Only if no server of the cluster can be asked.
    async fn cluster_id(&self) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    /// Returns the servers that can hold regions, as [`Region::server`] names them; none where there are no servers.
    ///
    /// # Errors
    ///
    /// Only if the cluster can't be asked.
    async fn servers(&self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Returns who else may write to the tables.
    fn writers(&self) -> Writers;
}

/// Counts the rows of a scan by reading no more of each than it must.
pub(crate) async fn count_by_scan(
    reader: &(impl TableReader + ?Sized),
    table: &TableName,
    mut scan: Scan,
) -> Result<u64, StoreError> {
    scan.selection.detail = Detail::FirstKey;
    let mut batches = reader.scan(table, scan).await?;
    let mut rows = 0;
    while let Some(batch) = poll_fn(|context| batches.as_mut().poll_next(context)).await {
        rows += batch?.len() as u64;
    }
    Ok(rows)
}

/// Who may write to tables besides the one who reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Nobody else: what was read stays valid until the reader itself changes it.
    Alone,
    /// Other clients, at any time.
    Others,
}
