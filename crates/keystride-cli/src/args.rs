use std::ffi::OsString;
use std::io::ErrorKind;

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser};

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

impl Args {
    /// Reads the command line; ends the program where it is wrong, or asks for help.
    pub(crate) fn of_command_line() -> Self {
        let words: Vec<OsString> = std::env::args_os().collect();
        let command = Self::command().color(color_of(&words));
        let read = command.try_get_matches_from(words).and_then(|matches| Self::from_arg_matches(&matches));
        read.unwrap_or_else(|error| end_with(&error))
    }
}

/// Prints help or a complaint and ends the program; help that can't be printed is a failure.
fn end_with(error: &clap::Error) -> ! {
    let code = match error.print() {
        Err(cause) if !error.use_stderr() && cause.kind() != ErrorKind::BrokenPipe => 1,
        _ => error.exit_code(),
    };
    std::process::exit(code)
}

/// When to colour help and complaints about the command line itself, which come before it is read.
fn color_of(words: &[OsString]) -> ColorChoice {
    let words: Vec<&str> =
        words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let separate = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    match separate.chain(joined).last() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}
