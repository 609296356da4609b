use std::path::PathBuf;

use keystride_store::TableName;
use keystride_table::{Table, TableError};
use serde_json::json;

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::{print_document, print_lines, say};

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
        let name = TableName::new(&self.table)?;
        let design = file.design().clone();
        with_store(global, Missing::Fail, async |store| match Table::open_with(store, &name, design).await {
            Ok(_) => {
                print_differences(global, &name, &[])?;
                say(global, &format!("{name} was made by this design"));
                Ok(Code::Done)
            }
            Err(TableError::OtherDesign { differences, .. }) => {
                print_differences(global, &name, &differences)?;
                Ok(Code::No)
            }
            Err(other) => Err(other.into()),
        })
    }
}

fn print_differences(global: &Global, name: &TableName, differences: &[String]) -> Result<(), Failure> {
    if global.is_json() {
        let (table, same) = (name.to_string(), differences.is_empty());
        let document = json!({ "format": 1, "table": table, "same": same, "differences": differences });
        return print_document(global, &document);
    }
    print_lines(global, "difference", differences.iter().cloned())
}
