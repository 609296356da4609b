//! A design bound to the stores, seen from outside.

#![expect(clippy::unwrap_used, reason = "a check that can't be made fails")]

#[expect(dead_code, reason = "these are the designs of another crate's laws, and here not all is used")]
#[path = "../../../keystride/tests/laws/designs.rs"]
mod designs;

mod agreement;
mod binding;
mod cells_in_range;
#[cfg(feature = "parquet")]
mod columns_in_turn;
mod explained;
#[cfg(feature = "parquet")]
mod extracts;
mod flights;
mod key_order;

mod least_reads;
#[cfg(feature = "arrow")]
mod record_batches;
mod stores;
mod time_order;
