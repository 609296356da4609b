//! Which families a table has, found out by reading: its description is for those who may change it.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use keystride_hbase::{Error, Get, Selection};

use super::HBaseStore;
use crate::{StoreError, TableName};

/// Families that tables were found to have.
#[derive(Debug, Default)]
pub(super) struct Families {
    of: Mutex<HashMap<TableName, BTreeSet<Vec<u8>>>>,
}

impl Families {
    pub(super) fn forget(&self, table: &TableName) {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).remove(table);
    }

    fn not_known<'a>(&self, table: &TableName, names: impl Iterator<Item = &'a [u8]>) -> BTreeSet<Vec<u8>> {
        let of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |name: &[u8]| of.get(table).is_some_and(|known| known.contains(name));
        names.filter(|name| !known(name)).map(<[u8]>::to_vec).collect()
    }

    fn learn(&self, table: &TableName, names: BTreeSet<Vec<u8>>) {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        of.entry(table.clone()).or_default().extend(names);
    }
}

impl HBaseStore {
    /// Demands that there is such a table, and that it has these families. Servers look at the families that a get or
    /// a put names, but not at those of filters and of changes that are not made.
    ///
    /// They are asked about a row that is to be used anyway, or about any if it is empty.
    pub(super) async fn demand_families<'a>(
        &self,
        table: &TableName,
        row: &[u8],
        names: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), StoreError> {
        let names = self.families.not_known(table, names);
        if names.is_empty() {
            return self.demand_table(table).await;
        }
        let row = if row.is_empty() { b"\0" } else { row };
        let asked = names.iter().fold(Selection::all(), Selection::family);
        match self.open()?.table(table.clone()).exists(&Get::new(row).select(asked)).await {
            Ok(_) => self.families.learn(table, names),
            // Who may write and not read is told by the write.
            Err(error) if error.is_denied() => {}
            Err(error) => return Err(self.failed(table, error)),
        }
        Ok(())
    }

    /// Demands that there is such a table; other faults are those of what is done with it.
    pub(super) async fn demand_table(&self, table: &TableName) -> Result<(), StoreError> {
        match self.open()?.region_of(table, b"").await {
            Err(error @ Error::NoTable { .. }) => Err(self.failed(table, error)),
            _ => Ok(()),
        }
    }
}

/// Returns the family that a server says its table does not have.
pub(super) fn missing_family(error: &Error) -> Option<String> {
    let error = error.remote().filter(|error| error.short_class() == "NoSuchColumnFamilyException")?;
    let named =
        error.message().split_once("olumn family ").and_then(|(_, rest)| rest.split_once(" does not exist"));
    Some(named.map_or_else(|| error.message(), |(name, _)| name).to_owned())
}
