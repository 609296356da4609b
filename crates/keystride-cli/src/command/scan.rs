//! `keystride scan`: cells as they are stored.

use futures_util::TryStreamExt as _;
use keystride::{KeyRange, Predicate};
use keystride_store::{Columns, Order, Scan as StoreScan, Selection, Store, TableName};
use keystride_table::{Query, RowOrder, Table};

use crate::cell_args::read_columns;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::read_escaped;
use crate::open_store::{Missing, with_store};
use crate::output::CellRows;
use crate::predicate_args::parse_predicate;
use crate::screen_args::ScreenArgs;
use crate::size::parse_whole;
use crate::table_args::TableArgs;
use crate::usage::Usage;

/// Prints cells as they are stored, row by row in the order of keys
///
/// Nothing is decoded: keys, columns and values are in HBase's escaped form. `query` shows rows as fields. Only --where
/// needs a design.
#[derive(Debug, clap::Args)]
pub(crate) struct Scan {
    #[command(flatten)]
    table: TableArgs,
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
    #[command(flatten)]
    screen: ScreenArgs,
}

impl Scan {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let named = self.table.read()?;
        let columns = read_columns(self.columns.as_deref())?;
        let range = self.range()?;
        let mut rows = CellRows::new(global, self.screen);
        with_store(global, Missing::Fail, async |store| {
            match &self.predicate {
                Some(predicate) => {
                    let table = named.open(global, store).await?;
                    let reading = global.reading(table.design());
                    let predicate = parse_predicate(predicate, &reading)?;
                    self.push_found(&table, predicate, columns, &mut rows).await?;
                }
                None => {
                    named.check(global, &store).await?;
                    self.push_range(&*store, &named.name, range, columns, &mut rows).await?;
                }
            }
            rows.print()?;
            Ok(Code::Done)
        })
    }

    /// Adds the rows of a range of keys, which need not be any design's.
    async fn push_range(
        &self,
        store: &dyn Store,
        name: &TableName,
        range: KeyRange,
        columns: Columns,
        rows: &mut CellRows,
    ) -> Result<(), Failure> {
        let order = if self.reverse { Order::Descending } else { Order::Ascending };
        let selection = Selection { columns, ..Selection::default() };
        let scan = StoreScan { order, limit: self.limit, selection, ..StoreScan::of(range) };
        let mut stream = store.scan(name, scan).await?;
        while !rows.is_full()
            && let Some(batch) = stream.try_next().await?
        {
            rows.push(&batch, u64::MAX)?;
        }
        Ok(())
    }

    /// Adds the rows of a predicate.
    async fn push_found(
        &self,
        table: &Table,
        predicate: Predicate,
        columns: Columns,
        rows: &mut CellRows,
    ) -> Result<(), Failure> {
        let mut found = table.query(&self.query(predicate))?;
        let mut left = self.limit.unwrap_or(u64::MAX);
        while left > 0
            && !rows.is_full()
            && let Some(batch) = found.try_next().await?
        {
            left -= rows.push(&table.stored(&batch, columns.clone()).await?, left)?;
        }
        Ok(())
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
