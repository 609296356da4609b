//! `keystride stats`: how much each region of a table has been read and written.

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use keystride_app::duration::parse_duration;
use keystride_app::stats::{by_bucket, by_region, by_server, rows_written};
use keystride_heat::Chance;
use keystride_store::{Region, Store, StoreError};

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
        let regions = table.store().regions(table.name()).await?;
        let rows =
            |columns: &[&'static str]| Rows::new(global, columns.iter().copied().chain(COUNTS)).of_turn(turn);
        match self.by {
            By::Region => {
                let documents = by_region(&table, &regions, &global.times_in_words());
                rows(&["region", "from", "before"]).print_documents(documents)?;
            }
            By::Bucket => rows(&["bucket"]).print_documents(by_bucket(&table, &regions))?,
            By::Server => rows(&["server"]).print_documents(by_server(&regions))?,
        }
        say_silent_servers(global, &regions);
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

fn say_balance(global: &Global, regions: &[Region]) {
    let Some(rows) = rows_written(regions) else { return };
    let chance = Chance::of(rows.region_count(), rows.row_count());
    let chance = chance.map_or_else(String::new, |chance| format!(" (chance alone {:.2})", chance.median));
    say(global, &format!("hottest region: {:.2} × the mean of rows written{chance}", rows.imbalance()));
}
