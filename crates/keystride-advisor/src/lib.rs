//! What is wrong with a design, and what would be better.
//!
//! [`lint`] checks a design before the first row is written, [`Review`] applies the patches that its findings propose,
//! [`edited`] changes a design file by path, and [`sample`] infers a design from rows. The crate is deterministic: it uses
//! no files, clock, network, threads or random numbers.

mod array_lines;
mod grouped;
pub mod lint;
mod patch;
mod review;
pub mod sample;

pub use grouped::grouped;
pub use patch::edited;
pub use review::{Patches, Review, Split, SplitOf};
