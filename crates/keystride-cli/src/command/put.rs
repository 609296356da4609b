use keystride_store::TableName;
use keystride_table::Table;

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::row_args::read_row;
use crate::times::Times;

#[derive(Debug, clap::Args)]
pub(crate) struct Put {
    /// The table
    table: String,
    /// The row
    #[arg(value_name = "FIELD=VALUE", required = true)]
    fields: Vec<String>,
}

impl Put {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            let table = Table::open(store, &name).await?;
            let times = Times::of(global);
            let row = read_row(&times.reading(table.design()), &self.fields)?;
            table.put_rows(std::slice::from_ref(&row)).await?;
            Ok(Code::Done)
        })
    }
}
