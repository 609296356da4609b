use std::path::PathBuf;

use keystride_store::TableName;
use keystride_table::Table;

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::{Rows, say};

/// Gives a table a new design that leaves its stored rows as they are
///
/// Fields and their cells can be added, limits widened, families added and given other settings, and everything changed
/// that stored rows do not depend on: column names, `[input]`, accesses, `[workload]` and so on. Each change is printed. A
/// design that would give stored keys or cells another meaning is refused, and the table then stays as it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Alter {
    /// The table [default: the design's]
    #[arg(short, long, value_name = "NAME")]
    table: Option<String>,
    /// The new design
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
}

impl Alter {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(&self.design)?;
        let name = TableName::new(self.table.as_ref().unwrap_or(&file.design().table().name))?;
        with_store(global, Missing::Fail, async |store| {
            let changes = Table::open(store, &name).await?.alter(file.design().clone()).await?;
            let count = changes.len();
            let rows = Rows::new(global, ["word", "was", "is"]);
            rows.print_documents(changes)?;
            say(
                global,
                &match count {
                    0 => format!("{name} has this design; nothing differs that its rows depend on"),
                    _ => format!("{name} has this design now; its rows are as they were"),
                },
            );
            Ok(Code::Done)
        })
    }
}
