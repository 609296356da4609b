//! How evenly rows fall on the regions of a table, window by window, beside what chance alone would show.
//!
//! Two things make a figure of balance honest. It is taken per window: a key that begins with the time is
//! perfectly even over a day and the worst possible in each of its minutes. And it stands beside its chance
//! floor: 139 rows thrown by a perfect hash at 16 regions already give 1.61.
//!
//! Pure rules: same input, same numbers; no file, clock, network, thread or random number. Times are
//! arguments, and knowing the region of a row is the caller's part.
//!
//! ```
//! use keystride_heat::{WindowCounter, Windowing};
//! # use std::num::NonZeroU64;
//!
//! let minute = Windowing::Time { ms: NonZeroU64::new(60_000).expect("a minute is not empty") };
//! let mut counter = WindowCounter::new(16, minute);
//! for second in 0..16 * 60 {
//!     counter.add_at(second * 1000, (second / 60) as usize, 1); // each minute another region
//! }
//! let series = counter.finish();
//! let balance = series.balance().expect("there are windows");
//! assert_eq!(balance.overall.imbalance(), 1.0);
//! assert_eq!(balance.imbalance.median, 16.0);
//! assert_eq!(balance.to_string(), "hot 16.00 (chance alone 1.87)");
//! ```
//!
//! Read on in this order: [`WindowCounts`] counts, [`Distribution`] measures one window, [`WindowCounter`]
//! cuts a stream of rows into windows, [`WindowSeries`] holds them, [`Chance`] is the floor, [`Balance`] sums
//! up, and [`placement`] looks at servers.

mod balance;
pub mod chance;
mod counts;
mod error;
mod measures;
mod movement;
mod number;
pub mod placement;
mod series;
mod spread;
mod windows;

pub use balance::Balance;
pub use chance::Chance;
pub use counts::WindowCounts;
pub use error::HeatError;
pub use measures::{Distribution, normalised_entropy};
pub use movement::{Direction, Movement};
pub use series::{MOST_WINDOWS_KEPT, Window, WindowSeries};
pub use spread::Spread;
pub use windows::{WindowCounter, Windowing};
