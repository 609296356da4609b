//! Creates, splits, empties and removes tables.

use std::sync::{Arc, MutexGuard, PoisonError};

use keystride::{Key, SplitPoints};

use super::open_store::OpenStore;
use super::record::{RegionsRecord, TableRecord};
use super::table::OpenTable;
use crate::{AfterTruncate, StoreError, TableDescription, TableName};

impl OpenStore {
    pub(super) fn create(
        &self,
        description: TableDescription,
        splits: SplitPoints,
    ) -> Result<(), StoreError> {
        let description = description.checked()?;
        self.check_may_change()?;
        let _admin = self.lock_admin();
        let name = description.name.clone();
        if self.table(&name).is_ok() {
            return Err(StoreError::TableExists { table: name });
        }
        let id = self.catalog.next_table()?;
        let record = TableRecord { id, generation: 0, description };
        let regions = RegionsRecord::new(splits, 1);
        let mut change = self.catalog.change();
        change.put_table(&record);
        change.put_regions(id, &regions);
        change.put_next_table(id + 1);
        // The catalog is changed last, so that every table in it has all its keyspaces.
        let keyspaces = self.engine.open_keyspaces(&record)?;
        change.commit()?;
        self.tables
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name, Arc::new(OpenTable::new(record, keyspaces, regions)));
        Ok(())
    }

    pub(super) fn alter(&self, change: &TableDescription) -> Result<(), StoreError> {
        self.table(&change.name)?.alter(&self.engine, &self.catalog, change)
    }

    pub(super) fn split(&self, name: &TableName, at: &Key) -> Result<(), StoreError> {
        let table = self.table(name)?;
        let rows = self.rows_around(&table, at)?;
        table.split(&self.catalog, at, rows)
    }

    pub(super) fn truncate(&self, name: &TableName, after: AfterTruncate) -> Result<(), StoreError> {
        let splits = match after {
            AfterTruncate::KeepSplits => None,
            AfterTruncate::OneRegion => Some(SplitPoints::default()),
        };
        self.table(name)?.truncate(&self.engine, &self.catalog, splits)
    }

    pub(super) fn drop_table(&self, name: &TableName) -> Result<(), StoreError> {
        let _admin = self.lock_admin();
        self.table(name)?.remove(&self.engine, &self.catalog)?;
        self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(name);
        Ok(())
    }

    fn lock_admin(&self) -> MutexGuard<'_, ()> {
        self.admin.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{a_cell, create, open};
    use super::*;

    #[test]
    fn a_dropped_table_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let name = create(&store, "t");
        store.write(&name, a_cell().with_note("n", *b"7")).unwrap();
        store.split(&name, &Key::new(*b"m").unwrap()).unwrap();
        let held = store.table(&name).unwrap();
        store.drop_table(&name).unwrap();
        assert!(matches!(held.state(), Err(StoreError::UnknownTable { .. })));
        let keys = store.catalog.keyspace().iter().map(|entry| entry.key().unwrap().to_vec());
        assert_eq!(keys.collect::<Vec<_>>(), [&b"epoch"[..], b"next table"]);
        let keyspaces = store.engine.db().list_keyspace_names();
        assert!(!keyspaces.iter().any(|name| name.starts_with("1.")), "{keyspaces:?}");
    }
}
