//! The HBase client beside those of others: what a row costs on the processor, and how long a get takes.
//!
//! [`real`] compares on a real cluster, [`null`] on a server that only acknowledges. Each client is a process of its own
//! that is asked line by line ([`peer`]): ours is this program too ([`client`]), Java's is `java/Client.java`, Go's is
//! `go/main.go`. What they are told and what they answer is in [`answer`]; [`board`] prints what came of it. How to run
//! it, and how to read it: `bench/hbase/README.md`.

mod answer;
mod board;
mod client;
mod clock;
mod gohbase;
mod happybase;
mod null;
mod null_server;
mod peer;
mod real;
mod rows;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// What can go wrong here is told and ends the program.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Measures the HBase client beside those of others
#[derive(Debug, Parser)]
enum Command {
    /// On a real cluster: loads, scans and gets of the flights
    Real(real::Args),
    /// On a server that only acknowledges: what puts cost on the client's side
    Null(null::Args),
    /// One of the clients that are compared: asked on standard input
    #[command(hide = true)]
    Client {
        /// With a runtime of one thread, not of one for each core
        #[arg(long)]
        one_thread: bool,
        /// Where the cluster is, as the client reads it
        cluster: String,
        /// The file of rows
        rows: PathBuf,
    },
    /// Writes the rows of `null` to a file, for a client that is asked by hand
    #[command(hide = true)]
    Rows {
        /// How many cells each has
        cells: usize,
        /// The file
        rows: PathBuf,
    },
    /// The server that only acknowledges; prints its two ports
    #[command(hide = true)]
    NullServer,
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Real(args) => real::run(&args),
        Command::Null(args) => null::run(&args),
        Command::Client { one_thread, cluster, rows } => client::serve(&cluster, &rows, one_thread),
        Command::Rows { cells, rows } => {
            rows::Rows::made_up(null::ROWS, cells).and_then(|made_up| made_up.write(&rows))
        }
        Command::NullServer => null_server::serve(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "the last word of a program that failed")]
fn complain(error: &Failure) {
    eprintln!("keystride-hbase-bench: {error}");
}

/// Prints a line.
#[expect(clippy::print_stdout, reason = "figures are what this program is for")]
fn say(line: &str) {
    println!("{line}");
}
