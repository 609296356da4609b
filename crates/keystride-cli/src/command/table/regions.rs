use std::cmp::Reverse;

use clap::ValueEnum;
use keystride_store::{Region, RegionCounts, RegionDocument, TableName};

use super::super::splits::print_points;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyForm;
use crate::open_store::{Missing, with_store};
use crate::output::Rows;
use crate::silent_servers::say_silent_servers;

#[derive(Debug, clap::Args)]
pub(crate) struct Regions {
    /// The table
    table: String,
    /// The order of the regions
    #[arg(long, value_enum, default_value = "key")]
    sort: Sort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// By key
    Key,
    /// Most written first
    Writes,
    /// Most read first
    Reads,
}

const COLUMNS: [&str; 9] =
    ["region", "start", "stop", "id", "rows_written", "bytes_written", "rows_read", "server", "state"];

impl Regions {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            let mut regions: Vec<(usize, Region)> =
                store.regions(&name).await?.into_iter().enumerate().collect();
            say_silent_servers(global, regions.iter().map(|(_, region)| region));
            let known = |region: &Region, count: fn(&RegionCounts) -> u64| region.known_counts().map(count);
            // Those of which nothing is known come last.
            match self.sort {
                Sort::Key => {}
                Sort::Writes => {
                    regions.sort_by_key(|(_, region)| Reverse(known(region, |of| of.rows_written)));
                }
                Sort::Reads => regions.sort_by_key(|(_, region)| Reverse(known(region, |of| of.rows_read))),
            }
            let documents = regions.iter().map(|(index, region)| RegionDocument::new(*index, region));
            Rows::new(global, COLUMNS).print_documents(documents)?;
            Ok(Code::Done)
        })
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct SplitPoints {
    /// The table
    table: String,
}

impl SplitPoints {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            let points = store.split_points(&name).await?;
            print_points(global, &points, KeyForm::Escaped)?;
            Ok(Code::Done)
        })
    }
}
