use serde_json::json;

use crate::failure::{Code, Failure};
use crate::global::{Format, Global};
use crate::output::{print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Version {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Version {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let version = env!("CARGO_PKG_VERSION");
        if self.json || global.format == Some(Format::Json) {
            print_json(&json!({ "format": 1, "name": "keystride", "version": version }))?;
        } else {
            print(&format!("keystride {version}"))?;
        }
        Ok(Code::Done)
    }
}
