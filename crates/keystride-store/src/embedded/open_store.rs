//! An embedded store while it is open. Everything here may block.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering as AtomicOrdering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use fjall::PersistMode;

use super::catalog::Catalog;
use super::check;
use super::engine::Engine;
use super::folder::StoreFolder;
use super::journal::{self, Repair};
use super::open_scans::OpenScans;
use super::options::{Durability, Purpose, Reading};
use super::packed::Packed;
use super::pressure::bytes_in_memory;
use super::row_reader::RowReader;
use super::syncer::Syncer;
use super::table::{OpenTable, TableState};
use super::write_buffer::WriteBuffer;
use crate::flat::FlatRows;
use crate::intake::stamp;
use crate::regions::{ReadTally, RegionMap};
use crate::sink::Sink;
use crate::visible::View;
use crate::{
    Clock, Columns, EmbeddedOptions, MutationBatch, Order, RowBatch, Selection, StoreError, TableDescription,
    TableName, Write, Written,
};

/// How many batch numbers are available each time the store is opened; this allows it to be opened 2^24 times.
const BATCHES_PER_EPOCH: u64 = 1 << 40;

/// The fields are dropped in declaration order: the thread that uses the engine first, the lock on the folder last.
pub(super) struct OpenStore {
    syncer: Option<Syncer>,
    pub(super) tables: RwLock<BTreeMap<TableName, Arc<OpenTable>>>,
    /// Held while tables are created or removed.
    pub(super) admin: Mutex<()>,
    pub(super) catalog: Catalog,
    pub(super) engine: Engine,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) write_buffer: WriteBuffer,
    pub(super) reading: Reading,
    pub(super) open_scans: OpenScans,
    /// Number of the next batch. Its upper bits count the openings of the store, so that numbers always increase.
    sequence: AtomicU64,
    pub(super) rows_read: Arc<AtomicU64>,
    folder: StoreFolder,
}

impl OpenStore {
    pub(super) fn open(
        folder: &Path,
        options: EmbeddedOptions,
        rows_read: Arc<AtomicU64>,
    ) -> Result<Self, StoreError> {
        Self::of(StoreFolder::open(folder, Engine::create)?, options, rows_read)
    }

    fn of(
        folder: StoreFolder,
        options: EmbeddedOptions,
        rows_read: Arc<AtomicU64>,
    ) -> Result<Self, StoreError> {
        check::check(&folder.engine())?;
        journal::check(&folder.engine())?;
        options.console.iter().for_each(|address| folder.name_console(address));
        if options.purpose == Purpose::Removal {
            folder.give_room();
        }
        folder.make_engine_lock()?;
        let has_workers = options.purpose == Purpose::Any && !folder.is_read_only();
        let engine = if has_workers { Engine::open } else { Engine::open_without_workers };
        let engine = engine(&folder.engine(), &options)?;
        let catalog = Catalog::open(&engine)?;
        if options.purpose == Purpose::Removal {
            // Each opening adds a file, and the engine blocks writers at 30. Without room for a merge, it goes on unmerged.
            let _ = engine.merge_young(catalog.keyspace());
        }
        let records = catalog.tables()?;
        let keyspaces = records.iter().map(|record| engine.find_keyspaces(record));
        // Nothing is deleted unless all that is known is there.
        let keyspaces = keyspaces.collect::<Result<Vec<_>, _>>()?;
        engine.delete_orphans(&records)?;
        let (mut tables, mut bytes) = (BTreeMap::new(), 0);
        for (record, keyspaces) in records.into_iter().zip(keyspaces) {
            let name = record.description.name.clone();
            // At this point the engine's memory holds just what it has replayed from its journal.
            bytes += keyspaces.iter().map(bytes_in_memory).sum::<u64>();
            tables.insert(name, Arc::new(OpenTable::read(record, keyspaces, &catalog)?));
        }
        let first_batch = catalog.next_epoch()?.checked_mul(BATCHES_PER_EPOCH);
        let damaged = StoreError::Damaged { what: "the number of its openings" };
        let sequence = AtomicU64::new(first_batch.ok_or(damaged)?);
        let syncer = match options.durability {
            Durability::Batch => None,
            Durability::Interval(interval) => Some(start_syncer(&engine, interval, &folder)?),
        };
        let (tables, admin) = (RwLock::new(tables), Mutex::new(()));
        let (clock, reading) = (options.clock, options.reading);
        let write_buffer = WriteBuffer::new(options.write_buffer_bytes, bytes);
        tracing::info!(durability = ?options.durability, replayed_bytes = bytes, "store opened");
        Ok(Self {
            syncer,
            tables,
            admin,
            catalog,
            engine,
            clock,
            write_buffer,
            reading,
            open_scans: OpenScans::default(),
            sequence,
            rows_read,
            folder,
        })
    }

    /// Leaves out what follows a damage of the journal, and opens the store to see that it can be.
    pub(super) fn repair(path: &Path) -> Result<Option<Repair>, StoreError> {
        let folder = StoreFolder::open(path, Engine::create)?;
        folder.check_may_change()?;
        check::check(&folder.engine())?;
        let repair = journal::repair(&folder.engine(), path)?;
        drop(folder);
        if repair.is_some() {
            let store = Self::open(path, EmbeddedOptions::default(), Arc::default())?;
            store.catalog.skip_epochs()?;
            store.shut_down()?;
        }
        Ok(repair)
    }

    /// Returns an error if the store may only be read.
    pub(super) fn check_may_change(&self) -> Result<(), StoreError> {
        self.folder.check_may_change()
    }

    pub(super) fn table(&self, name: &TableName) -> Result<Arc<OpenTable>, StoreError> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(name).cloned().ok_or_else(|| StoreError::UnknownTable { table: name.clone() })
    }

    pub(super) fn table_names(&self) -> Vec<TableName> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    pub(super) fn write(&self, name: &TableName, write: Write) -> Result<Written, StoreError> {
        let table = self.table_to_write(name)?;
        let state = table.state()?;
        self.engine.wait_for_room(&state.keyspaces)?;
        let _shared = table.lock_shared();
        self.apply(&table, &state, write, self.clock.now_ms())
    }

    /// Returns a table after waiting until the write buffer has room.
    pub(super) fn table_to_write(&self, name: &TableName) -> Result<Arc<OpenTable>, StoreError> {
        self.write_buffer.keep_within(self)?;
        self.table(name)
    }

    /// Returns what is needed to prepare the entries of a batch: the table's description and its regions.
    pub(super) fn shape(
        &self,
        name: &TableName,
    ) -> Result<(Arc<TableDescription>, Arc<RegionMap>), StoreError> {
        let table = self.table(name)?;
        let state = table.state()?;
        Ok((Arc::clone(&state.description), Arc::clone(&state.regions)))
    }

    /// Stamps a batch and passes it to the engine. The caller must hold one of the table's write locks.
    pub(super) fn apply(
        &self,
        table: &OpenTable,
        state: &TableState,
        mut write: Write,
        now_ms: i64,
    ) -> Result<Written, StoreError> {
        let packed = match write
            .take_ahead::<Packed>()
            .filter(|packed| packed.is_for(&state.description, &state.regions))
        {
            Some(packed) => packed,
            None => self.pack(state, &mut write.batch, now_ms)?,
        };
        // Before it is acknowledged, a batch is handed at least to the operating system.
        let mode = if self.syncer.is_none() { PersistMode::SyncData } else { PersistMode::Buffer };
        let mut batch = self.engine.batch(packed.entry_count, mode);
        self.write_buffer.add(packed.entry_count, packed.entry_bytes);
        let tally = packed.give(self.next_sequence(), &state.keyspaces, &mut batch);
        self.catalog.keep_notes(table.id, &write.notes, &mut batch);
        let written = table.commit(state, &self.catalog, batch, &tally)?;
        self.syncer.iter().for_each(Syncer::wake);
        Ok(written)
    }

    fn pack(&self, state: &TableState, batch: &mut MutationBatch, now_ms: i64) -> Result<Packed, StoreError> {
        // Checked first, because looking up the version that a delete marker refers to requires it.
        batch.check_families(&state.description)?;
        stamp(batch, now_ms, |row, family, qualifier| self.newest(state, row, family, qualifier, now_ms))?;
        Packed::of(&batch.flat, &state.description, &state.regions)
    }

    /// Reads rows by key. `keys` holds the keys as rows without cells.
    pub(super) fn get(
        &self,
        name: &TableName,
        keys: &FlatRows,
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        let table = self.table(name)?;
        let state = table.state()?;
        let mut reader = self.reader(&state, selection, Order::Ascending, self.clock.now_ms())?;
        let regions = Arc::clone(&state.regions);
        drop(state);
        let (mut sink, mut tally) = (Sink::new(selection), ReadTally::default());
        for key in keys.rows().map(|row| row.key()) {
            reader.read_row(key)?;
            sink.add_always(key, reader.visible_cells().iter().copied())?;
            regions.count_read(&mut tally, key);
        }
        regions.report(&mut tally);
        self.rows_read.fetch_add(keys.row_count() as u64, AtomicOrdering::Relaxed);
        Ok(sink.into_batch())
    }

    pub(super) fn note(&self, name: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.catalog.note(self.table(name)?.id, key)
    }

    pub(super) fn next_sequence(&self) -> u64 {
        self.sequence.fetch_add(1, AtomicOrdering::Relaxed)
    }

    pub(super) fn reader(
        &self,
        state: &TableState,
        selection: &Selection,
        order: Order,
        now_ms: i64,
    ) -> Result<RowReader, StoreError> {
        let table = &state.description;
        let families = selection.families_in(table)?.into_iter().map(|place| {
            let family = &table.families[place];
            (family.name.clone(), state.keyspaces[place].clone(), View::new(family, selection, now_ms))
        });
        Ok(RowReader::new(self.engine.snapshot(), order, families))
    }

    /// Returns the newest visible timestamp of a column.
    fn newest(
        &self,
        state: &TableState,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        now_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let place = state.description.family_index(family)?;
        let columns = Columns::named(state.description.families[place].name.clone(), [qualifier]);
        let selection = Selection { columns, ..Selection::default() };
        let mut reader = self.reader(state, &selection, Order::Ascending, now_ms)?;
        reader.read_row(row)?;
        Ok(reader.visible_cells().iter().find(|cell| cell.qualifier == qualifier).map(|cell| cell.ts))
    }
}

impl Drop for OpenStore {
    fn drop(&mut self) {
        let tables = self.tables.get_mut().unwrap_or_else(PoisonError::into_inner);
        let states = tables.values().map(|table| table.state());
        let are_in_files =
            states.map(|state| state.is_ok_and(|state| Engine::is_all_in_files(&state.keyspaces)));
        let catalog = std::slice::from_ref(self.catalog.keyspace());
        if are_in_files.chain([Engine::is_all_in_files(catalog)]).all(|is_in_files| is_in_files) {
            self.folder.clear_journal_when_closed();
        }
    }
}

impl fmt::Debug for OpenStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStore").field("folder", &self.folder.path()).finish_non_exhaustive()
    }
}

fn start_syncer(
    engine: &Engine,
    interval: std::time::Duration,
    folder: &StoreFolder,
) -> Result<Syncer, StoreError> {
    Syncer::start(engine.clone(), interval).map_err(|source| StoreError::Io {
        path: folder.path().to_owned(),
        doing: "start the thread that brings writes to disk",
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{a_cell, create, open};
    use super::*;

    fn open_to_read(folder: &Path) -> OpenStore {
        let folder = StoreFolder::open_to_read(folder.to_owned()).unwrap();
        OpenStore::of(folder, EmbeddedOptions::default(), Arc::default()).unwrap()
    }

    #[test]
    fn a_store_that_may_only_be_read_is_read_from_a_copy() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let name = create(&store, "t");
        store.write(&name, a_cell()).unwrap();
        store.shut_down().unwrap();
        drop(store);
        let store = open(folder.path());
        store.write(&name, a_cell()).unwrap();
        // It is not closed, so that the journal has something to replay.
        drop(store);
        let journal = || std::fs::read(folder.path().join("engine/0.jnl")).unwrap();
        let before = journal();
        let (one, other) = (open_to_read(folder.path()), open_to_read(folder.path()));
        for store in [&one, &other] {
            let state = store.table(&name).unwrap();
            assert!(!state.state().unwrap().is_empty(&store.engine).unwrap());
            assert!(matches!(store.check_may_change(), Err(StoreError::ReadOnly { .. })));
            store.shut_down().unwrap();
        }
        assert!(matches!(
            OpenStore::open(folder.path(), EmbeddedOptions::default(), Arc::default()),
            Err(StoreError::Locked { .. })
        ));
        drop((one, other));
        assert_eq!(journal(), before);
    }
}
