//! Instants: how sources and keys write them, and the periods they are rounded down to.
//!
//! Start with [`Pattern`], which writes and reads times as Java does, in a [`Zone`]. [`Unit`] is what epochs are
//! counted in, [`InputFormat`] reads what a source writes, and [`Period`] rounds down. The calendar is the Gregorian
//! one throughout. This module never uses the machine's clock, time zone or zone database.

mod civil;
mod clock_changes;
mod compact_text;
mod cursor;
mod error;
mod grain;
mod input;
mod iso8601;
mod pattern;
mod pattern_letters;
mod period;
mod piece;
mod unit;
mod zone;

pub use civil::LocalTime;
pub use error::{Expected, TimeError};
pub use grain::Grain;
pub use input::InputFormat;
pub use iso8601::{read_iso8601, to_iso8601};
pub use pattern::Pattern;
pub use period::Period;
pub use unit::Unit;
pub use zone::Zone;
