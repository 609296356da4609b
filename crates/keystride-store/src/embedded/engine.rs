//! The storage engine: fjall, with one keyspace per table and family.
//!
//! Its version is pinned, as functions are used that it hides from its documentation:
//!
//! | Hidden | Used for |
//! |---|---|
//! | `Builder::worker_threads_unchecked` | no background work while tables are removed on a full disk, or a store is only read |
//! | `Keyspace::tree`, `AbstractTree` | sizes of what is in memory; writing it to files, and merging files, without workers |
//! | `Keyspace::config` | the strategy for such merges |
//! | `Keyspace::rotate_memtable` | sealing what is in memory without waiting for it |
//! | `Keyspace::sealed_memtable_count`, `l0_table_count`, `Database::active_compactions` | waiting for workers before the engine would block a writer |
//!
//! `check/` and `journal/` read its files. To upgrade: compare the formats of `keyspaces/N/vN` and `current`, of the journal
//! and its end mark, and the numbers at which writers are slowed and blocked (`pressure.rs`); then run `tests/kill.rs`,
//! `tests/embedded/damage.rs` and the unit tests of `embedded/`.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use fjall::compaction::Leveled;
use fjall::config::{BlockSizePolicy, CompressionPolicy, PinningPolicy};
use fjall::{
    CompressionType, Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode, Snapshot,
};

use super::engine_fault::EngineFault;
use super::purge::Purge;
use super::record::TableRecord;
use crate::{EmbeddedOptions, StoreError, TableDescription};

/// Block size. Large blocks are good for scans: compared to the engine's default of 4 KiB, 16 KiB cost point reads
/// little and save a fifth of the disk space.
const BLOCK_BYTES: u32 = 16 * 1024;

/// Target size of the engine's files. Its first sorted level holds four of them, about as many rows as a full write
/// buffer. With the engine's default of 64 MiB, each merge rewrites more, takes more memory, and keeps rows in memory
/// for longer.
const TABLE_BYTES: u64 = 8 << 20;

/// Number of engine threads that flush and merge files. The first thread never merges but puts merge tasks back into
/// the queue until another thread takes them, and each flush queues as many tasks as there are threads. With only two
/// threads, the first would requeue tasks in a busy loop while the second one is merging.
const LEAST_WORKERS: usize = 3;
const MOST_WORKERS: usize = 4;

/// Name of the catalog's keyspace; names of family keyspaces start with a digit.
pub(super) const CATALOG: &str = "catalog";

/// Name prefix of empty guard keyspaces, see [`Engine::delete`].
const GUARD: &str = "guard.";

#[derive(Clone)]
pub(super) struct Engine {
    db: Database,
    purge: Purge,
    has_workers: bool,
    /// Held while keyspaces are deleted.
    deleting: Arc<Mutex<()>>,
}

impl Engine {
    /// Makes the engine's files, with an empty catalog, in a new folder.
    pub(super) fn create(folder: &Path) -> Result<(), StoreError> {
        Self::with_workers(folder, &EmbeddedOptions::default(), 0)?.catalog().map(drop)
    }

    /// Opens it so that nothing but what is asked for is written: files are neither written nor merged in the background.
    pub(super) fn open_without_workers(folder: &Path, options: &EmbeddedOptions) -> Result<Self, StoreError> {
        Self::with_workers(folder, options, 0)
    }

    pub(super) fn open(folder: &Path, options: &EmbeddedOptions) -> Result<Self, StoreError> {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        Self::with_workers(folder, options, cores.clamp(LEAST_WORKERS, MOST_WORKERS))
    }

    pub(super) fn with_workers(
        folder: &Path,
        options: &EmbeddedOptions,
        workers: usize,
    ) -> Result<Self, StoreError> {
        let purge = Purge::new(&options.clock);
        let db = Database::builder(folder)
            .cache_size(options.cache_bytes)
            .worker_threads_unchecked(workers)
            .with_compaction_filter_factories(purge.factories())
            .open();
        let db = db.map_err(|source| match source {
            fjall::Error::Locked => StoreError::Locked { folder: folder.to_owned(), holder: None },
            source => StoreError::Engine { doing: "open its files", source: EngineFault::new(source) },
        })?;
        Ok(Self { db, purge, has_workers: workers > 0, deleting: Arc::default() })
    }

    pub(super) fn has_workers(&self) -> bool {
        self.has_workers
    }

    pub(super) fn db(&self) -> &Database {
        &self.db
    }

    /// Creates a batch with capacity for `entries` entries that has the durability `mode` once it is committed.
    pub(super) fn batch(&self, entries: usize, mode: PersistMode) -> OwnedWriteBatch {
        // Without an explicit mode, a batch created this way would stay in the process's buffers.
        OwnedWriteBatch::with_capacity(self.db.clone(), entries).durability(Some(mode))
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        self.db.snapshot()
    }

    /// Opens the catalog's keyspace, creating it if there are no others.
    pub(super) fn catalog(&self) -> Result<Keyspace, StoreError> {
        if !self.db.keyspace_exists(CATALOG) && self.db.keyspace_count() > 0 {
            return Err(StoreError::Damaged { what: "the list of its tables" });
        }
        self.open_keyspace(CATALOG)
    }

    /// Opens the existing keyspaces of a table.
    pub(super) fn find_keyspaces(&self, record: &TableRecord) -> Result<Vec<Keyspace>, StoreError> {
        let mut families = record.description.families.iter();
        if families.all(|family| self.db.keyspace_exists(&record.keyspace(&family.name))) {
            self.open_keyspaces(record)
        } else {
            Err(StoreError::Damaged { what: "the rows of a table" })
        }
    }

    /// Opens the keyspaces of a table, one per family, creating those that do not exist.
    pub(super) fn open_keyspaces(&self, record: &TableRecord) -> Result<Vec<Keyspace>, StoreError> {
        let open = record.description.families.iter().map(|family| {
            let name = record.keyspace(&family.name);
            self.purge.set(&name, family);
            self.open_keyspace(&name)
        });
        open.collect()
    }

    /// Deletes keyspaces; their files are removed once no reader uses them.
    ///
    /// After it is opened, fjall numbers new keyspaces after the highest number in use, so the number of a deleted
    /// one may be reused. It also does not take the changes of its own list of keyspaces into account when it
    /// recovers its sequence number, so what it writes about the new keyspace may count as older than the deletion of
    /// the old one. After a crash such a database can no longer be opened. To prevent this, no number is released
    /// before a higher one is in use: that of an empty keyspace, the guard.
    pub(super) fn delete(&self, keyspaces: Vec<Keyspace>) -> Result<(), StoreError> {
        if keyspaces.is_empty() {
            return Ok(());
        }
        let _deleting = self.deleting.lock().unwrap_or_else(PoisonError::into_inner);
        let guards = self.guards();
        let next = guards.last().map_or(1, |last| last + 1);
        self.open_keyspace(&guard_name(next))?;
        for keyspace in keyspaces {
            self.purge.forget(keyspace.name());
            self.delete_one(keyspace)?;
        }
        for guard in guards {
            self.delete_one(self.open_keyspace(&guard_name(guard))?)?;
        }
        Ok(())
    }

    /// Deletes keyspaces that are no longer in the catalog. What led to it is done, so a failure is not reported: the
    /// next opening of the store deletes what is left.
    pub(super) fn discard(&self, keyspaces: Vec<Keyspace>) {
        let _ = self.delete(keyspaces);
    }

    /// Deletes the keyspaces that belong neither to the catalog nor to one of these tables. They remain if the
    /// program was interrupted while creating or removing a table, or during a bulk load.
    pub(super) fn delete_orphans(&self, tables: &[TableRecord]) -> Result<(), StoreError> {
        let names = |record: &TableRecord| {
            let names = record.description.families.iter().map(|family| record.keyspace(&family.name));
            names.collect::<Vec<_>>()
        };
        let known: BTreeSet<String> = tables.iter().flat_map(names).collect();
        let is_orphan = |name: &str| name != CATALOG && !name.starts_with(GUARD) && !known.contains(name);
        let orphans = self.db.list_keyspace_names().into_iter().filter(|name| is_orphan(name));
        self.delete(orphans.map(|name| self.open_keyspace(&name)).collect::<Result<_, _>>()?)
    }

    fn delete_one(&self, keyspace: Keyspace) -> Result<(), StoreError> {
        self.db.delete_keyspace(keyspace).map_err(engine_error("drop a table"))
    }

    /// Takes back the rules of a change that could not be stored.
    pub(super) fn keep_as_before(&self, table: &TableDescription, keyspaces: &[Keyspace]) {
        for (family, keyspace) in table.families.iter().zip(keyspaces) {
            self.purge.set(keyspace.name(), family);
        }
    }

    fn open_keyspace(&self, name: &str) -> Result<Keyspace, StoreError> {
        self.db.keyspace(name, keyspace_options).map_err(engine_error("open a table"))
    }

    /// Returns the numbers of the existing guards, ascending: usually one, two after a crash.
    fn guards(&self) -> Vec<u64> {
        let names = self.db.list_keyspace_names();
        let mut guards: Vec<u64> =
            names.iter().filter_map(|name| name.strip_prefix(GUARD)?.parse().ok()).collect();
        guards.sort_unstable();
        guards
    }

    /// Waits until everything written is on disk.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.db.persist(PersistMode::SyncAll).map_err(engine_error("bring the journal to disk"))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

fn guard_name(number: u64) -> String {
    format!("{GUARD}{number}")
}

/// Wraps an engine error with the operation that failed.
pub(super) fn engine_error(doing: &'static str) -> impl Fn(fjall::Error) -> StoreError {
    move |source| match source {
        fjall::Error::Poisoned => StoreError::GaveUp { doing },
        source => StoreError::Engine { doing, source: EngineFault::new(source) },
    }
}

/// Compresses all levels; by default the engine leaves young levels and bulk loads uncompressed.
///
/// Pins no indexes and filters, but leaves them to the cache: the engine would keep those of files that were written
/// young, so that the memory of a load would grow with the table.
fn keyspace_options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
        .index_block_pinning_policy(PinningPolicy::all(false))
        .filter_block_pinning_policy(PinningPolicy::all(false))
        .compaction_strategy(Arc::new(Leveled::default().with_table_target_size(TABLE_BYTES)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, FamilyName, TableDescription, TableName};

    fn open(folder: &Path) -> Engine {
        Engine::open(folder, &EmbeddedOptions::default()).unwrap()
    }

    fn table() -> TableRecord {
        let families = ["a", "b"].map(|name| Family::new(FamilyName::new(name).unwrap()));
        let description = TableDescription::new(TableName::new("t").unwrap(), families);
        TableRecord { id: 7, generation: 2, description }
    }

    fn names(engine: &Engine) -> BTreeSet<String> {
        engine.db.list_keyspace_names().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_deletion_leaves_a_guard_with_a_higher_number() {
        let folder = tempfile::tempdir().unwrap();
        let engine = open(folder.path());
        let delete_one_more = || engine.delete(vec![engine.open_keyspace("1.0.f").unwrap()]).unwrap();
        for number in [1, 2] {
            delete_one_more();
            assert_eq!(engine.guards(), [number]);
        }
        for left_by_a_crash in [100, 12] {
            engine.open_keyspace(&guard_name(left_by_a_crash)).unwrap();
        }
        delete_one_more();
        engine.delete(vec![]).unwrap();
        assert_eq!(names(&engine), BTreeSet::from(["guard.101".into()]));
    }

    #[test]
    fn only_what_belongs_to_no_table_is_an_orphan() {
        let folder = tempfile::tempdir().unwrap();
        let engine = open(folder.path());
        engine.catalog().unwrap();
        engine.open_keyspaces(&table()).unwrap();
        engine.open_keyspace(&guard_name(4)).unwrap();
        let before = names(&engine);
        engine.delete_orphans(&[table()]).unwrap();
        assert_eq!(names(&engine), before);
        engine.open_keyspace("7.3.a").unwrap();
        engine.delete_orphans(&[table()]).unwrap();
        let expected = ["7.2.a", "7.2.b", "catalog", "guard.5"].map(String::from);
        assert_eq!(names(&engine), BTreeSet::from(expected));
    }

    #[test]
    fn a_table_without_one_of_its_keyspaces_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let engine = open(folder.path());
        for exists in ["7.2.b", "7.2.a"] {
            assert!(matches!(engine.find_keyspaces(&table()), Err(StoreError::Damaged { .. })));
            engine.open_keyspace(exists).unwrap();
        }
        assert_eq!(engine.find_keyspaces(&table()).unwrap().len(), 2);
    }
}
