//! The commands, one file each.

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
mod splits;
mod stats;
mod table;
mod values;
mod version;

use clap::Subcommand;

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::settings::{GlobalArgs, Settings, SettingsError};

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shows what keystride does, on a year of real flights
    Demo(demo::Demo),
    /// Writes, checks, shows and explains designs
    #[command(subcommand)]
    Design(design::DesignCommand),
    /// Encodes, decodes and locates keys
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Prints split points: of a design, or of one of HBase's own rules
    Splits(Box<splits::Splits>),
    /// Makes, lists, cuts, checks and removes tables
    #[command(subcommand)]
    Table(table::TableCommand),
    /// Loads files into a table
    Load(Box<load::Load>),
    /// Prints the row of a key
    Get(get::Get),
    /// Prints rows by a predicate, from the fewest ranges
    Query(query::QueryRows),
    /// Prints cells as they are stored
    Scan(scan::Scan),
    /// Counts rows
    Count(query::Count),
    /// Writes one row
    Put(put::Put),
    /// Deletes rows by a predicate
    Delete(delete::Delete),
    /// Writes rows to a folder of Parquet files
    Extract(extract::Extract),
    /// Shows what passed through each region
    Stats(stats::Stats),
    /// Keeps clusters and folders by name, and shows which settings are in force
    #[command(subcommand)]
    Ctx(ctx::CtxCommand),
    /// Prints a completion script for a shell
    Completions(completions::Completions),
    /// Writes manual pages into a folder
    Man(man::Man),
    /// Prints the version
    Version(version::Version),
}

/// Runs a command; `program` is what clap knows of them all.
pub(crate) fn run(command: &Command, args: &GlobalArgs, program: clap::Command) -> Result<Code, Failure> {
    let global = &Global::of(&settings_of(command, args)?, args)?;
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
        Command::Ctx(command) => command.run(args, global),
        Command::Completions(completions) => completions.run(program),
        Command::Man(man) => man.run(program),
        Command::Version(version) => version.run(global),
    }
}

/// The settings that a command goes by. What the program is can be asked, and a file mended, where one is broken: these
/// commands then go by the flags.
fn settings_of(command: &Command, args: &GlobalArgs) -> Result<Settings, SettingsError> {
    let settings = Settings::resolve(args);
    match command {
        Command::Completions(_) | Command::Man(_) | Command::Version(_) | Command::Ctx(_) => {
            settings.or_else(|_| Settings::of_flags(args))
        }
        _ => settings,
    }
}
