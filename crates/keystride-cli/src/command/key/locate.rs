use std::path::PathBuf;

use keystride::SplitPoints;
use keystride::escape::to_escaped;
use keystride_store::{Region, TableName};
use serde_json::Value;

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::open_store::{Missing, with_store};
use crate::output::Rows;

#[derive(Debug, clap::Args)]
pub(crate) struct Locate {
    /// The design file
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
    /// A stored table, whose current regions are used instead of the design's initial ones
    #[arg(short, long, value_name = "TABLE")]
    table: Option<String>,
    #[command(flatten)]
    key: KeyArg,
}

/// Returns where a table is split now.
fn stored_points(global: &Global, name: &TableName) -> Result<SplitPoints, Failure> {
    with_store(global, Missing::Fail, async |store| {
        let regions = store.regions(name).await?;
        Ok(Region::split_points(&regions)?)
    })
}

impl Locate {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(&self.design)?;
        let key = self.key.read()?;
        let points = match &self.table {
            Some(table) => stored_points(global, &TableName::new(table)?)?,
            None => file.split_points(global)?,
        };
        let index = points.region_of(key.as_bytes());
        let mut rows = Rows::new(global, ["region", "of", "start", "stop"]);
        if let Some(region) = points.region(index) {
            let stop = region.stop().map_or(Value::Null, |stop| to_escaped(stop).into());
            rows.push(vec![
                index.into(),
                points.region_count().into(),
                to_escaped(region.start()).into(),
                stop,
            ])?;
        }
        rows.print()?;
        Ok(Code::Done)
    }
}
