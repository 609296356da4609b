//! Opens a table by its design.

use std::sync::Arc;

use keystride::Design;
use keystride_store::{Store, StoreError, TableName};
use keystride_table::{Kept, Table, TableError};

use crate::known_designs::KnownDesigns;

/// A table that was opened.
#[derive(Debug)]
pub struct OpenTable {
    /// The table.
    pub table: Table,
    /// Why the table is used by the design that was read before: its cluster has no master that could be asked for it.
    pub untold: Option<StoreError>,
}

/// Opens a table by the design that is `given`, or else by the one stored with it. Where a cluster has no master, which
/// tells it, the design is the one that was stored when it was last read on this machine, and a given one must equal it.
///
/// # Errors
///
/// [`TableError`] when there is no such table, no design, or the given one is not its own.
pub async fn open_table(
    store: Arc<dyn Store>,
    name: &TableName,
    given: Option<&Design>,
) -> Result<OpenTable, TableError> {
    match given {
        Some(design) => by_given(store, name, design).await,
        None => by_stored(store, name).await,
    }
}

async fn by_given(store: Arc<dyn Store>, name: &TableName, design: &Design) -> Result<OpenTable, TableError> {
    let table = Table::open_with(Arc::clone(&store), name, design.clone()).await?;
    if table.kept() == Kept::NotTold
        && let Some(known) = KnownDesigns::of(&*store).await.and_then(|designs| designs.find(name))
    {
        table.demand_same(&known)?;
    }
    Ok(OpenTable { table, untold: None })
}

async fn by_stored(store: Arc<dyn Store>, name: &TableName) -> Result<OpenTable, TableError> {
    let designs = KnownDesigns::of(&*store).await;
    let told = Table::open(Arc::clone(&store), name).await;
    match (told, designs) {
        (Ok(table), designs) => {
            designs.inspect(|designs| designs.keep(name, table.design()));
            Ok(OpenTable { table, untold: None })
        }
        (Err(TableError::DesignNotTold { table, source }), Some(designs)) if source.is_without_master() => {
            match designs.find(&table) {
                Some(design) => {
                    Ok(OpenTable { table: Table::on_trust(store, &table, design)?, untold: Some(source) })
                }
                None => Err(TableError::DesignNotTold { table, source }),
            }
        }
        (Err(error), _) => Err(error),
    }
}
