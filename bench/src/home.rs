//! A table in an embedded store, for as long as it is needed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use keystride::{Design, SplitPoints};
use keystride_store::{Durability, EmbeddedOptions, EmbeddedStore, Reading, Store};
use keystride_table::Table;
use keystride_table::load::{Load, LoadId, LoadOptions};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::Input;

/// A table in a store of its own, which is gone when this is dropped.
#[derive(Debug)]
pub struct Home {
    /// The table.
    pub table: Table,
    folder: TempDir,
}

impl Home {
    /// An empty table, cut as its design says; the disk follows writes within a second.
    ///
    /// # Panics
    ///
    /// When it can't be made.
    pub fn new(runtime: &Runtime, design: &Design) -> Self {
        let points =
            design.split_points(&mut []).expect("the design's split points need nothing from outside");
        Self::cut_at(runtime, design, &points)
    }

    /// An empty table, cut at `points`.
    ///
    /// # Panics
    ///
    /// When it can't be made.
    pub fn cut_at(runtime: &Runtime, design: &Design, points: &SplitPoints) -> Self {
        let folder = tempfile::tempdir().expect("a folder for files that go");
        let table = runtime.block_on(async {
            let store = open(folder.path(), Reading::Ahead).await;
            Table::create(store, design.clone(), points).await.expect("an empty store takes a table")
        });
        Self { table, folder }
    }

    /// The same table in its store opened anew, to be read in place.
    ///
    /// # Panics
    ///
    /// When it can't be opened.
    #[must_use]
    pub fn read_in_place(self, runtime: &Runtime) -> Self {
        let Self { table, folder } = self;
        let name = table.name().clone();
        let table = runtime.block_on(async {
            table.store().close().await.expect("what is in memory goes to files");
            drop(table);
            let store = open(folder.path(), Reading::InPlace).await;
            Table::open(store, &name).await.expect("the table is there")
        });
        Self { table, folder }
    }

    /// Where the store is.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Loads all rows, and returns when the store has none of them in memory.
    ///
    /// # Panics
    ///
    /// When a row is not stored.
    pub fn load(&self, runtime: &Runtime, input: &Input, options: LoadOptions) {
        runtime.block_on(async {
            let report = Load::new(&self.table, options).run(input.reader(), &mut ()).await.expect("a load");
            assert_eq!(report.counts.rows, input.row_count, "every row is stored");
            self.table.store().flush(self.table.name()).await.expect("memory goes to files");
        });
    }

    /// A table with all rows in it.
    pub fn filled(runtime: &Runtime, input: &Input) -> Self {
        let home = Self::new(runtime, &input.design);
        home.load(runtime, input, LoadOptions::of(LoadId::new("bench")));
        home
    }
}

async fn open(folder: &Path, reading: Reading) -> Arc<dyn Store> {
    let durability = Durability::Interval(Duration::from_secs(1));
    let options = EmbeddedOptions { durability, reading, ..EmbeddedOptions::default() };
    Arc::new(EmbeddedStore::open(folder, options).await.expect("the folder opens"))
}

/// What runs the benches: as many threads as the machine has cores.
///
/// # Panics
///
/// When no thread can be made.
pub fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().build().expect("threads can be made")
}
