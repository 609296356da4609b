//! Tables in memory, for tests and for data that need not outlive the program.

mod atomic;
mod bulk;
mod row;
mod scan;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures_util::stream;
use keystride::{Key, SplitPoints};

use self::bulk::MemoryBulk;
use self::scan::MemoryScan;
use self::table::MemoryTable;
use crate::atomic::Deltas;
use crate::intake::KeyOrder;
use crate::regions::{ReadTally, RegionMap};
use crate::sink::{Pacer, Sink};
use crate::{
    AfterTruncate, Amount, Appended, Bulk, Check, Clock, MutationBatch, Region, RegionId, RowBatch,
    RowStream, Scan, Selection, Store, StoreError, SystemClock, TableDescription, TableName, TableReader,
    Write, Writers, Written,
};

/// A store that keeps its tables in memory and discards them when it is dropped. Nothing is durable.
///
/// A scan continues from the last row it returned, so it sees rows that are written ahead of its position.
///
/// ```
/// # use keystride_store::*;
/// # use keystride::SplitPoints;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = MemoryStore::default();
/// let table = TableDescription::new(TableName::new("t")?, [Family::new(FamilyName::new("cf")?)]);
/// store.create(&table, &SplitPoints::new(["m"])?).await?;
/// let mut batch = MutationBatch::new();
/// batch.put(b"x", b"cf", b"colour", 7, b"blue")?;
/// store.write(&table.name, Write::of(batch)).await?;
/// let rows = store.get(&table.name, &[b"x"], &Selection::default()).await?;
/// assert_eq!(rows.row(0).cell(b"cf", b"colour").unwrap().value, b"blue");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MemoryStore {
    shared: Arc<Shared>,
}

struct Shared {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    rows_read: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    tables: BTreeMap<TableName, MemoryTable>,
    regions_named: u64,
    is_closed: bool,
}

impl MemoryStore {
    /// Creates an empty store that uses `clock`.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let shared = Shared { clock, state: Mutex::default(), rows_read: AtomicU64::new(0) };
        Self { shared: Arc::new(shared) }
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(Arc::new(SystemClock))
    }
}

#[async_trait]
impl TableReader for MemoryStore {
    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError> {
        Ok(TableDescription::clone(&self.shared.open()?.table(table)?.description))
    }

    async fn exists(&self, table: &TableName) -> Result<bool, StoreError> {
        Ok(self.shared.open()?.tables.contains_key(table))
    }

    async fn list(&self) -> Result<Vec<TableName>, StoreError> {
        Ok(self.shared.open()?.tables.keys().cloned().collect())
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError> {
        Ok(self.shared.open()?.table(table)?.regions.describe())
    }

    async fn get(
        &self,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        let mut state = self.shared.open()?;
        let table = state.table(table)?;
        let views = table.views(selection, self.shared.clock.now_ms())?;
        let mut sink = Sink::new(selection);
        let mut tally = ReadTally::default();
        for key in keys {
            crate::mutation_error::check_row(key)?;
            table.get(key, &views, &mut sink)?;
            table.regions.count_read(&mut tally, key);
        }
        table.regions.report(&mut tally);
        self.shared.rows_read.fetch_add(keys.len() as u64, Ordering::Relaxed);
        Ok(sink.into_batch())
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        let ranges = scan.checked_ranges()?.into();
        self.shared.open()?.table(table)?.views(&scan.selection, 0)?;
        let pacer = Pacer::new(scan.pace, scan.limit);
        let scan = MemoryScan { shared: Arc::clone(&self.shared), table: table.clone(), ranges, scan, pacer };
        let batches =
            stream::try_unfold(
                scan,
                |mut scan| async move { Ok(scan.next_batch()?.map(|batch| (batch, scan))) },
            );
        Ok(Box::pin(batches))
    }

    fn rows_read(&self) -> u64 {
        self.shared.rows_read.load(Ordering::Relaxed)
    }

    fn writers(&self) -> Writers {
        Writers::Alone
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn create(&self, table: &TableDescription, splits: &SplitPoints) -> Result<(), StoreError> {
        let description = table.clone().checked()?;
        let mut state = self.shared.open()?;
        if state.tables.contains_key(&description.name) {
            return Err(StoreError::TableExists { table: description.name });
        }
        let regions = state.cut(splits.clone());
        state.tables.insert(description.name.clone(), MemoryTable::new(Arc::new(description), regions));
        Ok(())
    }

    async fn alter(&self, change: &TableDescription) -> Result<(), StoreError> {
        self.shared.open()?.table(&change.name)?.alter(change)
    }

    async fn split(&self, table: &TableName, at: &Key) -> Result<(), StoreError> {
        let mut state = self.shared.open()?;
        let halves = [state.name_region(), state.name_region()];
        let table = state.table(table)?;
        let split = table.regions.split(at, halves, table.rows_around(at))?;
        table.regions = split.ok_or_else(|| StoreError::SplitExists {
            table: table.description.name.clone(),
            key: at.clone(),
        })?;
        Ok(())
    }

    async fn truncate(&self, table: &TableName, after: AfterTruncate) -> Result<(), StoreError> {
        let mut state = self.shared.open()?;
        let splits = match after {
            AfterTruncate::KeepSplits => state.table(table)?.splits(),
            AfterTruncate::OneRegion => SplitPoints::default(),
        };
        let regions = state.cut(splits);
        state.table(table)?.clear(regions);
        Ok(())
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        let removed = self.shared.open()?.tables.remove(table);
        removed.map(|_| ()).ok_or_else(|| StoreError::UnknownTable { table: table.clone() })
    }

    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.shared.open()?.table(table)?.write(write, &*self.shared.clock)
    }

    async fn increment(
        &self,
        table: &TableName,
        row: &Key,
        amounts: &[Amount<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.shared.add(table, &Deltas::of_amounts(row, amounts)?)
    }

    async fn append(
        &self,
        table: &TableName,
        row: &Key,
        values: &[Appended<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.shared.add(table, &Deltas::of_values(row, values)?)
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: &Check,
        batch: MutationBatch,
    ) -> Result<bool, StoreError> {
        let is_applied =
            self.shared.open()?.table(table)?.check_and_mutate(check, batch, &*self.shared.clock)?;
        self.shared.rows_read.fetch_add(1, Ordering::Relaxed);
        Ok(is_applied)
    }

    async fn note(&self, table: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.shared.open()?.table(table)?.note(key))
    }

    async fn bulk(&self, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        let mut state = self.shared.open()?;
        let description = Arc::clone(&state.empty_table(table)?.description);
        let (shared, table) = (Arc::clone(&self.shared), table.clone());
        let (ascent, batches) = (KeyOrder::default(), Vec::new());
        Ok(Some(Box::new(MemoryBulk { shared, table, description, ascent, batches })))
    }

    async fn flush(&self, table: &TableName) -> Result<(), StoreError> {
        self.shared.open()?.table(table).map(|_| ())
    }

    async fn compact(&self, table: &TableName) -> Result<(), StoreError> {
        self.flush(table).await
    }

    async fn sync(&self) -> Result<(), StoreError> {
        self.shared.open().map(|_| ())
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.shared.lock().is_closed = true;
        Ok(())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while holding the lock may have left a write half done. That is acceptable here:
        // propagating the poison would make all other tests of the process fail as well.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let state = self.lock();
        if state.is_closed { Err(StoreError::Closed) } else { Ok(state) }
    }

    fn add(&self, table: &TableName, deltas: &Deltas) -> Result<RowBatch, StoreError> {
        let answer = self.open()?.table(table)?.add(deltas, &*self.clock)?;
        self.rows_read.fetch_add(1, Ordering::Relaxed);
        Ok(answer)
    }
}

impl State {
    fn table(&mut self, name: &TableName) -> Result<&mut MemoryTable, StoreError> {
        self.tables.get_mut(name).ok_or_else(|| StoreError::UnknownTable { table: name.clone() })
    }

    fn empty_table(&mut self, name: &TableName) -> Result<&mut MemoryTable, StoreError> {
        let table = self.table(name)?;
        if table.is_empty() { Ok(table) } else { Err(StoreError::NotEmpty { table: name.clone() }) }
    }

    fn cut(&mut self, splits: SplitPoints) -> RegionMap {
        RegionMap::new(splits, std::iter::repeat_with(|| self.name_region()))
    }

    fn name_region(&mut self) -> RegionId {
        self.regions_named += 1;
        RegionId::new(&format!("{:x}", self.regions_named))
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("clock", &self.clock).finish_non_exhaustive()
    }
}
