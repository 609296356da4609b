//! The storage engine alone, given the entries that the store gives it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use fjall::compaction::Leveled;
use fjall::config::{BlockSizePolicy, CompressionPolicy, PinningPolicy};
use fjall::{
    CompressionType, Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode, UserKey,
    UserValue,
};
use tokio::runtime::Runtime;

use crate::{Cost, Home};

/// Entries in the batches in which a store wrote them.
#[derive(Debug)]
pub struct EngineBatches {
    batches: Vec<Vec<(UserKey, UserValue)>>,
}

/// The settings of the store's engine, and what it keeps in memory of one table before it goes to a file.
const BLOCK_BYTES: u32 = 16 << 10;
const TABLE_BYTES: u64 = 8 << 20;
const CACHE_BYTES: u64 = 64 << 20;
const MEMTABLE_BYTES: u64 = 48 << 20;
const WORKERS: usize = 3;

impl EngineBatches {
    /// What a table's only family has, read from the files of its store, which is closed.
    ///
    /// # Panics
    ///
    /// When they can't be read.
    pub fn of(runtime: &Runtime, home: &Home) -> Self {
        runtime.block_on(home.table.store().close()).expect("what is in memory goes to files");
        let db = open(&home.folder().join("engine"));
        // Names of families begin with the number of their table.
        let names = db.list_keyspace_names();
        let name = names.iter().find(|name| name.as_bytes().first().is_some_and(u8::is_ascii_digit));
        let keyspace = keyspace(&db, name.expect("the table has a family"));
        // A key ends with the number of its batch, all bits flipped; keys of a batch are given in their order.
        let mut batches: BTreeMap<[u8; 8], Vec<_>> = BTreeMap::new();
        for entry in keyspace.iter() {
            let (key, value) = entry.into_inner().expect("the engine reads what it wrote");
            let number = *key.last_chunk().expect("the key of an entry has a number");
            batches.entry(number).or_default().push((key, value));
        }
        Self { batches: batches.into_values().rev().collect() }
    }

    /// Writes them to an empty keyspace, each key and value copied into memory of its own as the engine does it, and flushes
    /// it; only that is measured.
    ///
    /// # Panics
    ///
    /// When they can't be written.
    pub fn write(&self) -> Cost {
        let folder = tempfile::tempdir().expect("a folder for files that go");
        let db = open(folder.path());
        let keyspace = keyspace(&db, "rows");
        Cost::of(|| {
            for entries in &self.batches {
                let batch = OwnedWriteBatch::with_capacity(db.clone(), entries.len());
                let mut batch = batch.durability(Some(PersistMode::Buffer));
                for (key, value) in entries {
                    batch.insert(&keyspace, &key[..], &value[..]);
                }
                batch.commit().expect("the engine takes a batch");
            }
            keyspace.rotate_memtable_and_wait().expect("memory goes to files");
        })
    }
}

fn open(folder: &Path) -> Database {
    let database = Database::builder(folder).cache_size(CACHE_BYTES).worker_threads_unchecked(WORKERS);
    database.open().expect("a folder that nobody has open")
}

fn keyspace(db: &Database, name: &str) -> Keyspace {
    db.keyspace(name, options).expect("a keyspace can be made")
}

fn options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
        .index_block_pinning_policy(PinningPolicy::all(false))
        .filter_block_pinning_policy(PinningPolicy::all(false))
        .compaction_strategy(Arc::new(Leveled::default().with_table_target_size(TABLE_BYTES)))
        .max_memtable_size(MEMTABLE_BYTES)
}
