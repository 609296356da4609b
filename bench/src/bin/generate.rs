//! Writes rows of the log of recommendations as CSV.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use clap::Parser;
use keystride_bench::RecommendLog;

/// Writes rows of examples/seed-003 as CSV with a line of names
///
/// The same numbers give the same bytes.
#[derive(Debug, Parser)]
struct Args {
    /// How many rows; 1e7 is a number too
    #[arg(long, default_value = "1e6", value_parser = keystride_bench::parse_count)]
    rows: u64,
    /// Over how many days they are spread
    #[arg(long, default_value_t = 10)]
    days: u32,
    /// Which rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

fn main() -> io::Result<()> {
    let args = Args::parse();
    let mut rows = RecommendLog::new(args.rows, args.days, args.seed);
    match args.to {
        Some(path) => io::copy(&mut rows, &mut File::create(path)?)?,
        None => io::copy(&mut rows, &mut io::stdout().lock())?,
    };
    Ok(())
}
