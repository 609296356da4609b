//! `keystride design`: writing, checking, showing and explaining designs.

mod schema;
mod show;

use clap::Subcommand;

use crate::args::Global;
use crate::failure::{Code, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum DesignCommand {
    /// Shows a design: its parts for people, or as another language
    Show(show::Show),
    /// Prints the JSON Schema of design files, for editors
    Schema(schema::Schema),
}

impl DesignCommand {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        match self {
            Self::Show(show) => show.run(global),
            Self::Schema(schema) => schema.run(),
        }
    }
}
