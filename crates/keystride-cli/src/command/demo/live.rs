//! `keystride demo --open`: the flights arrive in three tables while the console shows it.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;

use keystride_console::{FileLoad, Listen, Options};
use keystride_store::{Store, TableName};
use keystride_table::Table;
use keystride_table::load::{Check, LoadId, LoadOptions, Way};

use super::earlier;
use super::flights::{self, Candidate};
use super::folder::DemoFolder;
use crate::console::Console;
use crate::failure::Failure;
use crate::global::Global;

/// So that one can watch: a year of flights in a minute and a half.
const ROWS_A_SECOND: NonZeroU64 = NonZeroU64::new(4_000).expect("not zero");

/// So that several batches are stored in each column of the map.
const BATCH_BYTES: NonZeroUsize = NonZeroUsize::new(64 << 10).expect("not zero");

/// Serves the console of the demo's tables, into which all flights are loaded meanwhile.
pub(super) fn show(global: &Global, folder: &DemoFolder, candidates: &[Candidate; 3]) -> Result<(), Failure> {
    let mut options = Options::new(global.backend()?.clone());
    options.allow_write = true;
    options.files = Some(folder.path().to_owned());
    let console = Console { listen: Listen::default(), options, open: true, page: "t/flights/heat" };
    console.serve(global, async |running| {
        for candidate in candidates {
            running.begin_load(load(running.store(), candidate).await?);
        }
        Ok(())
    })
}

async fn load(store: Arc<dyn Store>, candidate: &Candidate) -> Result<FileLoad, Failure> {
    let design = candidate.codec.design();
    let name = TableName::new(&design.table().name)?;
    let table = Table::create(Arc::clone(&store), design.clone(), &candidate.points).await?;
    earlier::sign(&*store, &name).await?;
    let options = LoadOptions {
        way: Way::Batches,
        check: Check::None,
        rows_per_s: Some(ROWS_A_SECOND),
        batch_bytes: BATCH_BYTES,
        ..LoadOptions::of(LoadId::new("demo"))
    };
    Ok(FileLoad {
        reader: flights::reader(design)?,
        what: "flights.csv.zst".to_owned(),
        command: "keystride demo".to_owned(),
        rejects: None,
        table,
        options,
    })
}
