//! Brings what is in memory to the files of tables.

use fjall::Keyspace;

use super::engine::{Engine, engine_error};
use super::open_store::OpenStore;
use super::write_buffer::{Flushed, Tables};
use crate::{StoreError, TableName};

impl OpenStore {
    /// Flushes a table's in-memory data to its files.
    pub(super) fn flush(&self, name: &TableName) -> Result<(), StoreError> {
        let keyspaces = self.keyspaces(name)?;
        self.open_scans.rows_go_to_files();
        self.write_buffer.note(|| self.engine.flush(&keyspaces))
    }

    /// Merges all files of a table, so that nothing is left in them that may be discarded.
    pub(super) fn compact(&self, name: &TableName) -> Result<(), StoreError> {
        self.flush(name)?;
        let merge = |keyspace: &Keyspace| keyspace.major_compact();
        self.keyspaces(name)?.iter().try_for_each(merge).map_err(engine_error("merge files"))
    }

    /// Makes everything durable. Also tries to flush memory and journal to the tables' files, so that the next
    /// opening is fast; if that fails, for example because the disk is full, the journal still has all the data.
    pub(super) fn shut_down(&self) -> Result<(), StoreError> {
        self.engine.sync()?;
        if self.check_may_change().is_err() {
            return Ok(());
        }
        let catalog = std::slice::from_ref(self.catalog.keyspace());
        let tables = self.seal().and_then(|_| self.wait_for_files());
        let _left_to_the_journal = tables.and_then(|()| self.engine.flush(catalog));
        Ok(())
    }

    fn of_each_table<T>(
        &self,
        act: impl Fn(&[Keyspace]) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let tables = self.table_names();
        let acts = tables.iter().map(|name| self.keyspaces(name).and_then(|keyspaces| act(&keyspaces)));
        // A table may have been removed in the meantime, with all its in-memory data.
        acts.filter(|done| !matches!(done, Err(StoreError::UnknownTable { .. }))).collect()
    }

    fn keyspaces(&self, name: &TableName) -> Result<Vec<Keyspace>, StoreError> {
        Ok(self.table(name)?.state()?.keyspaces.clone())
    }
}

impl Tables for OpenStore {
    fn seal(&self) -> Result<Vec<Flushed>, StoreError> {
        self.open_scans.rows_go_to_files();
        self.of_each_table(|keyspaces| self.engine.seal(keyspaces))
    }

    fn is_in_files(&self) -> Result<bool, StoreError> {
        let are_in_files = self.of_each_table(|keyspaces| Ok(Engine::is_in_files(keyspaces)))?;
        Ok(are_in_files.into_iter().all(|is_in_files| is_in_files))
    }

    fn wait_for_files(&self) -> Result<(), StoreError> {
        self.of_each_table(|keyspaces| self.engine.wait_for_files(keyspaces)).map(drop)
    }

    fn release(&self) -> Result<(), StoreError> {
        self.engine.release(self.catalog.keyspace())
    }

    fn wait_for_merges(&self) -> Result<bool, StoreError> {
        self.engine.wait_for_merges()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::fixture::{a_cell, create, open};
    use super::super::pressure::bytes_in_memory;
    use super::*;
    use crate::Write;

    /// A store with two tables of a row each.
    fn filled(folder: &Path) -> OpenStore {
        let store = open(folder);
        for name in ["t", "u"] {
            store.write(&create(&store, name), a_cell()).unwrap();
        }
        store
    }

    fn bytes_in_memory_of(store: &OpenStore) -> u64 {
        store.of_each_table(|keyspaces| Ok(bytes_in_memory(&keyspaces[0]))).unwrap().iter().sum()
    }

    #[test]
    fn an_opening_after_a_close_has_nothing_to_replay() {
        let folder = tempfile::tempdir().unwrap();
        drop(filled(folder.path()));
        let store = open(folder.path());
        assert!(bytes_in_memory_of(&store) > 0);
        store.shut_down().unwrap();
        drop(store);
        assert_eq!(bytes_in_memory_of(&open(folder.path())), 0);
    }

    #[test]
    fn a_flush_brings_the_table_to_files_before_it_returns() {
        let folder = tempfile::tempdir().unwrap();
        let (store, name) = (filled(folder.path()), TableName::new("t").unwrap());
        store.flush(&name).unwrap();
        let keyspaces = store.keyspaces(&name).unwrap();
        assert!(Engine::is_in_files(&keyspaces));
        assert_eq!((keyspaces[0].table_count(), bytes_in_memory(&keyspaces[0])), (1, 0));
    }

    #[test]
    fn a_flush_that_fails_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path());
        std::fs::remove_dir_all(folder.path().join("engine/keyspaces")).unwrap();
        let name = TableName::new("t").unwrap();
        assert!(matches!(store.flush(&name), Err(StoreError::GaveUp { .. })));
        assert!(matches!(
            store.write(&name, Write::default().with_note("n", *b"7")),
            Err(StoreError::GaveUp { .. })
        ));
    }

    #[test]
    fn all_tables_are_sealed_and_let_go_of() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path());
        let sealed = store.seal().unwrap();
        assert_eq!(sealed.len(), 2);
        store.wait_for_files().unwrap();
        assert!(store.is_in_files().unwrap());
        // The workers that wrote the files release them shortly afterwards.
        let lets_go = (0..100_000).any(|_| {
            std::thread::yield_now();
            store.release().unwrap();
            !sealed.iter().any(Flushed::is_in_memory)
        });
        assert!(lets_go);
    }
}
