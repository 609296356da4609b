use keystride_store::TableName;
use keystride_table::{Query, Table};
use serde_json::json;

use super::query::predicate;
use crate::failure::{Code, Failure, Usage};
use crate::global::{Format, Global};
use crate::open_store::{Missing, with_store};
use crate::output::{print, print_json, say};

/// Deletes rows by a predicate, and prints how many
///
/// Without --yes it only counts them, and ends with 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Delete {
    /// The table
    table: String,
    /// Which rows, such as "phone = '13800138000'"
    #[arg(long = "where", value_name = "PREDICATE")]
    predicate: String,
    /// Show which ranges are read for them, and delete nothing
    #[arg(long)]
    explain: bool,
    /// Do it: the rows go
    #[arg(long)]
    yes: bool,
}

impl Delete {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            let table = Table::open(store, &name).await?;
            let predicate = predicate(Some(&self.predicate), &table)?
                .ok_or(Usage::Needs { what: "delete", needs: "--where" })?;
            if self.explain {
                let explain = table.prepare(&Query::of(predicate))?.explain().await?;
                print(&explain.to_string())?;
                return Ok(Code::Done);
            }
            if !self.yes {
                let count = table.count(Some(&predicate)).await?;
                say(global, &format!("{count} rows would go; say --yes"));
                return Ok(Code::No);
            }
            let deleted = table.delete_rows(&predicate).await?;
            match global.format {
                Some(Format::Json | Format::Ndjson) => {
                    print_json(&json!({ "format": 1, "deleted": deleted }))?;
                }
                _ => print(&deleted.to_string())?,
            }
            Ok(Code::Done)
        })
    }
}
