//! Instants: how sources and keys write them, and the periods they are cut down to.
//!
//! Start with [`Pattern`], which writes and reads times as Java does, in a [`Zone`]; [`Unit`] counts epochs,
//! [`InputFormat`] reads what a source writes, [`Period`] cuts. The calendar is the Gregorian one throughout. Nothing
//! here asks the machine for its clock, its zone or its zone database.

mod civil;
mod clock_changes;
mod compact_text;
mod cursor;
mod error;
mod fixed_text;
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
