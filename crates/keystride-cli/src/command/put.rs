use keystride_store::TableName;

use crate::cell_args::{families_of, is_cell, read_cells};
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::with_table;
use crate::row_args::read_row;
use crate::times::Times;

#[derive(Debug, clap::Args)]
pub(crate) struct Put {
    /// The table
    table: String,
    /// The row: fields, and additional cells as family:qualifier=value, in HBase's escaped form
    #[arg(value_name = "FIELD=VALUE", required = true)]
    words: Vec<String>,
}

impl Put {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        with_table(global, &TableName::new(&self.table)?, async |table| {
            let times = Times::of(global);
            let (cells, fields): (Vec<&str>, Vec<&str>) =
                self.words.iter().map(String::as_str).partition(|word| is_cell(word));
            let row = read_row(&times.reading(table.design()), &fields)?;
            let cells = read_cells(table.design(), &families_of(&table).await?, &cells)?;
            table.put_row(&row, &cells).await?;
            Ok(Code::Done)
        })
    }
}
