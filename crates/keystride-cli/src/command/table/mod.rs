//! `keystride table`: makes, shows, splits, alters, adopts and removes tables.

mod adopt;
mod alter;
mod check;
mod compact;
mod create;
mod describe;
mod fit;
mod list;
mod regions;
mod remove;
mod split;

use clap::Subcommand;

use crate::failure::{Code, Failure};
use crate::global::Global;

#[derive(Debug, Subcommand)]
pub(crate) enum TableCommand {
    /// Makes a table for a design, split as the design says
    Create(create::Create),
    /// Lists the tables
    List(list::List),
    /// Shows a table's families and the design stored with it
    Describe(describe::Describe),
    /// Lists a table's regions
    #[command(alias = "list_regions")]
    Regions(regions::Regions),
    /// Prints a table's split points
    #[command(alias = "get_splits")]
    Splits(regions::SplitPoints),
    /// Splits a region in two
    Split(split::Split),
    /// Merges the files of each region
    ///
    /// Cells whose time to live is over, and versions that are too many, are left out, and their space is free then. A cluster
    /// leaves out what was deleted, too, and does all of it later.
    Compact(compact::Compact),
    /// Says whether a table was made by a design
    Check(check::Check),
    /// Gives a table a new design that leaves its rows as they are
    Alter(alter::Alter),
    /// Keeps a design with a table that others made
    Adopt(adopt::Adopt),
    /// Removes all rows of a table
    Truncate(remove::Truncate),
    /// Removes a table
    Drop(remove::DropTable),
}

impl TableCommand {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        match self {
            Self::Create(create) => create.run(global),
            Self::List(list) => list.run(global),
            Self::Describe(describe) => describe.run(global),
            Self::Regions(regions) => regions.run(global),
            Self::Splits(points) => points.run(global),
            Self::Split(split) => split.run(global),
            Self::Compact(compact) => compact.run(global),
            Self::Check(check) => check.run(global),
            Self::Alter(alter) => alter.run(global),
            Self::Adopt(adopt) => adopt.run(global),
            Self::Truncate(truncate) => truncate.run(global),
            Self::Drop(drop) => drop.run(global),
        }
    }
}
