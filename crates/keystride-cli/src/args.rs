use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{ColorChoice, FromArgMatches as _, Parser};

use crate::command::Command;
use crate::flags::GlobalArgs;
use crate::help::program;
use crate::output::safe;

/// Row keys done right for HBase and other ordered wide-column stores.
///
/// A design file says how rows become keys. keystride encodes and decodes them, computes split points, and reports what
/// is wrong with a design before it reaches a cluster.
#[derive(Debug, Parser)]
#[command(name = "keystride", version, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Reads the command line; where it is wrong, or asks for help, says so and returns the exit code.
    pub(crate) fn of_command_line() -> Result<Self, ExitCode> {
        let words: Vec<OsString> = std::env::args_os().collect();
        Self::of_words(&words).map_err(|error| {
            // Said of the same words without what would control a terminal, the complaint is the same.
            let visible = |word: &OsString| safe(&word.to_string_lossy()).into_owned().into();
            let visible: Vec<OsString> = words.iter().map(visible).collect();
            let is_same = visible == words;
            printed(&if is_same { error } else { Self::of_words(&visible).err().unwrap_or(error) })
        })
    }

    fn of_words(words: &[OsString]) -> Result<Self, clap::Error> {
        let command = program().color(color_of(words));
        command.try_get_matches_from(words).and_then(|matches| Self::from_arg_matches(&matches))
    }
}

/// Prints help or a complaint; help that can't be printed is a failure.
fn printed(error: &clap::Error) -> ExitCode {
    match error.print() {
        Err(cause) if !error.use_stderr() && cause.kind() != ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    }
}

/// When to colour help and complaints about the command line itself, which come before it is read.
fn color_of(words: &[OsString]) -> ColorChoice {
    let words: Vec<&str> =
        words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let separate = |at: usize| words.get(at + 1).copied().filter(|_| words[at] == "--color");
    let mut found =
        (0..words.len()).filter_map(|at| words[at].strip_prefix("--color=").or_else(|| separate(at)));
    match found.next_back() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}
