use crate::cell_args::{is_cell, read_cells};
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::row_args::read_row;
use crate::table_args::{TableArgs, with_table_to_write};

#[derive(Debug, clap::Args)]
pub(crate) struct Put {
    #[command(flatten)]
    table: TableArgs,
    /// The row: fields, and additional cells as family:qualifier=value, in HBase's escaped form
    #[arg(value_name = "FIELD=VALUE", required = true)]
    words: Vec<String>,
}

impl Put {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        with_table_to_write(global, &self.table.read()?, async |table| {
            let (cells, fields): (Vec<&str>, Vec<&str>) =
                self.words.iter().map(String::as_str).partition(|word| is_cell(word));
            let row = read_row(&global.reading(table.design()), &fields)?;
            let cells = read_cells(table.design(), &cells)?;
            table.put_row(&row, &cells).await?;
            Ok(Code::Done)
        })
    }
}
