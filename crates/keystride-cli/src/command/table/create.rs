use keystride_store::TableName;
use keystride_table::Table;

use super::super::design::hbase_shell;
use super::super::splits::{escaped_points, shell_points};
use super::fit::say_verdict;
use crate::design_arg::DesignArg;
use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::{print_lines, print_text, say};

#[derive(Debug, clap::Args)]
pub(crate) struct Create {
    #[command(flatten)]
    design: DesignArg,
    /// The table's name [default: the design's]
    #[arg(short, long, value_name = "NAME")]
    table: Option<String>,
    /// Split points in place of the design's, in escaped form
    #[arg(long, value_name = "A,B,…", allow_hyphen_values = true)]
    splits: Option<String>,
    /// Print the HBase shell's create line, and make nothing
    #[arg(long)]
    dry_run: bool,
    /// Exit with 0 if the table exists already, with the same design
    #[arg(long)]
    if_not_exists: bool,
}

impl Create {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(self.design.path())?;
        let points = match &self.splits {
            Some(points) => escaped_points(points)?,
            None => file.split_points(global)?,
        };
        let name = TableName::new(self.table.as_ref().unwrap_or(&file.design().table().name))?;
        if self.dry_run {
            let line = hbase_shell(&name.to_string(), file.design(), &shell_points(&points));
            print_text(global, "--dry-run", &line)?;
            return Ok(Code::Done);
        }
        let design = file.design().clone();
        with_store(global, Missing::Make, async |store| {
            if self.if_not_exists && store.exists(&name).await? {
                let fit = Table::open_with(store, &name, design).await?.fit(Some(&points)).await?;
                print_lines(global, "difference", fit.misfits.iter().map(ToString::to_string))?;
                say(global, &format!("{name} is there already"));
                return Ok(say_verdict(global, &name, &fit));
            }
            Table::create_as(store, &name, design, &points).await?;
            let count = points.region_count();
            say(global, &format!("{name}: {count} {}", if count == 1 { "region" } else { "regions" }));
            Ok(Code::Done)
        })
    }
}
