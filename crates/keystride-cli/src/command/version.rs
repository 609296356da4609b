use serde_json::json;

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::{print_document, print_text_or_document};

#[derive(Debug, clap::Args)]
pub(crate) struct Version {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Version {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let version = env!("CARGO_PKG_VERSION");
        let document = || json!({ "format": 1, "name": "keystride", "version": version });
        if self.json {
            print_document(global, &document())?;
        } else {
            print_text_or_document(global, "version", || format!("keystride {version}"), document)?;
        }
        Ok(Code::Done)
    }
}
