//! The program `keystride`: designs, keys, splits and tables from the command line.
//!
//! The commands are under `command/`, one file each. Only `output/` prints, apart from what clap says of the command line
//! itself, and the log of `-v`. Results go to stdout, messages to stderr.

mod args;
mod bug;
mod cell_args;
mod command;
mod console;
mod design_arg;
mod design_failure;
mod design_file;
mod failure;
mod flags;
mod format;
mod global;
mod help;
mod input_args;
mod key_file;
mod key_text;
mod keyed_rows;
mod open_files;
mod open_store;
mod output;
mod pipes;
mod predicate_args;
mod row_args;
mod screen_args;
mod silent_servers;
mod size;
mod stop;
mod table_args;
mod text_file;
mod times;
mod usage;
mod verbose;
mod waits;

use std::process::ExitCode;

use clap::CommandFactory as _;

/// The exit code after a panic: `EX_SOFTWARE` of `sysexits.h`.
const BUG: u8 = 70;

fn main() -> ExitCode {
    bug::note_panics();
    let args = match args::Args::of_command_line() {
        Ok(args) => args,
        Err(code) => return code,
    };
    verbose::listen(args.global.verbose, args.global.color);
    open_files::raise_limit();
    let run = || match command::run(&args.command, &args.global, args::Args::command()) {
        Ok(code) => code.into(),
        Err(failure) => {
            // It may be what a panic of another thread led to.
            let bug = bug::last().map(|bug| output::report_bug(&bug));
            let code = output::report(&failure, args.global.color);
            bug.map_or(code, |()| ExitCode::from(BUG))
        }
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|_| {
        bug::last().as_ref().map(output::report_bug);
        ExitCode::from(BUG)
    })
}
