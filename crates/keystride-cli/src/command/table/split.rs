use std::sync::Arc;

use keystride::{Key, KeyLanguage};
use keystride_store::{Region, Store, TableName};
use keystride_table::{Table, TableError};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::open_store::{Missing, with_store};
use crate::output::say;
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Split {
    /// The table
    table: String,
    #[command(flatten)]
    at: KeyArg,
    /// Split even where one of the two regions can hold no key of the design
    #[arg(long)]
    force: bool,
}

impl Split {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        let at = self.at.read()?;
        with_store(global, Missing::Fail, async |store| {
            if !self.force {
                check_both_hold_keys(&store, &name, &at).await?;
            }
            store.split(&name, &at).await?;
            say(global, &format!("{name} is split at {at}"));
            Ok(Code::Done)
        })
    }
}

/// Refuses a split of which one region can hold no key. Of a table whose design is not known nothing is.
async fn check_both_hold_keys(store: &Arc<dyn Store>, name: &TableName, at: &Key) -> Result<(), Failure> {
    let table = match Table::open(Arc::clone(store), name).await {
        Err(TableError::NoDesign { .. } | TableError::DesignNotTold { .. }) => return Ok(()),
        table => table?,
    };
    let regions = store.regions(name).await?;
    let is_cut =
        |region: &Region| region.range.contains(at.as_bytes()) && region.range.start() != at.as_bytes();
    // At the start of a region there is a split already, as the store says.
    let Some(region) = regions.into_iter().find(is_cut) else { return Ok(()) };
    let language = KeyLanguage::new(table.codec());
    let side = if !language.meets(region.range.start(), Some(at.as_bytes())) {
        "before"
    } else if !language.meets(at.as_bytes(), region.range.stop()) {
        "from"
    } else {
        return Ok(());
    };
    Err(Usage::EmptyRegion { side, at: at.clone() }.into())
}
