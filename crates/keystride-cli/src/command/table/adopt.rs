use keystride_store::TableName;
use keystride_table::fit::FitDocument;
use keystride_table::{Kept, Table, TableError};

use super::fit::{print_fit, say_not_compared};
use crate::design_arg::DesignArg;
use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::say;

/// Keeps a design with a table that others made, after comparing the two
///
/// Families, split points and 1,000 keys of all regions are compared, and what does not fit is printed; the exit code
/// is then 1. From then on, commands on the table need no --design.
#[derive(Debug, clap::Args)]
pub(crate) struct Adopt {
    #[command(flatten)]
    design: DesignArg,
    /// The table [default: the design's]
    #[arg(short, long, value_name = "NAME")]
    table: Option<String>,
    /// Compare, and change nothing
    #[arg(long)]
    dry_run: bool,
}

impl Adopt {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(self.design.path())?;
        let points = file.own_split_points(global)?;
        let name = TableName::new(self.table.as_ref().unwrap_or(&file.design().table().name))?;
        with_store(global, Missing::Fail, async |store| {
            let table = Table::open_with(store, &name, file.design().clone()).await?;
            let compared = if self.dry_run {
                table.demand_fit(points.as_ref()).await
            } else {
                table.adopt(points.as_ref()).await
            };
            let fit = match compared {
                Err(TableError::Unfit { fit, .. }) => {
                    print_fit(global, &FitDocument::new(&name, &fit))?;
                    return Ok(Code::No);
                }
                fit => fit?,
            };
            print_fit(global, &FitDocument::new(&name, &fit))?;
            say_not_compared(global, &fit);
            let keys = fit.sampled_keys;
            say(
                global,
                &match (fit.kept, self.dry_run) {
                    (Kept::Same, _) => format!("{name} has this design already"),
                    (_, true) => format!("{name} fits this design, as far as {keys} keys tell"),
                    (_, false) => format!("{name} has this design now; {keys} keys were compared"),
                },
            );
            Ok(Code::Done)
        })
    }
}
