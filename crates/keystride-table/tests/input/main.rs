//! Sources as those who load them meet them.

#![expect(clippy::unwrap_used, reason = "a check that can't be made fails")]

mod any_bytes;
#[cfg(feature = "avro")]
mod avro;
mod charsets;
mod columns;
mod csv;
mod errors;
mod json_lines;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;
mod positions;
mod reading;
mod rejects;
