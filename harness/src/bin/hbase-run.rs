//! Starts an HBase, runs a command with its address in the environment, and ends both with the command's exit code.
//! Where the environment names an HBase already, the command runs with that one.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use keystride_hbase_harness::{
    Address, CERTIFICATE_VARIABLE, Cluster, ClusterOptions, MASTER_VARIABLE, Tls, VERSION_VARIABLE,
    ZOOKEEPER_VARIABLE, exit_code, run_command, running, say,
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
    exit_code("hbase-run", run(&options, &command))
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
        return Ok(run_command(&environment(&address), command)?);
    }
    let cluster = Cluster::start(options)?;
    Ok(run_command(&environment(cluster.address()), command)?)
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
