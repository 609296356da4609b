//! The console's map in a real browser, the memory of an hour in its server, and how soon the program serves.
//!
//! `browser` shows a map of many regions and moves over it, `map` makes that map, `server` keeps an hour of columns, `start`
//! starts the program. How to run it, and how to read it: `bench/console/README.md`.

mod browser;
mod map;
mod server;
mod start;

use std::process::ExitCode;

use keystride_bench::{Figures, Size};

/// What can go wrong here is told and ends the program.
type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> ExitCode {
    let is_tiny = std::env::args().any(|argument| argument == "--tiny");
    match run(if is_tiny { Size::Tiny } else { Size::Full }).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

async fn run(size: Size) -> Result<(), Failure> {
    let mut figures = Figures::new(size);
    map::add(&mut figures, size)?;
    browser::add(&mut figures, size).await?;
    server::add(&mut figures, size)?;
    start::add(&mut figures, size)?;
    figures.print();
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the last word of a program that failed")]
fn complain(error: &Failure) {
    eprintln!("keystride-console-bench: {error}");
}

/// Returns the median of times.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
