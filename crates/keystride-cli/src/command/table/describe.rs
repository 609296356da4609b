use keystride_store::TableName;
use keystride_table::DESIGN_ATTRIBUTE;
use serde_json::json;

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::print_text_or_document;

#[derive(Debug, clap::Args)]
pub(crate) struct Describe {
    /// The table
    table: String,
}

impl Describe {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            let described = store.describe(&name).await?;
            let design = described.attributes.get(DESIGN_ATTRIBUTE);
            print_text_or_document(
                global,
                "table describe",
                || design.map_or("the table carries no design", String::as_str).to_owned(),
                || {
                    let families = described.families.iter().map(|family| family.name.to_string());
                    let families: Vec<String> = families.collect();
                    json!({ "format": 1, "table": name.to_string(), "families": families, "design": design })
                },
            )?;
            Ok(Code::Done)
        })
    }
}
