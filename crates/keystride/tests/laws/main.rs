//! Laws on random designs and rows.

#![expect(clippy::unwrap_used, reason = "a law that can't be checked fails")]

mod composed;
mod designs;
mod keys;
mod made_of_values;
mod plans;
mod reachability;
mod texts;
