use keystride_store::{AfterTruncate, EmbeddedOptions, Purpose, TableName};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, store_options, with_store_of};
use crate::output::say;
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Truncate {
    /// The table
    table: String,
    /// Keep the split points; without it, a single region holds all keys
    #[arg(long)]
    preserve: bool,
    /// Remove all rows
    #[arg(long)]
    yes: bool,
}

impl Truncate {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = confirmed(&self.table, self.yes)?;
        let after = if self.preserve { AfterTruncate::KeepSplits } else { AfterTruncate::OneRegion };
        with_store_of(global, Missing::Fail, options(global), async |store| {
            store.truncate(&name, after).await?;
            say(global, &format!("{name} is empty"));
            Ok(Code::Done)
        })
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct DropTable {
    /// The table
    table: String,
    /// Remove the table
    #[arg(long)]
    yes: bool,
}

impl DropTable {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = confirmed(&self.table, self.yes)?;
        with_store_of(global, Missing::Fail, options(global), async |store| {
            store.drop_table(&name).await?;
            say(global, &format!("{name} is gone"));
            Ok(Code::Done)
        })
    }
}

/// Rows are also removed when the disk is full.
fn options(global: &Global) -> EmbeddedOptions {
    EmbeddedOptions { purpose: Purpose::Removal, ..store_options(global) }
}

fn confirmed(table: &str, yes: bool) -> Result<TableName, Failure> {
    let name = TableName::new(table)?;
    if yes { Ok(name) } else { Err(Usage::NotConfirmed { table: name.to_string() }.into()) }
}
