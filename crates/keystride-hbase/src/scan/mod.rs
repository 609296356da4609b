//! Scans: many rows, in order.
//!
//! [`Scan`] is the question. `machine` knows what to ask next after each answer and each error, and does nothing else;
//! `assembly` puts rows together that came in parts; `driver` asks, `tally` is what it is told besides rows; [`Scanner`] is what the reader holds.

mod assembly;
mod driver;
#[cfg(test)]
mod fuzz;
mod machine;
mod question;
mod scanner;
mod tally;

pub use question::{Order, ReadType, Scan};
pub use scanner::Scanner;
pub use tally::ScanMetrics;
