use std::path::PathBuf;

use keystride::escape::to_escaped;
use serde_json::Value;

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::output::Rows;

#[derive(Debug, clap::Args)]
pub(crate) struct Locate {
    /// The design file
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
    #[command(flatten)]
    key: KeyArg,
}

impl Locate {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(&self.design)?;
        let key = self.key.read()?;
        let points = file.split_points()?;
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
