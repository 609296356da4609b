//! Open stores with small tables, for the unit tests of several modules.

use std::path::Path;
use std::sync::Arc;

use keystride::SplitPoints;

use super::EmbeddedOptions;
use super::open_store::OpenStore;
use crate::{Family, FamilyName, MutationBatch, TableDescription, TableName, Write};

pub(super) fn open(folder: &Path) -> OpenStore {
    OpenStore::open(folder, EmbeddedOptions::default(), Arc::default()).unwrap()
}

/// Creates a table of the family `f`, and returns its name.
pub(super) fn create(store: &OpenStore, name: &str) -> TableName {
    let name = TableName::new(name).unwrap();
    let family = Family::new(FamilyName::new("f").unwrap());
    store.create(TableDescription::new(name.clone(), [family]), SplitPoints::default()).unwrap();
    name
}

/// Returns a write of a single cell.
pub(super) fn a_cell() -> Write {
    let mut batch = MutationBatch::new();
    batch.put(b"r", b"f", b"q", 1, b"v").unwrap();
    Write::of(batch)
}
