use keystride::{Design, Row};
use keystride_store::TableName;

use super::values::{field_columns, row_values, rows_of};
use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::open_store::with_table;
use crate::row_args::{fields_named, read_row};
use crate::times::Times;
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Get {
    /// The table
    table: String,
    /// The fields of the key
    #[arg(value_name = "FIELD=VALUE", required = true)]
    fields: Vec<String>,
    /// Print only these fields
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    columns: Option<Vec<String>>,
}

impl Get {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        with_table(global, &TableName::new(&self.table)?, async |table| {
            let times = Times::of(global);
            let key = read_row(&times.reading(table.design()), &self.fields)?;
            check_is_for_key(table.design(), &key)?;
            let columns =
                self.columns.as_deref().map(|names| fields_named(table.design(), names)).transpose()?;
            let found = table.get(&key).await?;
            // A document says that there is no such row; other formats print nothing.
            if found.is_empty() && global.format != Some(Format::Json) {
                return Ok(Code::No);
            }
            let fields = field_columns(table.design(), columns.as_deref());
            let mut rows = rows_of(global, table.design(), &fields);
            for row in found.iter() {
                rows.push(row_values(table.design(), &fields, &times, |field| row.get(field)))?;
            }
            rows.print()?;
            Ok(if found.is_empty() { Code::No } else { Code::Done })
        })
    }
}

/// Refuses fields that the key does not depend on: they would not be compared with those of the row.
fn check_is_for_key(design: &Design, row: &Row) -> Result<(), Usage> {
    let needed = design.fields_for_key();
    let others = design.fields.iter().enumerate().filter(|(field, _)| !needed[*field]);
    match others.into_iter().find(|(field, _)| row.get(*field).is_some()) {
        Some((_, field)) => Err(Usage::NotForKey { field: field.name.clone() }),
        None => Ok(()),
    }
}
