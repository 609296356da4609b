//! The storage engine, set up for entries: fjall with one keyspace for each table and family.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use fjall::compaction::Leveled;
use fjall::config::{BlockSizePolicy, CompressionPolicy};
use fjall::{
    CompressionType, Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode, Snapshot,
};

use super::purge::Purge;
use super::record::TableRecord;
use crate::{EmbeddedOptions, StoreError};

/// Large blocks suit scans: 16 KiB cost a point read little more than the engine's 4 KiB and take a fifth less disk.
const BLOCK_BYTES: u32 = 16 * 1024;

/// The engine's files, of which the first level it sorts has four: about what waits above it where 128 MiB are for rows
/// written lately. With the engine's own 64 MiB files more is rewritten each time, and more memory taken to do so.
const TABLE_BYTES: u64 = 16 << 20;

/// The engine's threads that write and merge files. The first of them never merges, but hands such work on until another
/// one takes it. Each new file makes work for as many as there are: with two threads, the second of them busy, the first
/// would hand some of it to itself without a rest.
const LEAST_WORKERS: usize = 3;
const MOST_WORKERS: usize = 4;

/// The catalog's keyspace; those of families begin with a digit.
const CATALOG: &str = "catalog";

/// Names of keyspaces that hold nothing, see [`Engine::delete`].
const GUARD: &str = "guard.";

#[derive(Clone)]
pub(super) struct Engine {
    db: Database,
    purge: Purge,
    /// Held while keyspaces are deleted.
    deleting: Arc<Mutex<()>>,
}

impl Engine {
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
            fjall::Error::Locked => StoreError::Locked { folder: folder.to_owned() },
            source => StoreError::Engine { doing: "open its files", source },
        })?;
        Ok(Self { db, purge, deleting: Arc::default() })
    }

    pub(super) fn db(&self) -> &Database {
        &self.db
    }

    /// A batch with room for so many entries, which is as safe as `mode` says when it has been committed.
    pub(super) fn batch(&self, entries: usize, mode: PersistMode) -> OwnedWriteBatch {
        // Unlike one from the database it would stay in the process.
        OwnedWriteBatch::with_capacity(self.db.clone(), entries).durability(Some(mode))
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        self.db.snapshot()
    }

    /// The catalog's keyspace.
    pub(super) fn catalog(&self) -> Result<Keyspace, StoreError> {
        self.open_keyspace(CATALOG)
    }

    /// The keyspaces of a table that has them already.
    pub(super) fn find_keyspaces(&self, record: &TableRecord) -> Result<Vec<Keyspace>, StoreError> {
        let mut families = record.description.families.iter();
        if families.all(|family| self.db.keyspace_exists(&record.keyspace(&family.name))) {
            self.open_keyspaces(record)
        } else {
            Err(StoreError::Damaged { what: "the rows of a table" })
        }
    }

    /// The keyspaces of a table, one for each family; those that don't exist are made.
    pub(super) fn open_keyspaces(&self, record: &TableRecord) -> Result<Vec<Keyspace>, StoreError> {
        let open = record.description.families.iter().map(|family| {
            let name = record.keyspace(&family.name);
            self.purge.set(&name, family);
            self.open_keyspace(&name)
        });
        open.collect()
    }

    /// Removes keyspaces; their files go when nobody reads them any more.
    ///
    /// When fjall is opened it numbers new keyspaces after the highest number it finds in use, and the number of a
    /// deleted one may come back. Nor does it then count the changes of its own list of keyspaces, so what it writes
    /// about the new one may count as older than the deletion of the old one: after a crash such a database does not
    /// open any more. So no number is let go before a higher one is in use: that of an empty keyspace, the guard.
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

    /// Removes the keyspaces that are neither the catalog's nor of one of these tables: a table that was about to be
    /// made or removed, or a bulk load that was not finished, when the program was cut off.
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

    fn open_keyspace(&self, name: &str) -> Result<Keyspace, StoreError> {
        self.db.keyspace(name, keyspace_options).map_err(engine_error("open a table"))
    }

    /// The guards there are, ascending: one, or two after a crash.
    fn guards(&self) -> Vec<u64> {
        let names = self.db.list_keyspace_names();
        let mut guards: Vec<u64> =
            names.iter().filter_map(|name| name.strip_prefix(GUARD)?.parse().ok()).collect();
        guards.sort_unstable();
        guards
    }

    /// Returns when all that was written is on the disk.
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

/// Adds what was being done to the engine's reason.
pub(super) fn engine_error(doing: &'static str) -> impl Fn(fjall::Error) -> StoreError {
    move |source| match source {
        fjall::Error::Poisoned => StoreError::GaveUp { doing },
        source => StoreError::Engine { doing, source },
    }
}

/// The engine leaves young levels and bulk loads uncompressed unless told otherwise.
fn keyspace_options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
        .compaction_strategy(Arc::new(Leveled::default().with_table_target_size(TABLE_BYTES)))
}
