//! How much of a long result a terminal shows.

use crate::output::Rows;

#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct ScreenArgs {
    /// Print all on a terminal, too, which otherwise shows what fits it
    #[arg(long)]
    all: bool,
}

impl ScreenArgs {
    /// Returns rows that a terminal shows as far as they fit, unless all are asked for; `unit` is what a row is.
    pub(crate) fn rows(self, rows: Rows, unit: &'static str) -> Rows {
        if self.all { rows } else { rows.cut_to_screen(unit) }
    }
}
