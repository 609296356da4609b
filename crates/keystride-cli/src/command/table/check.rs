use std::path::PathBuf;

use keystride_store::TableName;
use keystride_table::{Table, TableError};

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::{Out, say};

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
                say(global, &format!("{name} was made by this design"));
                Ok(Code::Done)
            }
            Err(TableError::OtherDesign { differences, .. }) => {
                let mut out = Out::new();
                for line in differences {
                    out.line(line)?;
                }
                out.finish()?;
                Ok(Code::No)
            }
            Err(other) => Err(other.into()),
        })
    }
}
