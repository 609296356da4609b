//! `keystride scan`: cells as they are stored.

use futures_util::TryStreamExt as _;
use keystride::escape::to_escaped;
use keystride::{KeyRange, Predicate};
use keystride_store::{Order, RowBatch, TableName};
use keystride_table::{Query, RowOrder};
use serde_json::Value;

use crate::cell_args::{families_of, read_columns};
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::read_escaped;
use crate::open_store::with_table;
use crate::output::Rows;
use crate::predicate_args::parse_any;
use crate::size::parse_whole;
use crate::times::Times;
use crate::usage::Usage;

/// Prints cells as they are stored, row by row in the order of keys
///
/// Nothing is decoded: keys, columns and values are in HBase's escaped form. `query` shows rows as fields.
#[derive(Debug, clap::Args)]
pub(crate) struct Scan {
    /// The table
    table: String,
    /// Which rows, such as "phone = '13800138000'"; they come in the order of keys whatever their bucket
    #[arg(long = "where", value_name = "PREDICATE", conflicts_with_all = ["raw_start", "raw_stop"])]
    predicate: Option<String>,
    /// The first key to print, in HBase's escaped form
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    raw_start: Option<String>,
    /// The key to stop before, in HBase's escaped form
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    raw_stop: Option<String>,
    /// Only these columns, as family or family:qualifier; rows without any of them are skipped
    #[arg(long, value_name = "A,B:C,…", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// Print at most this many rows
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>)]
    limit: Option<u64>,
    /// From the last key to the first
    #[arg(long)]
    reverse: bool,
}

impl Scan {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        let range = self.range()?;
        let order = if self.reverse { Order::Descending } else { Order::Ascending };
        with_table(global, &name, async |table| {
            let columns = read_columns(&families_of(&table).await?, self.columns.as_deref())?;
            let mut rows = Rows::new(global, ["row", "column", "timestamp", "value"]);
            let times = Times::of(global);
            match parse_any(self.predicate.as_deref(), &times.reading(table.design()))? {
                None => {
                    let mut stream = table.scan_raw(range, order, self.limit, columns).await?;
                    while let Some(batch) = stream.try_next().await? {
                        push_cells(&mut rows, &batch, u64::MAX)?;
                    }
                }
                Some(predicate) => {
                    let mut found = table.query(&self.query(predicate))?;
                    let mut left = self.limit.unwrap_or(u64::MAX);
                    while left > 0
                        && let Some(batch) = found.try_next().await?
                    {
                        left -= push_cells(&mut rows, &table.stored(&batch, columns.clone()).await?, left)?;
                    }
                }
            }
            rows.print()?;
            Ok(Code::Done)
        })
    }

    /// Returns a query for the rows of a predicate, in the order of keys, whatever their bucket.
    fn query(&self, predicate: Predicate) -> Query {
        let order = if self.reverse { RowOrder::KeyReversed } else { RowOrder::Key };
        // Rows without any of the columns do not count.
        let limit = self.limit.filter(|_| self.columns.is_none());
        Query { order, limit, fields: Some(Vec::new()), ..Query::of(predicate) }
    }

    fn range(&self) -> Result<KeyRange, Usage> {
        let start = self.raw_start.as_deref().map(read_escaped).transpose()?;
        let stop = self.raw_stop.as_deref().map(read_escaped).transpose()?;
        let range = KeyRange::new(start.unwrap_or_default(), stop.filter(|stop| !stop.is_empty()));
        Ok(range)
    }
}

/// Prints the cells of up to `most` rows, and returns the number of rows that had any.
fn push_cells(rows: &mut Rows, batch: &RowBatch, most: u64) -> Result<u64, Failure> {
    let mut count = 0;
    for row in batch.rows().filter(|row| !row.is_empty()) {
        if count == most {
            break;
        }
        count += 1;
        let key = to_escaped(row.key());
        for cell in row.cells() {
            let column = format!("{}:{}", to_escaped(cell.family), to_escaped(cell.qualifier));
            let value = to_escaped(cell.value).into();
            rows.push(vec![Value::from(key.clone()), column.into(), cell.ts.into(), value])?;
        }
    }
    Ok(count)
}
