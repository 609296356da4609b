//! Scans: many rows, in order.
//!
//! [`Scan`] is the question. `machine` knows what to ask next after each answer and each error, and does nothing else;
//! `forward` is where that begins and ends, and whether answers go on from there; `assembly` puts rows together that came
//! in parts; `driver` asks, `timeline` opens where copies may answer, `tally` is what is told besides rows; [`Scanner`]
//! is what the reader holds.

mod assembly;
mod driver;
mod forward;
#[cfg(test)]
mod fuzz;
mod machine;
mod question;
mod scanner;
mod tally;
mod timeline;

pub use question::{Order, ReadType, Scan};
pub use scanner::Scanner;
pub use tally::ScanMetrics;
