//! Starts a Kafka, runs a command with its address in the environment, and ends both with the command's exit code.
//! Where the environment names a Kafka already, the command runs with that one.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use keystride_hbase_harness::{
    Broker, BrokerOptions, KAFKA_VARIABLE, exit_code, run_command, running_kafka, say,
};

const USAGE: &str =
    "usage: kafka-run [--version KAFKA] [--brokers N] [--secure] [--heap MIB] [COMMAND ARGUMENTS...]";

/// Wrong use, as the program keystride has it.
const WRONG_USE: u8 = 2;

fn main() -> ExitCode {
    let Some((options, command)) = parse(env::args().skip(1)) else {
        say(USAGE);
        return ExitCode::from(WRONG_USE);
    };
    exit_code("kafka-run", run(&options, &command))
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<(BrokerOptions, Vec<String>)> {
    let mut options = BrokerOptions::shared();
    let mut command = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--version" => options.version = arguments.next()?.parse().ok()?,
            "--brokers" => options.brokers = arguments.next()?.parse().ok()?,
            "--secure" => options.secure = true,
            "--heap" => options.heap_mib = arguments.next()?.parse().ok()?,
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

fn run(options: &BrokerOptions, command: &[String]) -> Result<u8, Box<dyn Error>> {
    if let Some(bootstrap) = running_kafka() {
        say(&format!("kafka-run: starts no Kafka, as {KAFKA_VARIABLE} names that at {bootstrap}"));
        return Ok(run_command(&[(KAFKA_VARIABLE, bootstrap)], command)?);
    }
    let broker = Broker::start(options)?;
    Ok(run_command(&environment(&broker), command)?)
}

fn environment(broker: &Broker) -> Vec<(&'static str, String)> {
    let mut variables = vec![(KAFKA_VARIABLE, broker.bootstrap().to_owned())];
    variables.extend(broker.secure().into_iter().flat_map(|secure| {
        [
            ("KEYSTRIDE_KAFKA_SSL", secure.ssl().to_owned()),
            ("KEYSTRIDE_KAFKA_SASL_SSL", secure.sasl_ssl().to_owned()),
            ("KEYSTRIDE_KAFKA_SASL_PLAINTEXT", secure.sasl_plaintext().to_owned()),
            ("KEYSTRIDE_KAFKA_CERT", secure.certificate().display().to_string()),
        ]
    }));
    variables
}
