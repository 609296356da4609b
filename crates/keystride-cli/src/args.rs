use clap::Parser;

use crate::command::Command;
use crate::settings::GlobalArgs;

/// Row keys done right for HBase and every ordered wide-column store.
///
/// A design file says how rows become keys. keystride encodes and decodes them, computes split points, and reports what
/// is wrong with a design before it reaches a cluster.
#[derive(Debug, Parser)]
#[command(
    name = "keystride",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}
