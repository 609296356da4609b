//! `keystride stats`: how much each region of a table has been read and written.

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use keystride_app::duration::parse_duration;
use keystride_app::stats::{GroupDocument, by_bucket, by_server, rows_written};
use keystride_heat::Chance;
use keystride_store::{Store, StoreError};
use keystride_table::{RegionStats, RegionStatsDocument};
use serde::Serialize;

use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::open_store::{Missing, in_store, run, store_options, with_store};
use crate::output::{Rows, Turn, clear_screen, say};
use crate::silent_servers::say_silent_servers;
use crate::stop;
use crate::table_args::{NamedTable, TableArgs};
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
            By::Region => {
                let style = global.times_in_words();
                let documents = regions.iter().enumerate();
                let documents =
                    documents.map(|(index, stats)| RegionStatsDocument::new(index, stats, &style));
                print_counts(global, &["region", "from", "before"], documents, turn)?;
            }
            By::Bucket => {
                let sums = by_bucket(&table, &regions);
                print_counts(global, &["bucket"], sums.iter().map(GroupDocument::of_bucket), turn)?;
            }
            By::Server => {
                let sums = by_server(&regions);
                print_counts(global, &["server"], sums.iter().map(GroupDocument::of_server), turn)?;
            }
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

/// Prints counts, as far as they are known, behind columns that say what they are of.
fn print_counts(
    global: &Global,
    columns: &[&'static str],
    documents: impl Iterator<Item = impl Serialize>,
    turn: Turn,
) -> Result<(), Failure> {
    let mut rows = Rows::new(global, columns.iter().copied().chain(COUNTS)).of_turn(turn);
    for document in documents {
        rows.push_document(&document)?;
    }
    rows.print()
}

fn say_balance(global: &Global, regions: &[RegionStats]) {
    let Some(rows) = rows_written(regions) else { return };
    let chance = Chance::of(rows.region_count(), rows.row_count());
    let chance = chance.map_or_else(String::new, |chance| format!(" (chance alone {:.2})", chance.median));
    say(global, &format!("hottest region: {:.2} × the mean of rows written{chance}", rows.imbalance()));
}
