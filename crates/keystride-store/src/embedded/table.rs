//! A table of an open store.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use fjall::{Keyspace, OwnedWriteBatch, Readable};
use keystride::{Key, SplitPoints};

use super::catalog::{Catalog, Change};
use super::counts::CountLog;
use super::engine::{Engine, engine_error};
use super::record::{RegionsRecord, TableRecord};
use crate::regions::{RegionMap, WriteTally};
use crate::{Region, RegionId, StoreError, TableDescription, TableName, Written};

/// A table, shared by all its readers and writers.
pub(super) struct OpenTable {
    pub(super) id: u64,
    pub(super) name: TableName,
    /// The newest generation handed out, including drafts.
    last_generation: AtomicU64,
    /// Read-locked during every write and at the start of every read; write-locked while its contents are replaced.
    state: RwLock<TableState>,
    /// Read-locked from the stamping of a batch until it is written; write-locked by changes that depend on what they
    /// read. Acquired after `state`.
    turn: RwLock<()>,
    /// Held while a batch or a change of the state is passed to the engine. Acquired after `turn`.
    counts: Mutex<CountLog>,
}

/// The part of a table that may be replaced as a whole while it is open.
pub(super) struct TableState {
    pub(super) description: Arc<TableDescription>,
    /// One per family, in the order of the description.
    pub(super) keyspaces: Vec<Keyspace>,
    pub(super) regions: Arc<RegionMap>,
    record: RegionsRecord,
    /// Whether the table was dropped; remaining holders must not write to it.
    is_dropped: bool,
}

impl OpenTable {
    /// Creates the handle of a new table.
    pub(super) fn new(record: TableRecord, keyspaces: Vec<Keyspace>, regions: RegionsRecord) -> Self {
        let map = region_map(record.id, &regions);
        Self::with(record, keyspaces, regions, map, CountLog::default())
    }

    /// Opens an existing table, reading its regions and counts from the catalog.
    pub(super) fn read(
        record: TableRecord,
        keyspaces: Vec<Keyspace>,
        catalog: &Catalog,
    ) -> Result<Self, StoreError> {
        let regions = catalog.regions(record.id)?;
        let map = region_map(record.id, &regions);
        let counts = CountLog::read(catalog.counts(record.id), &map)?;
        Ok(Self::with(record, keyspaces, regions, map, counts))
    }

    fn with(
        record: TableRecord,
        keyspaces: Vec<Keyspace>,
        regions: RegionsRecord,
        map: RegionMap,
        counts: CountLog,
    ) -> Self {
        let last_generation = AtomicU64::new(record.generation);
        let (id, name) = (record.id, record.description.name.clone());
        let state = TableState {
            description: Arc::new(record.description),
            keyspaces,
            regions: Arc::new(map),
            record: regions,
            is_dropped: false,
        };
        let (state, turn, counts) = (RwLock::new(state), RwLock::default(), Mutex::new(counts));
        Self { id, name, last_generation, state, turn, counts }
    }

    /// Locks the state for a read or a write of rows.
    pub(super) fn state(&self) -> Result<RwLockReadGuard<'_, TableState>, StoreError> {
        // Changes of the state are assignments after everything that can fail, so a thread that panicked left nothing
        // half done.
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if state.is_dropped { Err(self.unknown()) } else { Ok(state) }
    }

    /// Locks out changes that depend on the stored row, but not other plain writes.
    ///
    /// The timestamps and the number of a batch are assigned before it is written. If it could be written after such
    /// a change with later ones, it would be hidden by values that were computed without having seen it.
    pub(super) fn lock_shared(&self) -> RwLockReadGuard<'_, ()> {
        // It protects only the order of writes, which a panic does not affect.
        self.turn.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks out all other writers.
    pub(super) fn lock_exclusive(&self) -> RwLockWriteGuard<'_, ()> {
        self.turn.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn describe(&self) -> Result<TableDescription, StoreError> {
        Ok(TableDescription::clone(&self.state()?.description))
    }

    /// Changes families and attributes. The rows of a new family are in a new keyspace.
    pub(super) fn alter(
        &self,
        engine: &Engine,
        catalog: &Catalog,
        change: &TableDescription,
    ) -> Result<(), StoreError> {
        let mut state = self.state_to_change()?;
        // Its generation is that of the catalog: a newer one may have been handed out for a draft.
        let record = catalog.table(&self.name)?.ok_or_else(|| self.unknown())?;
        let altered = TableRecord { description: record.description.altered(change)?, ..record };
        let keyspaces = engine.open_keyspaces(&altered)?;
        let mut change = catalog.change();
        change.put_table(&altered);
        if let Err(error) = change.commit() {
            engine.keep_as_before(&state.description, &state.keyspaces);
            return Err(error);
        }
        state.keyspaces = keyspaces;
        state.description = Arc::new(altered.description);
        Ok(())
    }

    pub(super) fn describe_regions(&self) -> Result<Vec<Region>, StoreError> {
        Ok(Arc::clone(&self.state()?.regions).describe())
    }

    /// Commits a batch of the engine together with its contribution to the regions' counts.
    ///
    /// Batches of a table are committed one after another: the engine accepts one at a time anyway, and totals are
    /// correct only at the position in the sequence of batches for which they were computed.
    pub(super) fn commit(
        &self,
        state: &TableState,
        catalog: &Catalog,
        mut batch: OwnedWriteBatch,
        tally: &WriteTally,
    ) -> Result<Written, StoreError> {
        let mut counts = self.lock_counts();
        if tally.shares.is_empty() {
            batch.commit().map_err(engine_error("write a batch"))?;
            return Ok(Written::default());
        }
        let record = counts.record(&state.regions, tally);
        catalog.keep_counts(self.id, &record, &mut batch);
        batch.commit().map_err(engine_error("write a batch"))?;
        counts.wrote(&record);
        state.regions.credit(tally);
        Ok(state.regions.written(tally))
    }

    /// Splits the region that contains `at`, which has so many rows before it and from it on.
    pub(super) fn split(&self, catalog: &Catalog, at: &Key, rows: [u64; 2]) -> Result<(), StoreError> {
        let mut state = self.state_to_change()?;
        let (left, right) = (state.record.next, state.record.next + 1);
        let halves = [left, right].map(|number| region_id(self.id, number));
        let Some(regions) = state.regions.split(at, halves, rows)? else {
            return Err(StoreError::SplitExists { table: self.name.clone(), key: at.clone() });
        };
        let place = state.regions.splits().region_of(at.as_bytes());
        let mut record =
            RegionsRecord { splits: regions.splits().clone(), next: right + 1, ..state.record.clone() };
        record.numbers.splice(place..=place, [left, right]);
        let (mut change, mut counts) = (catalog.change(), self.lock_counts());
        let totals = counts.totals(&regions, &WriteTally::default());
        change.put_regions(self.id, &record);
        change.put_counts(self.id, &totals);
        change.commit()?;
        counts.wrote(&totals);
        state.regions = Arc::new(regions);
        state.record = record;
        Ok(())
    }

    /// Removes all rows, and replaces the regions by those between `splits`, if given.
    pub(super) fn truncate(
        &self,
        engine: &Engine,
        catalog: &Catalog,
        splits: Option<SplitPoints>,
    ) -> Result<(), StoreError> {
        let mut state = self.state_to_change()?;
        let record = self.record(&state, self.next_generation());
        let fresh = engine.open_keyspaces(&record)?;
        let splits = splits.unwrap_or_else(|| state.record.splits.clone());
        let regions = RegionsRecord::new(splits, state.record.next);
        let map = region_map(self.id, &regions);
        let (mut change, mut counts) = (catalog.change(), self.lock_counts());
        let totals = counts.totals(&map, &WriteTally::default());
        change.put_table(&record);
        change.put_regions(self.id, &regions);
        change.put_counts(self.id, &totals);
        catalog.forget_notes(self.id, &mut change)?;
        change.commit()?;
        counts.wrote(&totals);
        state.regions = Arc::new(map);
        state.record = regions;
        engine.discard(std::mem::replace(&mut state.keyspaces, fresh));
        Ok(())
    }

    /// Creates empty keyspaces for a bulk load, not yet in the catalog, and returns them with the record they are for.
    pub(super) fn draft(&self, engine: &Engine) -> Result<(TableRecord, Vec<Keyspace>), StoreError> {
        let record = self.record(&*self.state()?, self.next_generation());
        let keyspaces = engine.open_keyspaces(&record)?;
        Ok((record, keyspaces))
    }

    /// Replaces the empty keyspaces by those of a bulk load, which contain what was `written`, together with a change
    /// of the catalog.
    pub(super) fn adopt(
        &self,
        engine: &Engine,
        generation: u64,
        filled: Vec<Keyspace>,
        written: &Written,
        mut change: Change,
    ) -> Result<(), StoreError> {
        let mut state = self.state_to_change()?;
        if filled.len() != state.keyspaces.len() {
            return Err(StoreError::Altered { table: self.name.clone() });
        }
        if !state.is_empty(engine)? {
            return Err(self.not_empty());
        }
        let (tally, mut counts) = (state.regions.tally_of(written), self.lock_counts());
        let totals = counts.totals(&state.regions, &tally);
        change.put_table(&self.record(&state, generation));
        change.put_counts(self.id, &totals);
        change.commit()?;
        counts.wrote(&totals);
        state.regions.credit(&tally);
        engine.discard(std::mem::replace(&mut state.keyspaces, filled));
        Ok(())
    }

    /// Removes the table from the catalog, and then its files.
    pub(super) fn remove(&self, engine: &Engine, catalog: &Catalog) -> Result<(), StoreError> {
        let mut state = self.state_to_change()?;
        let mut change = catalog.change();
        change.remove_table(self.id, &self.name);
        catalog.forget_notes(self.id, &mut change)?;
        catalog.forget_counts(self.id, &mut change)?;
        change.commit()?;
        state.is_dropped = true;
        engine.discard(std::mem::take(&mut state.keyspaces));
        Ok(())
    }

    pub(super) fn unknown(&self) -> StoreError {
        StoreError::UnknownTable { table: self.name.clone() }
    }

    pub(super) fn not_empty(&self) -> StoreError {
        StoreError::NotEmpty { table: self.name.clone() }
    }

    fn lock_counts(&self) -> MutexGuard<'_, CountLog> {
        // The log is updated only after a batch was committed, so a panic before that leaves it consistent.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_generation(&self) -> u64 {
        self.last_generation.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn state_to_change(&self) -> Result<RwLockWriteGuard<'_, TableState>, StoreError> {
        let state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.is_dropped { Err(self.unknown()) } else { Ok(state) }
    }

    fn record(&self, state: &TableState, generation: u64) -> TableRecord {
        TableRecord { id: self.id, generation, description: TableDescription::clone(&state.description) }
    }
}

impl TableState {
    /// Whether nothing is stored, not even delete markers.
    pub(super) fn is_empty(&self, engine: &Engine) -> Result<bool, StoreError> {
        let snapshot = engine.snapshot();
        for keyspace in &self.keyspaces {
            if !snapshot.is_empty(keyspace).map_err(engine_error("look into a table"))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn region_map(table: u64, record: &RegionsRecord) -> RegionMap {
    RegionMap::new(record.splits.clone(), record.numbers.iter().map(|&number| region_id(table, number)))
}

fn region_id(table: u64, number: u64) -> RegionId {
    RegionId::new(&format!("{table:x}-{number:x}"))
}
