use std::sync::Arc;

use keystride::{Key, KeyLanguage};
use keystride_store::{Store, TableName};
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
    let points = store.split_points(name).await?;
    let Some(side) = points.empty_side(&KeyLanguage::new(table.codec()), at) else { return Ok(()) };
    Err(Usage::EmptyRegion { side, at: at.clone() }.into())
}
