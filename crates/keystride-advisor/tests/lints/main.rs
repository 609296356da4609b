//! What the lints say of designs, and what they do not say.

#![expect(clippy::unwrap_used, reason = "a law that can't be checked fails")]

mod bucket_map;
mod clock;
mod defects;
#[expect(dead_code, reason = "the laws of keys use more of it")]
#[path = "../../../keystride/tests/laws/designs.rs"]
mod designs;
mod encoding;
mod heat;
mod identity;
mod judge;
mod languages;
mod numbers;
mod patch;
mod reads;
mod salts;
mod sizes;
mod splits;
mod uniqueness;
mod worked;
