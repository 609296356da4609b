//! Loads seen from outside: rules, broken loads, memory.

#![expect(clippy::unwrap_used, reason = "a check that can't be made fails")]

mod at_once;
mod fixture;
mod kill;
mod logs;
mod memory;
mod resume;
mod rules;
mod same_key;
mod stored;
mod topics;
mod ways;
