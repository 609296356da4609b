use std::path::PathBuf;

use keystride_store::TableName;
use keystride_table::fit::FitDocument;
use keystride_table::{Table, TableError};

use super::fit::{print_fit, say_verdict};
use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};

/// Says whether a table was made by a design
///
/// The design is compared with the one stored with the table, its families and 1,000 keys of all regions; where none
/// is stored, with its split points too. What differs is printed, and the exit code is then 1; it is also 1 where no
/// design is stored.
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// The table
    table: String,
    /// The design file
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
}

impl Check {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(&self.design)?;
        let points = file.own_split_points(global)?;
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            match Table::open_with(store, &name, file.design().clone()).await {
                Err(TableError::OtherDesign { differences, .. }) => {
                    print_fit(global, &FitDocument::of_other_design(&name, differences))?;
                    Ok(Code::No)
                }
                table => {
                    let fit = table?.fit(points.as_ref()).await?;
                    print_fit(global, &FitDocument::new(&name, &fit))?;
                    Ok(say_verdict(global, &name, &fit))
                }
            }
        })
    }
}
