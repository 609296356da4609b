//! Waiting for the engine's workers, and not for ever.
//!
//! fjall holds a writer back while too much of what was written waits for its workers. A writer that is held back would
//! wait without end in two cases. A worker that fails, at a full disk say, ends and poisons the database. And a worker is
//! told to merge files when files are written, and only then: if it can't just then, because another one merges what it
//! would need, it is not told again before the next write. So writers wait here, before the engine would make them, look
//! whether it is still sound, and merge files themselves when nobody does.

use std::sync::Arc;
use std::time::Duration;

use fjall::{AbstractTree, Keyspace, PersistMode};

use super::engine::{Engine, engine_error};
use super::write_buffer::{Flushed, memory_of};
use crate::StoreError;

/// The engine holds writers back from 4 on.
const MOST_SEALED_MEMTABLES: usize = 2;

/// The engine holds writers back from 30 sorted runs on; a run may have several tables.
const MOST_YOUNG_TABLES: usize = 24;

/// A key that no keyspace has.
const NO_KEY: &[u8] = b"no key";

const STEP: Duration = Duration::from_millis(5);

impl Engine {
    /// Returns when none of the keyspaces would hold a writer back.
    pub(super) fn wait_for_room(&self, keyspaces: &[Keyspace]) -> Result<(), StoreError> {
        keyspaces.iter().try_for_each(|keyspace| {
            self.wait_while(|| keyspace.sealed_memtable_count() > MOST_SEALED_MEMTABLES)?;
            self.merge_young(keyspace)
        })
    }

    /// Returns when a keyspace has few young tables.
    fn merge_young(&self, keyspace: &Keyspace) -> Result<(), StoreError> {
        while keyspace.l0_table_count() > MOST_YOUNG_TABLES {
            self.check_soundness()?;
            if self.db().active_compactions() == 0 {
                merge_once(keyspace)?;
            }
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    /// Moves what the keyspaces of a table have in memory to their files, and returns what that was.
    pub(super) fn flush(&self, keyspaces: &[Keyspace]) -> Result<Flushed, StoreError> {
        let flushed = self.seal(keyspaces)?;
        self.wait_for_files(keyspaces)?;
        Ok(flushed)
    }

    /// Has workers move what the keyspaces of a table have in memory to their files, and returns what that is.
    pub(super) fn seal(&self, keyspaces: &[Keyspace]) -> Result<Flushed, StoreError> {
        let mut sealed = Flushed::default();
        for keyspace in keyspaces {
            self.check_soundness()?;
            let memtable = keyspace.tree.active_memtable();
            let had_entries = !memtable.is_empty();
            let is_sealed = keyspace.rotate_memtable().map_err(engine_error("move memory to files"))?;
            // One that had entries has been sealed meanwhile, if not here.
            if had_entries || is_sealed {
                sealed.add(&memtable, memory_of(memtable.size(), memtable.len()));
            }
        }
        Ok(sealed)
    }

    /// Returns when what was sealed of the keyspaces is in files.
    pub(super) fn wait_for_files(&self, keyspaces: &[Keyspace]) -> Result<(), StoreError> {
        self.wait_while(|| !Self::is_in_files(keyspaces))
    }

    /// Whether what was sealed of the keyspaces is in files.
    pub(super) fn is_in_files(keyspaces: &[Keyspace]) -> bool {
        keyspaces.iter().all(|keyspace| keyspace.sealed_memtable_count() == 0)
    }

    /// Lets go of what is in files and also in memory, where nobody reads it there.
    ///
    /// fjall does it for all keyspaces when one of them is sealed, and only for what was in files before the last write:
    /// so it gets one, which removes a key that is not there.
    pub(super) fn release(&self, keyspace: &Keyspace) -> Result<(), StoreError> {
        keyspace.remove(NO_KEY).map_err(engine_error("write to disk"))?;
        self.seal(std::slice::from_ref(keyspace)).map(drop)
    }

    fn wait_while(&self, is_busy: impl Fn() -> bool) -> Result<(), StoreError> {
        while is_busy() {
            self.check_soundness()?;
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    /// Bringing the journal to the system costs little, and is refused by an engine that gave up.
    fn check_soundness(&self) -> Result<(), StoreError> {
        self.db().persist(PersistMode::Buffer).map_err(engine_error("write to disk"))
    }
}

/// The memory that entries take which are in no file.
pub(super) fn bytes_in_memory(keyspace: &Keyspace) -> u64 {
    let memtable = keyspace.tree.active_memtable();
    memory_of(memtable.size(), memtable.len())
}

/// Does what a worker does that is told to merge.
fn merge_once(keyspace: &Keyspace) -> Result<(), StoreError> {
    let strategy = Arc::clone(&keyspace.config.compaction_strategy);
    // Entries of one key that nobody sees any more are kept: the engine does not say what is still seen.
    let merged = keyspace.tree.compact(strategy, 0);
    merged.map_err(|source| engine_error("merge files")(source.into()))
}

#[cfg(test)]
mod tests {
    use fjall::KeyspaceCreateOptions;

    use super::*;
    use crate::EmbeddedOptions;

    #[test]
    fn what_is_in_files_is_let_go_of() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(folder.path(), &EmbeddedOptions::default()).unwrap();
        let catalog = engine.catalog().unwrap();
        let rows = [engine.db().keyspace("rows", KeyspaceCreateOptions::default).unwrap()];
        rows[0].insert("a", "1").unwrap();
        let flushed = engine.flush(&rows).unwrap();
        assert!(flushed.is_in_memory());
        // The worker that wrote the file lets go of it a moment later.
        let lets_go = (0..1_000).any(|_| {
            engine.release(&catalog).unwrap();
            !flushed.is_in_memory()
        });
        assert!(lets_go);
        assert_eq!(catalog.get(NO_KEY).unwrap(), None);
    }

    #[test]
    fn what_is_in_files_is_followed_while_it_is_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(folder.path(), &EmbeddedOptions::default()).unwrap();
        let keyspaces = [engine.catalog().unwrap()];
        let snapshot = engine.snapshot();
        keyspaces[0].insert("a", "1").unwrap();
        let first = engine.flush(&keyspaces).unwrap();
        assert!(first.is_in_memory());
        assert!(!engine.flush(&keyspaces).unwrap().is_in_memory(), "there was nothing to move");
        drop(snapshot);
        // The worker that wrote the file lets go of it a moment later.
        let lets_go = (0..1_000_u32).any(|number| {
            keyspaces[0].insert(number.to_be_bytes(), "2").unwrap();
            engine.flush(&keyspaces).unwrap();
            !first.is_in_memory()
        });
        assert!(lets_go);
    }

    #[test]
    fn young_tables_are_merged_where_no_worker_does_it() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::with_workers(folder.path(), &EmbeddedOptions::default(), 0).unwrap();
        let keyspace = engine.catalog().unwrap();
        for table in 0..=MOST_YOUNG_TABLES {
            let mut ingestion = keyspace.start_ingestion().unwrap();
            ingestion.write("a", format!("{table}")).unwrap();
            ingestion.write("b", "").unwrap();
            ingestion.finish().unwrap();
        }
        assert_eq!(keyspace.l0_table_count(), MOST_YOUNG_TABLES + 1);
        engine.wait_for_room(std::slice::from_ref(&keyspace)).unwrap();
        assert_eq!(keyspace.l0_table_count(), 0);
        assert_eq!(keyspace.get("a").unwrap().unwrap(), MOST_YOUNG_TABLES.to_string().as_bytes());
    }
}
