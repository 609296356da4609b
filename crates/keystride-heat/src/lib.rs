//! Measures how evenly rows are distributed over the regions of a table, window by window, next to what
//! chance alone would show.
//!
//! Two things are needed for a meaningful figure of balance. It must be taken per window: a key that begins
//! with the time is perfectly even over a day, and as uneven as possible in each minute. And it must be
//! compared with its chance floor: 139 rows that a perfect hash distributes over 16 regions already give
//! 1.61.
//!
//! The crate is deterministic: the same input always gives the same numbers. It uses no files, clock,
//! network, threads or random numbers. Times are arguments, and the caller determines the region of a row.
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
//! let (series, _) = counter.finish();
//! let balance = series.balance().expect("there are windows");
//! assert_eq!(balance.overall.imbalance(), 1.0);
//! assert_eq!(balance.imbalance.median, 16.0);
//! assert_eq!(balance.to_string(), "hot 16.00 (chance alone 1.87)");
//! ```
//!
//! Read on in this order: [`WindowCounts`] counts rows, [`Distribution`] measures one window,
//! [`WindowCounter`] cuts a stream of rows into windows, [`WindowSeries`] holds their measures and [`HeatMap`] their
//! counts, [`Chance`] is the floor, [`Balance`] is the summary, and [`placement`] is about servers. [`live`] is about tables that are watched:
//! rates per region from counters, by time, in bounded memory.

mod balance;
pub mod chance;
mod counts;
mod error;
pub mod live;
mod map;
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
pub use map::{HeatMap, HeatRow};
pub use measures::{Distribution, normalised_entropy};
pub use movement::{Direction, Movement};
pub use series::{MOST_WINDOWS_KEPT, Window, WindowSeries};
pub use spread::Spread;
pub use windows::{WindowCounter, Windowing};
