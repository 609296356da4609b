//! The commands, one per file.

mod completions;
mod ctx;
mod delete;
mod demo;
pub(crate) mod design;
mod explain;
mod extract;
mod get;
pub(crate) mod key;
mod load;
mod man;
mod put;
mod query;
mod scan;
mod serve;
mod splits;
mod stats;
mod store;
mod table;
mod values;
mod version;

use clap::Subcommand;
use keystride_app::settings::{Settings, SettingsError};

use crate::failure::{Code, Failure};
use crate::flags::GlobalArgs;
use crate::global::Global;
use crate::stop::limit_time;
use crate::usage::Usage;

/// The command to run.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shows what keystride does, on a year of real flights
    Demo(demo::Demo),
    /// Writes, lints, shows and explains designs
    #[command(subcommand)]
    Design(design::DesignCommand),
    /// Encodes, decodes and locates keys
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Prints split points: of a design, or of one of HBase's own rules
    Splits(Box<splits::Splits>),
    /// Makes, lists, splits, checks, alters, adopts and removes tables
    #[command(subcommand)]
    Table(table::TableCommand),
    /// Loads files, or a topic of Kafka, into a table
    Load(Box<load::Load>),
    /// Prints the row of a key
    Get(get::Get),
    /// Prints the rows that match a predicate, from the smallest set of ranges
    Query(query::QueryRows),
    /// Prints cells as they are stored
    Scan(scan::Scan),
    /// Counts rows
    Count(query::Count),
    /// Writes one row
    Put(put::Put),
    /// Deletes the rows that match a predicate
    Delete(delete::Delete),
    /// Writes rows to a folder of Parquet, CSV or JSON files
    Extract(extract::Extract),
    /// Shows how much each region has been read and written
    ///
    /// In a folder, writes are counted from the making of a region on, and reads by each command anew. On a cluster, the
    /// rows written are those that its servers have counted, and nothing else is known.
    Stats(stats::Stats),
    Serve(Box<serve::Serve>),
    /// Repairs the store in a folder
    #[command(subcommand)]
    Store(store::StoreCommand),
    /// Names clusters and folders, and shows the settings in force
    #[command(subcommand)]
    Ctx(ctx::CtxCommand),
    /// Prints a completion script for a shell
    Completions(completions::Completions),
    /// Writes manual pages into a folder
    Man(man::Man),
    /// Prints the version
    Version(version::Version),
}

/// Runs a command; `program` is clap's description of all commands.
pub(crate) fn run(command: &Command, args: &GlobalArgs, program: clap::Command) -> Result<Code, Failure> {
    if args.wants_parquet() {
        return Err(Usage::ParquetOfExtract.into());
    }
    let global = &Global::of(&settings_of(command, args)?, args)?;
    if let Some(after) = global.timeout {
        limit_time(after, global.color)?;
    }
    match command {
        Command::Demo(demo) => demo.run(global),
        Command::Design(command) => command.run(global),
        Command::Key(command) => command.run(global),
        Command::Splits(splits) => splits.run(global),
        Command::Table(command) => command.run(global),
        Command::Load(load) => load.run(global),
        Command::Get(get) => get.run(global),
        Command::Query(query) => query.run(global),
        Command::Count(count) => count.run(global),
        Command::Put(put) => put.run(global),
        Command::Scan(scan) => scan.run(global),
        Command::Delete(delete) => delete.run(global),
        Command::Extract(extract) => extract.run(global),
        Command::Stats(stats) => stats.run(global),
        Command::Serve(serve) => serve.run(global),
        Command::Store(command) => command.run(global),
        Command::Ctx(command) => command.run(args, global),
        Command::Completions(completions) => completions.run(program),
        Command::Man(man) => man.run(program),
        Command::Version(version) => version.run(global),
    }
}

/// Returns the settings for a command. The commands that describe the program, or with which a file can be repaired,
/// work even when a settings file is broken: they then use the flags alone.
fn settings_of(command: &Command, args: &GlobalArgs) -> Result<Settings, SettingsError> {
    let settings = Settings::resolve(args.layer()?);
    match command {
        Command::Completions(_) | Command::Man(_) | Command::Version(_) | Command::Ctx(_) => {
            settings.or_else(|_| Ok(Settings::of_flags(args.layer()?)))
        }
        _ => settings,
    }
}
