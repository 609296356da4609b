//! Tables in a folder of the local machine, used by one process at a time.
//!
//! Where to start: `entry` documents what is stored, `row_code` how rows keep their order, `catalog` and `record` how
//! tables are recorded, `counts` how write counts are kept, and `folder` how a store is identified. A write passes
//! through `open_store` → `packed` → `pack` → `slab` → `table` → engine; a change that depends on the stored row
//! through `atomic` → `open_store`; a read through engine → `row_reader` → `scan`.

mod admin;
mod atomic;
mod bulk;
mod catalog;
mod check;
mod count;
mod counts;
mod engine;
mod engine_fault;
mod entry;
#[cfg(test)]
mod fixture;
mod flush;
mod folder;
mod journal;
mod known_columns;
mod mirror;
mod open_scans;
mod open_store;
mod options;
mod pack;
mod packed;
mod pressure;
mod purge;
mod record;
mod row_code;
mod row_reader;
mod scan;
mod slab;
mod syncer;
mod table;
mod write_buffer;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use keystride::{Key, SplitPoints};
use tokio::task::{JoinError, spawn_blocking};

use self::bulk::EmbeddedBulk;
use self::count::Count;
pub use self::engine_fault::EngineFault;
pub use self::journal::Repair;
use self::open_store::OpenStore;
pub use self::options::{Durability, EmbeddedOptions, Purpose, Reading};
use self::packed::Packed;
use crate::address::check_folder;
use crate::atomic::Deltas;
use crate::flat::FlatRows;
use crate::mutation_error::check_row;
use crate::table_reader::count_by_scan;
use crate::{
    AfterTruncate, Amount, Appended, Bulk, Check, LATEST, MutationBatch, Region, RowBatch, RowStream, Scan,
    Selection, Store, StoreError, TableDescription, TableName, TableReader, Write, Writers, Written,
};

/// A store in a folder of the local machine, which one process can open at a time.
///
/// A batch is acknowledged once it is as durable as [`EmbeddedOptions::durability`] demands. A scan sees the table as
/// it was when the scan was opened; one that was left alone while rows were moved to files twice sees, from its next
/// row on, the table as it is when it goes on. Dropping the store without [`Store::close`] loses nothing, but the next
/// opening takes longer, because it replays the journal.
///
/// Memory use: what [`EmbeddedOptions`] allows for the cache and for recently written rows, and up to 64 MiB for the
/// catalog. Rows written while a scan is open stay in memory in addition, until it ends or is left alone. Disk use: the
/// files, and a journal of up to 512 MiB.
///
/// Excess versions, expired cells and overwritten cells are removed from disk when the engine rewrites its files, as
/// in HBase's compactions. Delete markers, and what they hide, stay until they expire or the table is truncated or
/// dropped.
///
/// ```no_run
/// # use keystride_store::*;
/// # async fn run() -> Result<(), StoreError> {
/// let store = EmbeddedStore::open("/var/lib/keystride", EmbeddedOptions::default()).await?;
/// println!("{:?}", store.list().await?);
/// store.close().await
/// # }
/// ```
#[derive(Debug)]
pub struct EmbeddedStore {
    /// `None` after the store was closed.
    open: RwLock<Option<Arc<OpenStore>>>,
    rows_read: Arc<AtomicU64>,
}

impl EmbeddedStore {
    /// Opens the store in `folder`, creating the folder if it does not exist.
    ///
    /// If the folder may only be read, so may the store: every change fails with [`StoreError::ReadOnly`]. What the
    /// engine writes when it is opened goes to a temporary folder, with a copy of the journal.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`] when it is already open, [`StoreError::NewerFormat`] when a newer version of keystride
    /// wrote it, [`StoreError::NotAStore`] when the folder contains something else, [`StoreError::DamagedFile`],
    /// [`StoreError::DamagedJournal`] and [`StoreError::NoJournal`] for damage; in these cases no data is modified.
    pub async fn open(folder: impl AsRef<Path>, options: EmbeddedOptions) -> Result<Self, StoreError> {
        let folder = folder.as_ref().to_owned();
        let rows_read = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&rows_read);
        let open = spawn_blocking(move || OpenStore::open(&folder, options, counter)).await;
        let open = joined(open, "open the store")??;
        Ok(Self { open: RwLock::new(Some(Arc::new(open))), rows_read })
    }

    /// Repairs the store in `folder` if its journal is damaged, so that it can be opened again: goes on with the batches
    /// before the damage, and keeps a copy of the rest in a new folder of the store.
    ///
    /// # Errors
    ///
    /// As [`EmbeddedStore::open`].
    pub async fn repair(folder: impl AsRef<Path>) -> Result<Option<Repair>, StoreError> {
        let folder = folder.as_ref().to_owned();
        joined(
            spawn_blocking(move || check_folder(&folder).and_then(|()| OpenStore::repair(&folder))).await,
            "repair the store",
        )?
    }

    /// Runs `work` on a thread that may block.
    async fn run<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(Arc<OpenStore>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.open.read().unwrap_or_else(PoisonError::into_inner).clone();
        let store = store.ok_or(StoreError::Closed)?;
        joined(spawn_blocking(move || work(store)).await, doing)?
    }

    /// Runs `work` that changes a table.
    async fn change_table<T: Send + 'static>(
        &self,
        doing: &'static str,
        table: &TableName,
        work: impl FnOnce(Arc<OpenStore>, TableName) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let work = move |store: Arc<OpenStore>, table| {
            store.check_may_change()?;
            work(store, table)
        };
        self.with_table(doing, table, work).await
    }

    /// Runs `work` on a table.
    async fn with_table<T: Send + 'static>(
        &self,
        doing: &'static str,
        table: &TableName,
        work: impl FnOnce(Arc<OpenStore>, TableName) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let table = table.clone();
        self.run(doing, move |store| work(store, table)).await
    }
}

#[async_trait]
impl TableReader for EmbeddedStore {
    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError> {
        let describe = |store: Arc<OpenStore>, table: TableName| store.table(&table)?.describe();
        self.with_table("describe a table", table, describe).await
    }

    async fn exists(&self, table: &TableName) -> Result<bool, StoreError> {
        self.with_table("look for a table", table, |store, table| Ok(store.table(&table).is_ok())).await
    }

    async fn list(&self) -> Result<Vec<TableName>, StoreError> {
        self.run("list tables", |store| Ok(store.table_names())).await
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError> {
        let regions = |store: Arc<OpenStore>, table| store.table(&table)?.describe_regions();
        self.with_table("list regions", table, regions).await
    }

    async fn get(
        &self,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        let mut asked = FlatRows::default();
        for key in keys {
            check_row(key)?;
            asked.begin_row(key).map_err(|_| StoreError::AnswerTooLarge { row: key.to_vec() })?;
        }
        let selection = selection.clone();
        self.with_table("get rows", table, move |store, table| store.get(&table, &asked, &selection)).await
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        let batches = self.with_table("open a scan", table, move |store, table| store.scan(&table, scan));
        Ok(Box::pin(batches.await?))
    }

    async fn count(&self, table: &TableName, scan: Scan) -> Result<u64, StoreError> {
        if scan.selection != Selection::default() || scan.limit.is_some() {
            return count_by_scan(self, table, scan).await;
        }
        let mut count = Count::new(table.clone(), scan.checked_ranges()?);
        while !count.is_done() {
            count = self.run("count rows", move |store| store.count_more(count)).await?;
        }
        Ok(count.rows)
    }

    fn rows_read(&self) -> u64 {
        self.rows_read.load(Ordering::Relaxed)
    }

    fn writers(&self) -> Writers {
        Writers::Alone
    }
}

#[async_trait]
impl Store for EmbeddedStore {
    async fn create(&self, table: &TableDescription, splits: &SplitPoints) -> Result<(), StoreError> {
        let (table, splits) = (table.clone(), splits.clone());
        self.run("make a table", move |store| store.create(table, splits)).await
    }

    async fn alter(&self, change: &TableDescription) -> Result<(), StoreError> {
        let (table, change) = (change.name.clone(), change.clone());
        self.change_table("alter a table", &table, move |store, _| store.alter(&change)).await
    }

    async fn split(&self, table: &TableName, at: &Key) -> Result<(), StoreError> {
        let at = at.clone();
        self.change_table("split a region", table, move |store, table| store.split(&table, &at)).await
    }

    async fn truncate(&self, table: &TableName, splits: AfterTruncate) -> Result<(), StoreError> {
        self.change_table("truncate a table", table, move |store, table| store.truncate(&table, splits)).await
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.change_table("drop a table", table, |store, table| store.drop_table(&table)).await
    }

    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.change_table("write a batch", table, move |store, table| store.write(&table, write)).await
    }

    async fn prepare(&self, table: &TableName, batch: MutationBatch) -> Result<Write, StoreError> {
        // Cells that ask for the store's time get it only when they are written.
        if batch.flat.may_have_ts(LATEST) {
            return Ok(Write::of(batch));
        }
        let prepare = move |store: Arc<OpenStore>, table| {
            let (table, regions) = store.shape(&table)?;
            // A caller that drops this future may close and reopen the store while entries are still being made here.
            drop(store);
            let packed = Packed::of(&batch.flat, &table, &regions)?;
            Ok(Write::with_ahead(batch, packed))
        };
        self.with_table("prepare a write", table, prepare).await
    }

    async fn increment(
        &self,
        table: &TableName,
        row: &Key,
        amounts: &[Amount<'_>],
    ) -> Result<RowBatch, StoreError> {
        let deltas = Deltas::of_amounts(row, amounts)?;
        self.change_table("increment", table, move |store, table| store.add(&table, &deltas)).await
    }

    async fn append(
        &self,
        table: &TableName,
        row: &Key,
        values: &[Appended<'_>],
    ) -> Result<RowBatch, StoreError> {
        let deltas = Deltas::of_values(row, values)?;
        self.change_table("append", table, move |store, table| store.add(&table, &deltas)).await
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: &Check,
        batch: MutationBatch,
    ) -> Result<bool, StoreError> {
        check.allow(&batch)?;
        let check = check.clone();
        let work = move |store: Arc<OpenStore>, table| store.check_and_mutate(&table, &check, batch);
        self.change_table("check and change a row", table, work).await
    }

    async fn note(&self, table: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let key = key.to_owned();
        self.with_table("read a note", table, move |store, table| store.note(&table, &key)).await
    }

    async fn bulk(&self, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        let begin = |store: Arc<OpenStore>, table| {
            let table = store.table(&table)?;
            EmbeddedBulk::begin(&store, table)
        };
        Ok(Some(Box::new(self.change_table("begin a bulk load", table, begin).await?)))
    }

    async fn flush(&self, table: &TableName) -> Result<(), StoreError> {
        self.change_table("flush a table", table, |store, table| store.flush(&table)).await
    }

    async fn compact(&self, table: &TableName) -> Result<(), StoreError> {
        self.change_table("compact a table", table, |store, table| store.compact(&table)).await
    }

    async fn sync(&self) -> Result<(), StoreError> {
        self.run("sync the store", |store| store.engine.sync()).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        let open = self.open.write().unwrap_or_else(PoisonError::into_inner).take();
        let Some(store) = open else { return Ok(()) };
        joined(spawn_blocking(move || store.shut_down()).await, "close the store")?
    }
}

/// Returns the result of a task on another thread, propagating its panic.
fn joined<T>(joined: Result<T, JoinError>, doing: &'static str) -> Result<T, StoreError> {
    joined.map_err(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => StoreError::TaskLost { doing },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, FamilyName};

    #[tokio::test]
    async fn entries_are_made_ahead_where_cells_have_their_times() {
        let folder = tempfile::tempdir().unwrap();
        let store = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap();
        let family = Family::new(FamilyName::new("f").unwrap());
        let table = TableDescription::new(table_name(), [family]);
        store.create(&table, &SplitPoints::default()).await.unwrap();
        for (ts, is_made) in [(5, true), (LATEST, false)] {
            let mut batch = MutationBatch::new();
            batch.put(b"r", b"f", b"q", ts, b"v").unwrap();
            let mut write = store.prepare(&table.name, batch).await.unwrap();
            let (table, regions) = store.run("", move |store| store.shape(&table_name())).await.unwrap();
            let packed = write.take_ahead::<Packed>();
            assert_eq!(packed.is_some_and(|packed| packed.is_for(&table, &regions)), is_made);
        }
    }

    fn table_name() -> TableName {
        TableName::new("t").unwrap()
    }
}
