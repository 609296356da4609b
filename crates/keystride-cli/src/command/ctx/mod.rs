//! `keystride ctx`: stores by name, and the settings in force.

mod add;
mod list;
mod remove;
mod show;
mod switch;

use clap::Subcommand;

use crate::failure::{Code, Failure};
use crate::flags::GlobalArgs;
use crate::global::Global;

#[derive(Debug, Subcommand)]
pub(crate) enum CtxCommand {
    /// Names a store
    Add(add::Add),
    /// Makes commands use a named store from now on
    Use(switch::Use),
    /// Lists the named stores
    List(list::List),
    /// Removes a name
    Remove(remove::Remove),
    /// Shows the settings in force
    Show(show::Show),
}

impl CtxCommand {
    /// Runs a command; those that show settings read them again, with their origins.
    pub(crate) fn run(&self, args: &GlobalArgs, global: &Global) -> Result<Code, Failure> {
        match self {
            Self::Add(add) => add.run(args, global),
            Self::Use(switch) => switch.run(args, global),
            Self::List(list) => list.run(args, global),
            Self::Remove(remove) => remove.run(global),
            Self::Show(show) => show.run(args, global),
        }
    }
}
