//! Starts an HBase, runs a command with its address in the environment, and ends both with the command's exit code.
//! Where the environment names an HBase already, the command runs with that one.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, ExitStatus};

use keystride_hbase_harness::{
    Address, CERTIFICATE_VARIABLE, Cluster, ClusterOptions, MASTER_VARIABLE, Tls, VERSION_VARIABLE,
    ZOOKEEPER_VARIABLE, running,
};

const USAGE: &str =
    "usage: hbase-run [--version HBASE] [--regionservers N] [--heap MIB] [--tls] [COMMAND ARGUMENTS...]";

/// Wrong use, as the program keystride has it.
const WRONG_USE: u8 = 2;

fn main() -> ExitCode {
    let Some((options, command)) = parse(env::args().skip(1)) else {
        say(USAGE);
        return ExitCode::from(WRONG_USE);
    };
    match run(&options, &command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(&format!("hbase-run: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<(ClusterOptions, Vec<String>)> {
    let mut options = ClusterOptions::default();
    let mut command = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--version" => options.version = arguments.next()?.parse().ok()?,
            "--regionservers" => options.region_server_count = arguments.next()?.parse().ok()?,
            "--heap" => options.heap_mib = arguments.next()?.parse().ok()?,
            "--tls" => options.tls = Tls::On,
            "--" => break,
            flag if flag.starts_with('-') => return None,
            _ => {
                command.push(argument);
                break;
            }
        }
    }
    command.extend(arguments);
    Some((options, command))
}

fn run(options: &ClusterOptions, command: &[String]) -> Result<u8, Box<dyn Error>> {
    if let Some(address) = running()? {
        say(&format!("hbase-run: starts no HBase, as {MASTER_VARIABLE} names that at {}", address.master()));
        return run_with(&address, command);
    }
    let cluster = Cluster::start(options)?;
    run_with(cluster.address(), command)
}

fn run_with(address: &Address, command: &[String]) -> Result<u8, Box<dyn Error>> {
    match command {
        [] => wait_for_end_of_input(address),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).envs(environment(address));
            let status = command.status().map_err(|error| format!("{program}: {error}"))?;
            Ok(code_of(status))
        }
    }
}

/// A Ctrl-C ends the program before that, and the watchdog the cluster.
fn wait_for_end_of_input(address: &Address) -> Result<u8, Box<dyn Error>> {
    for (name, value) in environment(address) {
        writeln!(io::stdout(), "{name}={value}")?;
    }
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(0)
}

fn environment(address: &Address) -> Vec<(&'static str, String)> {
    let mut variables = vec![
        (MASTER_VARIABLE, address.master().to_owned()),
        (VERSION_VARIABLE, address.version().to_string()),
    ];
    variables.extend(address.zookeeper().map(|zookeeper| (ZOOKEEPER_VARIABLE, zookeeper.to_owned())));
    variables.extend(address.certificate().map(|path| (CERTIFICATE_VARIABLE, path.display().to_string())));
    variables
}

/// As a shell has it: 128 and the signal's number for a command that a signal ended.
fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

fn say(line: &str) {
    // Without standard error nobody would read it.
    let _ = writeln!(io::stderr(), "{line}");
}
