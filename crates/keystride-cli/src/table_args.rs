//! A table on the command line, and the design by which it is read.

use std::path::PathBuf;
use std::sync::Arc;

use keystride_app::{OpenTable, open_table};
use keystride_store::{Store, TableName};
use keystride_table::{Kept, Table};

use crate::design_file::DesignFile;
use crate::failure::Failure;
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::say;

/// A table, and its design if none is stored with it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TableArgs {
    /// The table
    table: String,
    /// The design file of a table with which none is stored; else it must be the table's own
    #[arg(short, long, value_name = "FILE")]
    design: Option<PathBuf>,
}

/// A table that is named, and the design given for it.
#[derive(Debug)]
pub(crate) struct NamedTable {
    pub(crate) name: TableName,
    pub(crate) design: Option<DesignFile>,
}

impl TableArgs {
    /// Reads the design file, if there is one.
    pub(crate) fn read(&self) -> Result<NamedTable, Failure> {
        let design = self.design.as_deref().map(DesignFile::read).transpose()?;
        Ok(NamedTable { name: TableName::new(&self.table)?, design })
    }
}

impl NamedTable {
    /// Opens the table by the design given, or else by the one stored with it.
    pub(crate) async fn open(&self, global: &Global, store: Arc<dyn Store>) -> Result<Table, Failure> {
        let given = self.design.as_ref().map(DesignFile::design);
        let OpenTable { table, untold } = open_table(store, &self.name, given).await?;
        if let Some(cause) = untold {
            say(global, &format!("{cause}\ntable {} is used by the design that was read before", self.name));
        }
        Ok(table)
    }

    /// Like [`Self::open`], for commands that write: a design that was handed over must fit a table that does not carry
    /// it.
    pub(crate) async fn open_to_write(
        &self,
        global: &Global,
        store: Arc<dyn Store>,
    ) -> Result<Table, Failure> {
        let table = self.open(global, store).await?;
        if let Some(file) = &self.design
            && table.kept() != Kept::Same
        {
            let fit = table.demand_fit(file.own_split_points(global)?.as_ref()).await?;
            tracing::info!(table = %self.name, keys = fit.sampled_keys, "the design fits the table");
        }
        Ok(table)
    }

    /// Refuses a design that is not the table's own, for commands that need none.
    pub(crate) async fn check(&self, global: &Global, store: &Arc<dyn Store>) -> Result<(), Failure> {
        if self.design.is_some() { self.open(global, Arc::clone(store)).await.map(drop) } else { Ok(()) }
    }
}

/// Like [`with_table`], for commands that write.
pub(crate) fn with_table_to_write<T>(
    global: &Global,
    table: &NamedTable,
    work: impl AsyncFnOnce(Table) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_store(global, Missing::Fail, async |store| work(table.open_to_write(global, store).await?).await)
}

/// Opens the store and a table that exists in it, does `work` with the table, and closes the store.
pub(crate) fn with_table<T>(
    global: &Global,
    table: &NamedTable,
    work: impl AsyncFnOnce(Table) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_store(global, Missing::Fail, async |store| work(table.open(global, store).await?).await)
}
