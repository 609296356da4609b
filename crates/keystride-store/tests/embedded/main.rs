//! What an embedded store does beyond what every store must do: it lasts, it is locked, it lets go of old cells.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod atomic;
mod bulk;
mod counts;
mod damage;
mod home;
mod lasting;
mod opening;
mod reading;
