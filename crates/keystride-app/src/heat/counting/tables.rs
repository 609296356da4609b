//! What has passed, by table.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use keystride_heat::live::{Axis, Traffic};
use keystride_store::{MutationBatch, Region, RowBatch, TableName};

/// What has passed, by table.
#[derive(Debug, Default)]
pub(in crate::heat) struct Counted(Mutex<BTreeMap<TableName, Arc<OfTable>>>);

/// What has passed of one table.
#[derive(Debug, Default)]
pub(in crate::heat) struct OfTable(Mutex<Traffic>);

impl Counted {
    pub(in crate::heat) fn of(&self, table: &TableName) -> Arc<OfTable> {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.get(table) {
            return Arc::clone(known);
        }
        Arc::clone(tables.entry(table.clone()).or_default())
    }

    /// Forgets a table that is gone.
    pub(super) fn forget(&self, table: &TableName) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(table);
    }
}

impl OfTable {
    pub(in crate::heat) fn lock(&self) -> MutexGuard<'_, Traffic> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn written(&self, batch: &MutationBatch) {
        let mut traffic = self.lock();
        batch.rows().for_each(|row| traffic.written(row.key(), row.byte_count()));
    }

    pub(super) fn read(&self, batch: &RowBatch) {
        let mut traffic = self.lock();
        batch.rows().filter(|row| !row.is_empty()).for_each(|row| traffic.read(row.key()));
    }

    /// Takes the boundaries of regions, unless they do not lie side by side, as while one is moved.
    pub(super) fn see(&self, regions: &[Region]) {
        if let Ok(axis) = Axis::new(regions.iter().skip(1).map(|region| region.range.start())) {
            self.lock().set_regions(&axis);
        }
    }
}
