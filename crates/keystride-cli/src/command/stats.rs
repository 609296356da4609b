//! `keystride stats`: how much each region of a table has been read and written.

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use keystride::Design;
use keystride_app::duration::parse_duration;
use keystride_app::stats::{GroupCounts, by_bucket, by_server, rows_written};
use keystride_heat::Chance;
use keystride_store::{RegionCounts, Store, StoreError};
use keystride_table::RegionStats;
use keystride_table::explain::KeyBound;
use serde_json::Value;

use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::open_store::{Missing, in_store, run, store_options, with_store};
use crate::output::{Rows, Turn, clear_screen, say};
use crate::silent_servers::say_silent_servers;
use crate::stop;
use crate::table_args::{NamedTable, TableArgs};
use crate::times::Times;
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    table: TableArgs,
    /// What to count together
    #[arg(long, value_enum, default_value = "region")]
    by: By,
    /// Show the counts repeatedly, such as every 5s, until Ctrl-C
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    watch: Option<Duration>,
    /// Stop after this many times
    #[arg(long, value_name = "N", requires = "watch", hide = true)]
    rounds: Option<u64>,
}

/// What to count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Each region
    Region,
    /// Regions that begin with the same bucket
    Bucket,
    /// Regions of one server
    Server,
}

const COUNTS: [&str; 4] = ["rows_written", "cells_written", "bytes_written", "rows_read"];

impl Stats {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let named = self.table.read()?;
        match self.watch {
            None => {
                with_store(global, Missing::Fail, async |store| {
                    self.show(global, store, &named, Turn::First).await
                })?;
            }
            Some(every) => run(self.watch(global, &named, every))?,
        }
        Ok(Code::Done)
    }

    async fn show(
        &self,
        global: &Global,
        store: Arc<dyn Store>,
        named: &NamedTable,
        turn: Turn,
    ) -> Result<(), Failure> {
        let table = named.open(global, store).await?;
        let regions = table.stats().await?;
        match self.by {
            By::Region => print_regions(global, table.design(), &regions, turn)?,
            By::Bucket => print_sums(global, "bucket", by_bucket(&table, &regions), turn)?,
            By::Server => print_sums(global, "server", by_server(&regions), turn)?,
        }
        say_silent_servers(global, regions.iter().map(|stats| &stats.region));
        say_balance(global, &regions);
        Ok(())
    }

    /// Shows the counts repeatedly. The store is closed in between, so that others can write to it.
    async fn watch(&self, global: &Global, named: &NamedTable, every: Duration) -> Result<(), Failure> {
        if global.format == Some(Format::Json) {
            return Err(Usage::Needs { what: "--watch", needs: "--format ndjson, or none" }.into());
        }
        let _working = stop::Work::begin();
        let (mut round, mut turn) = (0, Turn::First);
        loop {
            let look = in_store(global, Missing::Fail, store_options(global), async |store| {
                clear_screen(global)?;
                self.show(global, store, named, turn).await
            });
            match look.await {
                Err(Failure::Open(StoreError::Locked { .. })) => say(global, "another process has the store"),
                shown => {
                    shown?;
                    turn = Turn::Later;
                }
            }
            round += 1;
            if self.rounds == Some(round) {
                return Ok(());
            }
            tokio::select! {
                failure = stop::stopped() => return Err(failure),
                () = tokio::time::sleep(every) => {}
            }
        }
    }
}

fn print_regions(
    global: &Global,
    design: &Design,
    regions: &[RegionStats],
    turn: Turn,
) -> Result<(), Failure> {
    let mut rows = Rows::new(global, ["region", "from", "before"].into_iter().chain(COUNTS)).of_turn(turn);
    let times = Times::in_words(global);
    for (index, stats) in regions.iter().enumerate() {
        let bound = |bound: &Option<KeyBound>| {
            let bound = bound.clone().map(|bound| times.retell(design, bound).to_string());
            Value::from(bound)
        };
        let mut row = vec![index.into(), bound(&stats.start), bound(&stats.stop)];
        row.extend(count_values(stats.region.known_counts()));
        rows.push(row)?;
    }
    rows.print()
}

/// Prints sums, as far as they are known.
fn print_sums(global: &Global, name: &str, sums: Vec<GroupCounts>, turn: Turn) -> Result<(), Failure> {
    let mut rows = Rows::new(global, [name].into_iter().chain(COUNTS)).of_turn(turn);
    for GroupCounts { group, counts } in sums {
        let mut row = vec![group.unwrap_or_else(|| "(none)".to_owned()).into()];
        row.extend(count_values(counts.as_ref()));
        rows.push(row)?;
    }
    rows.print()
}

/// The values of counts; null where they are not known.
fn count_values(counts: Option<&RegionCounts>) -> [Value; 4] {
    let Some(counts) = counts else { return [const { Value::Null }; 4] };
    [counts.rows_written, counts.cells_written, counts.bytes_written, counts.rows_read].map(Value::from)
}

fn say_balance(global: &Global, regions: &[RegionStats]) {
    let Some(rows) = rows_written(regions) else { return };
    let chance = Chance::of(rows.region_count(), rows.row_count());
    let chance = chance.map_or_else(String::new, |chance| format!(" (chance alone {:.2})", chance.median));
    say(global, &format!("hottest region: {:.2} × the mean of rows written{chance}", rows.imbalance()));
}
