//! `keystride query` and `count`: rows by a predicate.

use futures_util::TryStreamExt as _;
use keystride::Design;
use keystride_app::fields::{fields_named, time_named};
use keystride_app::values::{field_columns, row_values};
use keystride_table::{Query, RowOrder, Table};

use super::explain::print_explain;
use super::values::rows_of;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::print_number;
use crate::predicate_args::parse_any;
use crate::screen_args::ScreenArgs;
use crate::size::parse_whole;
use crate::table_args::{TableArgs, with_table};
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct QueryRows {
    #[command(flatten)]
    table: TableArgs,
    /// Which rows, such as "phone = '13800138000' and ts >= '2020-04-06'"
    #[arg(long = "where", value_name = "PREDICATE")]
    predicate: Option<String>,
    #[command(flatten)]
    order: OrderArgs,
    /// The time field of --newest and --oldest [default: the only one, or the only one in the key]
    #[arg(long, value_name = "FIELD")]
    on: Option<String>,
    /// Print at most this many rows
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>)]
    limit: Option<u64>,
    /// Print only these fields
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// Show which ranges would be read, and why, and read nothing
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    screen: ScreenArgs,
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct OrderArgs {
    /// The N latest rows, the latest first
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>)]
    newest: Option<u64>,
    /// The N earliest rows, the earliest first
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>)]
    oldest: Option<u64>,
    /// In the order of keys, whatever their bucket
    #[arg(long)]
    ordered: bool,
    /// In the reverse order of keys
    #[arg(long)]
    reverse: bool,
}

impl OrderArgs {
    fn order(&self) -> (RowOrder, Option<u64>) {
        match self {
            Self { newest: Some(count), .. } => (RowOrder::Newest, Some(*count)),
            Self { oldest: Some(count), .. } => (RowOrder::Oldest, Some(*count)),
            Self { ordered: true, .. } => (RowOrder::Key, None),
            Self { reverse: true, .. } => (RowOrder::KeyReversed, None),
            _ => (RowOrder::Any, None),
        }
    }
}

impl QueryRows {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        with_table(global, &self.table.read()?, async |table| {
            let times = global.times();
            let query = self.query(global, &table)?;
            if self.explain {
                let explain = table.prepare(&query)?.explain().await?;
                print_explain(global, &explain)?;
                return Ok(Code::Done);
            }
            let fields = field_columns(table.design(), query.fields.as_deref());
            let mut rows = self.screen.rows(rows_of(global, table.design(), &fields), "rows");
            let mut stream = table.query(&query)?;
            while !rows.is_full()
                && let Some(batch) = stream.try_next().await?
            {
                for row in batch.iter() {
                    rows.push(row_values(table.design(), &fields, &times, |field| row.get(field)))?;
                }
            }
            rows.print()?;
            Ok(Code::Done)
        })
    }

    fn query(&self, global: &Global, table: &Table) -> Result<Query, Failure> {
        let (order, count) = self.order.order();
        let names = self.columns.as_deref();
        let fields =
            names.map(|names| fields_named(table.design(), names)).transpose().map_err(Usage::from)?;
        let limit = match (count, self.limit) {
            (Some(count), Some(limit)) => Some(count.min(limit)),
            (count, limit) => count.or(limit),
        };
        Ok(Query {
            predicate: parse_any(self.predicate.as_deref(), &global.reading(table.design()))?,
            order,
            time: self.time(order, table.design())?,
            limit,
            fields,
        })
    }

    fn time(&self, order: RowOrder, design: &Design) -> Result<Option<usize>, Usage> {
        match order {
            RowOrder::Newest | RowOrder::Oldest => Ok(time_named(design, self.on.as_deref())?),
            _ if self.on.is_some() => Err(Usage::Needs { what: "--on", needs: "--newest N or --oldest N" }),
            _ => Ok(None),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Count {
    #[command(flatten)]
    table: TableArgs,
    /// Which rows [default: all]
    #[arg(long = "where", value_name = "PREDICATE")]
    predicate: Option<String>,
}

impl Count {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        with_table(global, &self.table.read()?, async |table| {
            let predicate = parse_any(self.predicate.as_deref(), &global.reading(table.design()))?;
            let count = table.count(predicate.as_ref()).await?;
            print_number(global, "count", count)?;
            Ok(Code::Done)
        })
    }
}
