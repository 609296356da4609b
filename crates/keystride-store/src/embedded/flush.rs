//! Brings what is in memory to the files of tables.

use fjall::Keyspace;

use super::engine::Engine;
use super::open_store::OpenStore;
use super::write_buffer::{Flushed, Tables};
use crate::{StoreError, TableName};

impl OpenStore {
    /// Flushes a table's in-memory data to its files.
    pub(super) fn flush(&self, name: &TableName) -> Result<(), StoreError> {
        let keyspaces = self.keyspaces(name)?;
        self.write_buffer.note(|| self.engine.flush(&keyspaces))
    }

    /// Makes everything durable. Also tries to flush memory and journal to the tables' files, so that the next
    /// opening is fast; if that fails, for example because the disk is full, the journal still has all the data.
    pub(super) fn shut_down(&self) -> Result<(), StoreError> {
        self.engine.sync()?;
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
