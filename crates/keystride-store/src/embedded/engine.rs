//! The storage engine, set up for entries: fjall with one keyspace for each table and family.

use std::fmt;
use std::path::Path;

use fjall::config::{BlockSizePolicy, CompressionPolicy};
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode, Snapshot};

use super::catalog;
use super::purge::Purge;
use super::record::TableRecord;
use crate::{EmbeddedOptions, StoreError};

/// Large blocks suit scans: 16 KiB cost a point read little more than the engine's 4 KiB and take a fifth less disk.
const BLOCK_BYTES: u32 = 16 * 1024;

#[derive(Clone)]
pub(super) struct Engine {
    db: Database,
    purge: Purge,
}

impl Engine {
    pub(super) fn open(folder: &Path, options: &EmbeddedOptions) -> Result<Self, StoreError> {
        let purge = Purge::new(&options.clock);
        let db = Database::builder(folder)
            .cache_size(options.cache_bytes)
            .with_compaction_filter_factories(purge.factories())
            .open();
        let db = db.map_err(|source| match source {
            fjall::Error::Locked => StoreError::Locked { folder: folder.to_owned() },
            source => StoreError::Engine { doing: "open its files", source },
        })?;
        Ok(Self { db, purge })
    }

    pub(super) fn db(&self) -> &Database {
        &self.db
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        self.db.snapshot()
    }

    /// The catalog's keyspace.
    pub(super) fn catalog(&self) -> Result<Keyspace, StoreError> {
        self.db.keyspace(catalog::KEYSPACE, keyspace_options).map_err(engine_error("open the catalog"))
    }

    /// The keyspaces of a table, one for each family; those that don't exist are made.
    pub(super) fn open_keyspaces(&self, record: &TableRecord) -> Result<Vec<Keyspace>, StoreError> {
        let open = record.description.families.iter().map(|family| {
            let name = record.keyspace(&family.name);
            self.purge.set(&name, family);
            self.db.keyspace(&name, keyspace_options)
        });
        open.collect::<Result<_, _>>().map_err(engine_error("open a table"))
    }

    /// Removes keyspaces; their files go when nobody reads them any more.
    pub(super) fn delete(&self, keyspaces: Vec<Keyspace>) -> Result<(), StoreError> {
        for keyspace in keyspaces {
            self.purge.forget(keyspace.name());
            self.db.delete_keyspace(keyspace).map_err(engine_error("drop a table"))?;
        }
        Ok(())
    }

    /// Removes the keyspaces that are neither the catalog's nor of one of these tables: a table that was about to be
    /// made or removed, or a bulk load that was not finished, when the program was cut off.
    pub(super) fn delete_orphans(&self, tables: &[TableRecord]) -> Result<(), StoreError> {
        let families = |record: &TableRecord| {
            let names = record.description.families.iter().map(|family| record.keyspace(&family.name));
            names.collect::<Vec<_>>()
        };
        let known: std::collections::BTreeSet<String> = tables.iter().flat_map(families).collect();
        for name in self.db.list_keyspace_names() {
            if &*name != catalog::KEYSPACE && !known.contains(&*name) {
                let orphan = self.db.keyspace(&name, keyspace_options);
                self.delete(vec![orphan.map_err(engine_error("open a table"))?])?;
            }
        }
        Ok(())
    }

    /// Returns when all that was written is on the disk.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.db.persist(PersistMode::SyncAll).map_err(engine_error("bring the journal to disk"))
    }

    /// Moves what a keyspace has in memory to its files.
    pub(super) fn flush(keyspace: &Keyspace) -> Result<(), StoreError> {
        keyspace.rotate_memtable_and_wait().map_err(engine_error("move memory to files"))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// Adds what was being done to the engine's reason.
pub(super) fn engine_error(doing: &'static str) -> impl Fn(fjall::Error) -> StoreError {
    move |source| StoreError::Engine { doing, source }
}

/// The engine leaves young levels and bulk loads uncompressed unless told otherwise.
fn keyspace_options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
}
