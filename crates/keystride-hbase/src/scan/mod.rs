//! Scans: many rows, in order.
//!
//! [`Scan`] defines a scan, and a [`Scanner`] returns its rows. Between them, `machine` decides what to ask next after
//! each answer and error, without I/O; `position` compares positions and checks the order of rows; `assembly` assembles
//! rows that arrive in parts; `driver` sends the requests; `timeline` opens scanners at replicas; `status` holds what
//! servers report besides rows.

mod assembly;
mod driver;
#[cfg(test)]
mod fuzz;
mod machine;
mod position;
mod request;
mod scanner;
mod status;
mod timeline;

pub use request::{Order, ReadType, Scan};
pub use scanner::Scanner;
pub use status::ScanMetrics;
