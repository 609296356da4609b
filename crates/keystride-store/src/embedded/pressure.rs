//! Waiting for the engine's workers without the risk of waiting forever.
//!
//! fjall blocks a writer while too much unprocessed data waits for its workers. In two cases the writer would be
//! blocked indefinitely. First, a worker that fails, for example because the disk is full, terminates and poisons the
//! database. Second, a worker is asked to merge files only when files are written (and on startup): if it can't do so
//! at that moment because another one is merging files it would need, it is not asked again before the next write.
//! Therefore writers wait here, before the engine would block them, check that it is still healthy, and merge files
//! themselves if no worker does.

use std::sync::Arc;
use std::time::Duration;

use fjall::{AbstractTree, Keyspace, PersistMode};

use super::engine::{Engine, engine_error};
use super::write_buffer::{Flushed, memory_of};
use crate::StoreError;

/// The engine blocks writers at 4.
const MOST_SEALED_MEMTABLES: usize = 2;

/// The engine slows writers down at 20 sorted runs and blocks them at 30; a run may consist of several tables.
const MOST_YOUNG_TABLES: usize = 24;

/// A key that no keyspace contains.
const NO_KEY: &[u8] = b"no key";

const STEP: Duration = Duration::from_millis(5);

impl Engine {
    /// Waits until none of the keyspaces would block a writer.
    pub(super) fn wait_for_room(&self, keyspaces: &[Keyspace]) -> Result<(), StoreError> {
        keyspaces.iter().try_for_each(|keyspace| {
            self.wait_while(|| keyspace.sealed_memtable_count() > MOST_SEALED_MEMTABLES)?;
            self.merge_young(keyspace)
        })
    }

    /// Waits until a keyspace has few young tables, merging them if no worker does.
    pub(super) fn merge_young(&self, keyspace: &Keyspace) -> Result<(), StoreError> {
        while keyspace.l0_table_count() > MOST_YOUNG_TABLES {
            self.check_soundness()?;
            if self.db().active_compactions() == 0 {
                merge_once(keyspace)?;
            }
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    /// Flushes the in-memory data of keyspaces to files, as a worker would.
    fn flush_here(keyspaces: &[Keyspace]) -> Result<(), StoreError> {
        let flush =
            |keyspace: &Keyspace| keyspace.tree.flush_active_memtable(0).map_err(fjall::Error::Storage);
        keyspaces.iter().try_for_each(flush).map_err(engine_error("move memory to files"))
    }

    /// Flushes the in-memory data of a table's keyspaces to files, waits for it, and returns what was flushed.
    pub(super) fn flush(&self, keyspaces: &[Keyspace]) -> Result<Flushed, StoreError> {
        let flushed = self.seal(keyspaces)?;
        self.wait_for_files(keyspaces)?;
        Ok(flushed)
    }

    /// Seals the in-memory data of a table's keyspaces, so that workers flush it, and returns what was sealed.
    pub(super) fn seal(&self, keyspaces: &[Keyspace]) -> Result<Flushed, StoreError> {
        let mut sealed = Flushed::default();
        if !self.has_workers() {
            return Self::flush_here(keyspaces).map(|()| sealed);
        }
        for keyspace in keyspaces {
            self.check_soundness()?;
            let memtable = keyspace.tree.active_memtable();
            let had_entries = !memtable.is_empty();
            let is_sealed = keyspace.rotate_memtable().map_err(engine_error("move memory to files"))?;
            // If it had entries and was not sealed here, it has been sealed concurrently.
            if had_entries || is_sealed {
                sealed.add(&memtable, memory_of(memtable.size(), memtable.len()));
            }
        }
        Ok(sealed)
    }

    /// Waits until all sealed data of the keyspaces is in files.
    pub(super) fn wait_for_files(&self, keyspaces: &[Keyspace]) -> Result<(), StoreError> {
        self.wait_while(|| !Self::is_in_files(keyspaces))
    }

    /// Whether all sealed data of the keyspaces is in files.
    pub(super) fn is_in_files(keyspaces: &[Keyspace]) -> bool {
        keyspaces.iter().all(|keyspace| keyspace.sealed_memtable_count() == 0)
    }

    /// Whether all data of the keyspaces is in files.
    pub(super) fn is_all_in_files(keyspaces: &[Keyspace]) -> bool {
        Self::is_in_files(keyspaces)
            && keyspaces.iter().all(|keyspace| keyspace.tree.active_memtable().is_empty())
    }

    /// Releases in-memory data that is also in files and that no reader uses.
    ///
    /// fjall does this for all keyspaces whenever one of them is sealed, but only for data that was in files before
    /// the last write. Hence this first performs a write, the removal of a key that does not exist.
    pub(super) fn release(&self, keyspace: &Keyspace) -> Result<(), StoreError> {
        keyspace.remove(NO_KEY).map_err(engine_error("write to disk"))?;
        self.seal(std::slice::from_ref(keyspace)).map(drop)
    }

    /// Waits a moment if files are being merged; returns whether they were.
    pub(super) fn wait_for_merges(&self) -> Result<bool, StoreError> {
        let is_merging = self.db().active_compactions() > 0;
        if is_merging {
            self.pause()?;
        }
        Ok(is_merging)
    }

    fn wait_while(&self, is_busy: impl Fn() -> bool) -> Result<(), StoreError> {
        while is_busy() {
            self.pause()?;
        }
        Ok(())
    }

    /// Waits a moment; returns an error if the engine is poisoned.
    fn pause(&self) -> Result<(), StoreError> {
        self.check_soundness()?;
        std::thread::sleep(STEP);
        Ok(())
    }

    /// Returns an error if the engine is poisoned. Flushing the journal to the operating system is a cheap way to
    /// find out.
    fn check_soundness(&self) -> Result<(), StoreError> {
        self.db().persist(PersistMode::Buffer).map_err(engine_error("write to disk"))
    }
}

/// Returns the memory taken by entries that are not in files.
pub(super) fn bytes_in_memory(keyspace: &Keyspace) -> u64 {
    let memtable = keyspace.tree.active_memtable();
    memory_of(memtable.size(), memtable.len())
}

/// Runs one merge, as a worker would.
fn merge_once(keyspace: &Keyspace) -> Result<(), StoreError> {
    let strategy = Arc::clone(&keyspace.config.compaction_strategy);
    // Sequence number 0 keeps obsolete entries of a key: the engine does not expose which ones are still visible to
    // readers.
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
        let snapshot = engine.snapshot();
        rows[0].insert("a", "1").unwrap();
        let flushed = engine.flush(&rows).unwrap();
        assert!(flushed.is_in_memory());
        drop(snapshot);
        // The worker that wrote the file releases it shortly afterwards.
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
        // The worker that wrote the file releases it shortly afterwards.
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
