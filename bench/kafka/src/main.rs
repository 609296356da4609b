//! Loads of Kafka's topics beside loads of files and beside Kafka's own consumer: what a row costs on the processor, how
//! fast rows come, how long a record is on its way, and how much memory many records take.
//!
//! [`flights`] loads one topic and one file with the program `keystride` ([`load`]) and reads the topic with Kafka's own
//! test ([`consumer`]), [`latency`] follows a topic while it is written ([`followed`]), and [`memory`] loads many small records.
//! [`producer`] fills topics; `board` prints what came of it. How to run it, and how to read it: `bench/kafka/README.md`.

#[path = "../../hbase/src/board.rs"]
mod board;
mod consumer;
mod flights;
mod followed;
mod latency;
mod load;
mod memory;
mod producer;
mod small;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use keystride_bench::Program;
use keystride_hbase_harness::{Broker, BrokerOptions};

use board::{Board, load_average};

/// What can go wrong here is told and ends the program.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Measures loads of Kafka's topics beside loads of files and beside Kafka's own consumer
#[derive(Debug, Parser)]
struct Args {
    /// Few rows and one round: it works, the figures say nothing
    #[arg(long)]
    tiny: bool,
    /// How often the flights are loaded, after once that is not counted
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// What is measured
    #[arg(long, value_enum, value_delimiter = ',', default_value = "flights,latency,memory")]
    only: Vec<Part>,
    /// The program keystride, built with Kafka [default: the one beside this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// A part of the bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Cost and speed of a load: T1 and T2
    Flights,
    /// The time from a record's creation until its row is stored: T3
    Latency,
    /// Peak memory of a load of many small records: T4
    Memory,
}

impl Part {
    fn ids(self) -> &'static str {
        match self {
            Self::Flights => "T1 and T2",
            Self::Latency => "T3",
            Self::Memory => "T4",
        }
    }
}

/// What all parts have.
struct Bench {
    program: Program,
    board: Board,
    is_tiny: bool,
    broker: Broker,
}

const BUILD: &str = "cargo build --release -p keystride-cli -p keystride-kafka-bench --features kafka";

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    if !cfg!(feature = "kafka") {
        return Err(format!("this bench was built without Kafka: {BUILD}").into());
    }
    let mut bench = Bench::start(args)?;
    for part in Part::value_variants() {
        if !args.only.contains(part) {
            bench.board.skip(&format!("{}, which --only leaves out", part.ids()));
            continue;
        }
        say(&format!("{}, load average {}", part.ids(), load_average()));
        match part {
            Part::Flights => flights::run(&mut bench, args.rounds)?,
            Part::Latency => latency::run(&mut bench)?,
            Part::Memory => memory::run(&mut bench)?,
        }
    }
    bench.board.print();
    Ok(())
}

impl Bench {
    fn start(args: &Args) -> Result<Self, Failure> {
        let program = match &args.program {
            Some(path) => Program::at(path).map_err(|error| format!("{}: {error}", path.display()))?,
            None => Program::find().ok_or(format!("the program keystride is not there: {BUILD}"))?,
        };
        let broker = Broker::start(&BrokerOptions { heap_mib: 1024, ..BrokerOptions::shared() })?;
        Ok(Self { program, board: Board::new(args.tiny), is_tiny: args.tiny, broker })
    }
}

#[expect(clippy::print_stderr, reason = "the last word of a program that failed")]
fn complain(error: &Failure) {
    eprintln!("keystride-kafka-bench: {error}");
}

/// Prints a line.
#[expect(clippy::print_stdout, reason = "figures are what this program is for")]
fn say(line: &str) {
    println!("{line}");
}
