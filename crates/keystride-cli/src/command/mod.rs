//! The commands, one file each.

mod completions;
mod demo;
pub(crate) mod design;
pub(crate) mod key;
mod man;
mod splits;
mod version;

use clap::Subcommand;

use crate::args::Args;
use crate::failure::{Code, Failure};

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
    /// Prints a completion script for a shell
    Completions(completions::Completions),
    /// Writes manual pages into a folder
    Man(man::Man),
    /// Prints the version
    Version(version::Version),
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    match &args.command {
        Command::Demo(demo) => demo.run(&args.global),
        Command::Design(command) => command.run(&args.global),
        Command::Key(command) => command.run(&args.global),
        Command::Splits(splits) => splits.run(&args.global),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Version(version) => version.run(&args.global),
    }
}
