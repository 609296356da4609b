//! Split points: where a table is cut into regions, and the rules that make them.

mod points;

pub use points::{SplitError, SplitPoints};
