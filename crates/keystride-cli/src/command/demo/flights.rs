//! The flights that are built into the program: the file and the three designs of `examples/flights`.

use std::sync::Arc;

use keystride::{Design, KeyCodec, SplitPoints};
use keystride_table::input::{InputOptions, InputReader, Source};

use crate::failure::Failure;

const FLIGHTS: &[u8] = include_bytes!("../../../../../examples/flights/flights.csv.zst");
const DESIGN: &str = include_str!("../../../../../examples/flights/design.toml");
const TIME_FIRST: &str = include_str!("../../../../../examples/flights/time-first.toml");
const SEED_003: &str = include_str!("../../../../../examples/flights/seed-003.toml");

/// A design of the demo, with its split points.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) title: &'static str,
    pub(super) codec: KeyCodec,
    pub(super) points: SplitPoints,
}

/// Returns the demo's own design, and the two that it is compared with.
pub(super) fn candidates() -> Result<[Candidate; 3], Failure> {
    Ok([
        candidate("newest flights of a plane", DESIGN)?,
        candidate("time first", TIME_FIRST)?,
        candidate("a posted recipe: MD5 digit, then time", SEED_003)?,
    ])
}

/// Returns the text of the demo's design.
pub(super) fn design_text() -> &'static str {
    DESIGN
}

/// Returns the names and texts of the files that the suggested commands read.
pub(super) fn files() -> [(&'static str, &'static str); 2] {
    [("design.toml", DESIGN), ("seed-003.toml", SEED_003)]
}

fn candidate(title: &'static str, text: &str) -> Result<Candidate, Failure> {
    let design = Design::from_toml(text).map_err(|error| {
        let path = std::path::PathBuf::from(format!("({title})"));
        Box::new(crate::design_failure::DesignFailure { path, text: text.to_owned(), error })
    })?;
    let points = design.split_points(&mut [])?;
    Ok(Candidate { title, codec: KeyCodec::new(design), points })
}

/// Returns a reader of all flights as rows of `design`.
pub(super) fn reader(design: &Design) -> Result<InputReader, Failure> {
    let source = Source::reader("flights.csv.zst", FLIGHTS).with_byte_count(FLIGHTS.len() as u64);
    Ok(InputReader::open(Arc::new(design.clone()), vec![source], InputOptions::default())?)
}
