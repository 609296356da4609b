//! What `hbase-run` and `kafka-run` do once their system is there.

use std::error::Error;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, ExitStatus};

/// Runs a command with these variables in its environment, and returns its exit code. Without a command it prints the
/// variables, and waits for the end of standard input.
///
/// # Errors
///
/// The command could not be started, or a pipe broke.
pub fn run_command(environment: &[(&str, String)], command: &[String]) -> io::Result<u8> {
    match command {
        [] => wait_for_end_of_input(environment),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).envs(environment.iter().cloned());
            let status = command.status();
            let status = status.map_err(|error| io::Error::new(error.kind(), format!("{program}: {error}")));
            status.map(code_of)
        }
    }
}

/// The end of a program of that name: an error is a line on standard error.
pub fn exit_code(program: &str, outcome: Result<u8, Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(&format!("{program}: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// A line on standard error.
pub fn say(line: &str) {
    // Without standard error nobody would read it.
    let _ = writeln!(io::stderr(), "{line}");
}

/// A Ctrl-C ends the program before that, and the watchdog what it started.
fn wait_for_end_of_input(environment: &[(&str, String)]) -> io::Result<u8> {
    for (name, value) in environment {
        writeln!(io::stdout(), "{name}={value}")?;
    }
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(0)
}

/// As a shell has it: 128 and the signal's number for a command that a signal ended.
fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
