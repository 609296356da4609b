//! How evenly rows fall on the regions of a table, window by window, beside what chance alone would show.
//!
//! Two things make a figure of balance honest. It is taken per window: a key that begins with the time is
//! perfectly even over a day and the worst possible in each of its minutes. And it stands beside its chance
//! floor: 139 rows thrown by a perfect hash at 16 regions already give 1.61.
//!
//! Pure rules: same input, same numbers; no file, clock, network, thread or random number. Times are
//! arguments, and knowing the region of a row is the caller's part.

pub mod chance;
mod counts;
mod error;
mod measures;
mod number;
pub mod placement;

pub use chance::Chance;
pub use counts::WindowCounts;
pub use error::HeatError;
pub use measures::{Distribution, normalised_entropy};
