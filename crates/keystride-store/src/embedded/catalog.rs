//! The catalog: a keyspace that records the tables, their regions, their write counts and their notes.
//!
//! | Key | Value |
//! |---|---|
//! | `epoch` | number of times the store was opened, 8 bytes big-endian |
//! | `next table` | number of the next table, 8 bytes big-endian |
//! | `t` and the table's name | its record |
//! | `r` and the table's number | its regions |
//! | `c` and the table's number | the totals of its counts |
//! | `c`, the table's number and 4 bytes big-endian | the share of that number |
//! | `n`, the table's number and the note's key | a note |
//!
//! Every change of the catalog is one batch of the engine and durable when it returns. Counts and notes are also
//! written as a part of batches of rows, and are then as durable as these.

use std::fmt;

use fjall::{Database, Keyspace, OwnedWriteBatch, PersistMode};

use super::counts::CountRecord;
use super::engine::{Engine, engine_error};
use super::record::{RegionsRecord, TableRecord};
use crate::{Note, StoreError, TableName};

const EPOCH: &[u8] = b"epoch";
const NEXT_TABLE: &[u8] = b"next table";

/// More openings than a journal has seen: it is emptied whenever the store is closed.
const SKIPPED_EPOCHS: u64 = 1 << 12;

#[derive(Clone)]
pub(super) struct Catalog {
    db: Database,
    keyspace: Keyspace,
}

/// A change of the catalog that has not been committed yet.
pub(super) struct Change {
    batch: OwnedWriteBatch,
    keyspace: Keyspace,
}

impl Catalog {
    pub(super) fn open(engine: &Engine) -> Result<Self, StoreError> {
        Ok(Self { db: engine.db().clone(), keyspace: engine.catalog()? })
    }

    pub(super) fn keyspace(&self) -> &Keyspace {
        &self.keyspace
    }

    /// Increments and returns the number of times the store was opened.
    pub(super) fn next_epoch(&self) -> Result<u64, StoreError> {
        self.add_epochs(1)
    }

    /// Counts openings that may have been lost with a part of the journal: their numbers may be in files of tables.
    pub(super) fn skip_epochs(&self) -> Result<(), StoreError> {
        self.add_epochs(SKIPPED_EPOCHS).map(drop)
    }

    fn add_epochs(&self, count: u64) -> Result<u64, StoreError> {
        let epoch = self.number(EPOCH)?.unwrap_or(0).saturating_add(count);
        let mut change = self.change();
        change.put_number(EPOCH, epoch);
        change.commit()?;
        Ok(epoch)
    }

    /// Returns the number of the next table.
    pub(super) fn next_table(&self) -> Result<u64, StoreError> {
        Ok(self.number(NEXT_TABLE)?.unwrap_or(1))
    }

    /// Returns all tables, sorted by name.
    pub(super) fn tables(&self) -> Result<Vec<TableRecord>, StoreError> {
        let read = |entry: fjall::Guard| {
            let (key, json) = entry.into_inner().map_err(engine_error("read the catalog"))?;
            let name = std::str::from_utf8(&key[1..]).ok().and_then(|name| TableName::new(name).ok());
            let name = name.ok_or(StoreError::Damaged { what: "a table's name" })?;
            TableRecord::from_json(name, &json)
        };
        self.keyspace.prefix(b"t").map(read).collect()
    }

    pub(super) fn table(&self, name: &TableName) -> Result<Option<TableRecord>, StoreError> {
        let record = self.get(&table_key(name))?;
        record.map(|json| TableRecord::from_json(name.clone(), &json)).transpose()
    }

    pub(super) fn regions(&self, table: u64) -> Result<RegionsRecord, StoreError> {
        let record = self.get(&regions_key(table))?;
        RegionsRecord::from_bytes(&record.ok_or(StoreError::Damaged { what: "a table's regions" })?)
    }

    /// Returns a table's count records, totals first.
    pub(super) fn counts(&self, table: u64) -> impl Iterator<Item = Result<CountRecord, StoreError>> {
        let prefix = counts_key(table, None);
        self.keyspace.prefix(&prefix).map(move |entry| {
            let (key, bytes) = entry.into_inner().map_err(engine_error("read the catalog"))?;
            let share = match &key[prefix.len()..] {
                [] => None,
                &[a, b, c, d] => Some(u32::from_be_bytes([a, b, c, d])),
                _ => return Err(StoreError::Damaged { what: "the counts of a table" }),
            };
            Ok(CountRecord { share, bytes: bytes.to_vec() })
        })
    }

    pub(super) fn note(&self, table: u64, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.get(&note_key(table, key))?.map(|value| value.to_vec()))
    }

    /// Starts a change.
    pub(super) fn change(&self) -> Change {
        let batch = self.db.batch().durability(Some(PersistMode::SyncAll));
        Change { batch, keyspace: self.keyspace.clone() }
    }

    /// Adds the removal of all of a table's notes to a change.
    pub(super) fn forget_notes(&self, table: u64, change: &mut Change) -> Result<(), StoreError> {
        self.forget(&note_key(table, ""), change)
    }

    /// Adds the removal of all of a table's counts to a change.
    pub(super) fn forget_counts(&self, table: u64, change: &mut Change) -> Result<(), StoreError> {
        self.forget(&counts_key(table, None), change)
    }

    /// Adds notes to a batch that writes to families as well.
    pub(super) fn keep_notes(&self, table: u64, notes: &[Note], batch: &mut OwnedWriteBatch) {
        put_notes(&self.keyspace, table, notes, batch);
    }

    /// Adds a count record to a batch that writes to families as well.
    pub(super) fn keep_counts(&self, table: u64, counts: &CountRecord, batch: &mut OwnedWriteBatch) {
        put_counts(&self.keyspace, table, counts, batch);
    }

    fn forget(&self, prefix: &[u8], change: &mut Change) -> Result<(), StoreError> {
        for entry in self.keyspace.prefix(prefix) {
            let key = entry.key().map_err(engine_error("read the catalog"))?;
            change.batch.remove(&self.keyspace, key);
        }
        Ok(())
    }

    fn get(&self, key: &[u8]) -> Result<Option<fjall::UserValue>, StoreError> {
        self.keyspace.get(key).map_err(engine_error("read the catalog"))
    }

    fn number(&self, key: &[u8]) -> Result<Option<u64>, StoreError> {
        let Some(bytes) = self.get(key)? else { return Ok(None) };
        let bytes =
            (*bytes).try_into().map_err(|_| StoreError::Damaged { what: "a number of the catalog" })?;
        Ok(Some(u64::from_be_bytes(bytes)))
    }
}

impl Change {
    /// Creates or replaces a table's record.
    pub(super) fn put_table(&mut self, record: &TableRecord) {
        self.batch.insert(&self.keyspace, table_key(&record.description.name), record.to_json());
    }

    pub(super) fn put_regions(&mut self, table: u64, regions: &RegionsRecord) {
        self.batch.insert(&self.keyspace, regions_key(table), regions.to_bytes());
    }

    pub(super) fn put_notes(&mut self, table: u64, notes: &[Note]) {
        put_notes(&self.keyspace, table, notes, &mut self.batch);
    }

    pub(super) fn put_counts(&mut self, table: u64, counts: &CountRecord) {
        put_counts(&self.keyspace, table, counts, &mut self.batch);
    }

    pub(super) fn put_next_table(&mut self, number: u64) {
        self.put_number(NEXT_TABLE, number);
    }

    /// Removes a table's record and regions.
    pub(super) fn remove_table(&mut self, id: u64, name: &TableName) {
        self.batch.remove(&self.keyspace, table_key(name));
        self.batch.remove(&self.keyspace, regions_key(id));
    }

    /// Commits the change atomically and durably.
    pub(super) fn commit(self) -> Result<(), StoreError> {
        self.batch.commit().map_err(engine_error("change the catalog"))
    }

    fn put_number(&mut self, key: &[u8], number: u64) {
        self.batch.insert(&self.keyspace, key, number.to_be_bytes());
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog").finish_non_exhaustive()
    }
}

fn put_notes(keyspace: &Keyspace, table: u64, notes: &[Note], batch: &mut OwnedWriteBatch) {
    for note in notes {
        let key = note_key(table, &note.key);
        match &note.value {
            Some(value) => batch.insert(keyspace, key, value.as_slice()),
            None => batch.remove(keyspace, key),
        }
    }
}

fn put_counts(keyspace: &Keyspace, table: u64, counts: &CountRecord, batch: &mut OwnedWriteBatch) {
    batch.insert(keyspace, counts_key(table, counts.share), counts.bytes.as_slice());
}

fn table_key(name: &TableName) -> Vec<u8> {
    format!("t{}:{}", name.namespace(), name.qualifier()).into_bytes()
}

fn regions_key(table: u64) -> Vec<u8> {
    [b"r", table.to_be_bytes().as_slice()].concat()
}

fn counts_key(table: u64, share: Option<u32>) -> Vec<u8> {
    let share = share.map(u32::to_be_bytes);
    let share = share.as_ref().map_or(&[][..], |number| number);
    [b"c", table.to_be_bytes().as_slice(), share].concat()
}

fn note_key(table: u64, key: &str) -> Vec<u8> {
    [b"n", table.to_be_bytes().as_slice(), key.as_bytes()].concat()
}
