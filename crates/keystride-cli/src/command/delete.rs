use std::sync::atomic::{AtomicU64, Ordering};

use keystride::Predicate;
use keystride_table::{Query, Table};

use super::explain::print_explain;
use crate::failure::{Code, Failure, ignore_closed_pipe};
use crate::global::Global;
use crate::output::{print_number, say};
use crate::predicate_args::parse_predicate;
use crate::size::rows_text;
use crate::table_args::{TableArgs, with_table_to_write};

/// Deletes the rows that match a predicate, and prints how many
///
/// Without --yes they are only counted, and the exit code is 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Delete {
    #[command(flatten)]
    table: TableArgs,
    /// Which rows, such as "phone = '13800138000'"
    #[arg(long = "where", value_name = "PREDICATE")]
    predicate: String,
    /// Show which ranges would be read, and delete nothing
    #[arg(long)]
    explain: bool,
    /// Delete the rows
    #[arg(long)]
    yes: bool,
}

impl Delete {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let gone = AtomicU64::new(0);
        let done = with_table_to_write(global, &self.table.read()?, async |table| {
            let predicate = parse_predicate(&self.predicate, &global.reading(table.design()))?;
            if self.explain {
                let explain = table.prepare(&Query::of(predicate))?.explain().await?;
                print_explain(global, &explain)?;
                return Ok(Code::Done);
            }
            if !self.yes {
                let count = table.count(Some(&predicate)).await?;
                if global.format.is_some() {
                    print_number(global, "would_delete", count)?;
                }
                say(global, &format!("Would delete {}; confirm with --yes", rows_text(count)));
                return Ok(Code::No);
            }
            table.delete_rows(&predicate, &gone).await?;
            ignore_closed_pipe(print_number(global, "deleted", gone.swap(0, Ordering::Relaxed)))?;
            remaining(global, &table, &predicate).await
        });
        let gone = gone.into_inner();
        let is_cut_off = matches!(done, Err(Failure::Interrupted | Failure::TimedOut { .. }));
        if self.yes && !self.explain && done.is_err() && (is_cut_off || gone > 0) {
            say(
                global,
                &format!("deleted at least {}; the same command deletes the others", rows_text(gone)),
            );
        }
        done
    }
}

/// A delete marker has the store's time and hides what is not newer, so cells stay whose own times are ahead of it.
async fn remaining(global: &Global, table: &Table, predicate: &Predicate) -> Result<Code, Failure> {
    if table.design().columns().cell_time.is_none() {
        return Ok(Code::Done);
    }
    match table.count(Some(predicate)).await? {
        0 => Ok(Code::Done),
        count => {
            say(
                global,
                &format!(
                    "rows still there: {count}; their cells have later times than the store's clock, or were \
                     written meanwhile"
                ),
            );
            Ok(Code::Partly)
        }
    }
}
