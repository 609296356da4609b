use std::path::PathBuf;

use keystride::{Design, SplitPoints};
use keystride_app::new_table::{NewFamily, NewTable, Schema, hbase_shell};
use keystride_store::{Family, TableName};
use keystride_table::Table;

use super::super::splits::escaped_points;
use super::fit::say_verdict;
use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::{print_lines, print_text, say};
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Create {
    #[command(flatten)]
    of: Of,
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
    #[arg(long, conflicts_with = "families")]
    if_not_exists: bool,
}

/// A design, or families alone.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Of {
    /// The design file; -d FILE says the same
    #[arg(value_name = "DESIGN")]
    design_file: Option<PathBuf>,
    #[arg(short, long, value_name = "FILE", hide = true)]
    design: Option<PathBuf>,
    /// A family of a table without a design, with settings in HBase's words: cf, or cf,VERSIONS=3,TTL=86400
    #[arg(long = "family", value_name = "NAME,…", requires = "table")]
    families: Vec<NewFamily>,
}

impl Create {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let table = self.table(global)?;
        if self.dry_run {
            let line = hbase_shell(&table.name.to_string(), &table.families(), &table.points);
            print_text(global, "--dry-run", &line)?;
            return Ok(Code::Done);
        }
        with_store(global, Missing::Make, async |store| {
            if let Schema::Design(design) = &table.schema
                && self.if_not_exists
                && store.exists(&table.name).await?
            {
                let opened = Table::open_with(store, &table.name, Design::clone(design)).await?;
                let fit = opened.fit(Some(&table.points)).await?;
                print_lines(global, "difference", fit.misfits.iter().map(ToString::to_string))?;
                say(global, &format!("{} is there already", table.name));
                return Ok(say_verdict(global, &table.name, &fit));
            }
            let (name, count) = (table.name.clone(), table.points.region_count());
            table.create(store).await?;
            say(global, &format!("{name}: {count} {}", if count == 1 { "region" } else { "regions" }));
            Ok(Code::Done)
        })
    }

    fn table(&self, global: &Global) -> Result<NewTable, Failure> {
        let points = self.splits.as_deref().map(escaped_points).transpose()?;
        let Some(path) = self.of.design_file.as_ref().or(self.of.design.as_ref()) else {
            let families = self.of.families.iter().cloned().map(Family::try_from);
            let families = families.collect::<Result<_, _>>().map_err(Usage::from)?;
            let name = TableName::new(self.table.as_deref().unwrap_or_default())?;
            let points = points.unwrap_or_else(SplitPoints::default);
            return Ok(NewTable { name, schema: Schema::Families(families), points });
        };
        let file = DesignFile::read(path)?;
        let points = points.map_or_else(|| file.split_points(global), Ok)?;
        let name = TableName::new(self.table.as_ref().unwrap_or(&file.design().table().name))?;
        Ok(NewTable { name, schema: Schema::Design(Box::new(file.design().clone())), points })
    }
}
