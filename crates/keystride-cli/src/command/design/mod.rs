//! `keystride design`: writing, checking, showing and explaining designs.

mod explain;
mod lint;
mod lint_fix;
mod lint_words;
mod new;
mod schema;
mod show;

use clap::Subcommand;

use crate::failure::{Code, Failure};
use crate::global::Global;

#[derive(Debug, Subcommand)]
pub(crate) enum DesignCommand {
    /// Writes a design from a CSV file's header and values
    New(new::New),
    /// Reports what is wrong with a design, or will be
    Lint(lint::Lint),
    /// Shows a design: its parts, or the design in another language
    Show(show::Show),
    /// Explains a lint, or lists them all
    Explain(explain::Explain),
    /// Prints the JSON Schema of design files, for editors
    Schema(schema::Schema),
}

impl DesignCommand {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        match self {
            Self::New(new) => new.run(global),
            Self::Lint(lint) => lint.run(global),
            Self::Explain(explain) => explain.run(global),
            Self::Show(show) => show.run(global),
            Self::Schema(schema) => schema.run(global),
        }
    }
}
