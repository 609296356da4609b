//! Bulk loading of rows into a table: keys are made, checked and counted, and no record is dropped silently.
//!
//! [`Load`] reads records, makes keys and cells, decides which rows are stored, and writes them: either in batches,
//! filling the next one while one is being written, or sorted into an empty table. [`replay()`] does everything
//! except writing.
//!
//! ```
//! # use std::sync::Arc;
//! # use keystride::{Design, SplitPoints};
//! # use keystride_store::MemoryStore;
//! # use keystride_table::Table;
//! # use keystride_table::input::{InputOptions, InputReader, Source};
//! # use keystride_table::load::{Load, LoadId, LoadOptions};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let design = Design::from_toml(
//!     r#"
//!     format = 1
//!     [table]
//!     name = "calls"
//!     families = ["f"]
//!     [fields]
//!     phone = { type = "digits", len = 11 }
//!     seconds = { type = "u32" }
//!     [key]
//!     parts = [ { field = "phone" } ]
//!     "#,
//! )?;
//! let text: &[u8] = b"phone,seconds\n13800138000,42\n13800138001,x\n13800138000,7\n13800138000,42\n";
//! let sources = vec![Source::reader("calls.csv", text)];
//! let calls = Table::create(Arc::new(MemoryStore::default()), design.clone(), &SplitPoints::default()).await?;
//! let reader = InputReader::open(Arc::new(design), sources, InputOptions::default())?;
//!
//! let options = LoadOptions::of(LoadId::new("first"));
//! let report = Load::new(&calls, options).run(reader, &mut ()).await?;
//! let counts = report.counts;
//! assert_eq!((counts.records, counts.rows, counts.repeats, counts.rejected_count()), (4, 1, 1, 2));
//! # Ok(())
//! # }
//! ```
//!
//! # Guarantees
//!
//! **Same input, same cells.** Cells are stamped with the design's `cell_time`, or else with one timestamp of the
//! load, which is stored with the table under the load's id before the first row is written. A load that is repeated
//! or resumed under its id writes the same cells; what was deleted since stays hidden, and [`LoadObserver::earlier`]
//! is called. A `random` or `round-robin` bucket is derived from the record's number, so it is the same too.
//!
//! **Rows with the same key.** Rows seen so far are identified by 128 bits of the key and 64 of the cells, in memory,
//! and beyond that in sorted temporary files of 32 bytes per row behind Bloom filters ([`LoadOptions::memory_bytes`]
//! limits the total). So the line of an earlier row is known, and nothing has to be read from the store. With
//! `on_same_key = "error"`, the first row with a key stays and different ones are rejected. With `"replace"`, a later
//! row is written over an earlier one: its cells win, and a column for which it has no value keeps the earlier one,
//! as with any two puts. Cells with a different `cell_time` are versions of one row, of which reads see the newest.
//! If the design does not specify a rule, the store determines it: see [`SameKeyRule`].
//!
//! **Progress** is a note that is written together with the rows of each batch. A resumed load reads its input from
//! the beginning and decides about every record again, without writing, up to the last acknowledged batch. This takes
//! about as long as reading the input; afterwards every row is compared with all rows before it, as in a load that
//! was never interrupted. If the records have changed, it fails with an error.

mod claim;
mod counts;
mod error;
mod event_time;
mod execution;
mod id;
mod image;
mod intake;
mod latency;
mod ledger;
mod memory;
mod note;
mod note_place;
mod options;
mod plan;
mod produce;
mod progress;
mod rate;
mod record;
mod record_place;
mod reject;
mod replay;
mod report;
mod same_key;
mod same_key_rule;
mod seen;
mod sorter;
mod spill;
mod stored;
mod tally;

pub use counts::Counts;
pub use error::LoadError;
pub use event_time::{event_field, event_ms};
pub use execution::Load;
pub use id::LoadId;
pub use latency::BatchLatency;
pub use options::{Check, LoadOptions, OnError, Start, Way};
pub use plan::has_checkpoint;
pub use progress::{Earlier, LoadObserver, Phase, Proceed, Progress};
pub use reject::{RejectKind, RejectReason, Rejected};
pub use replay::replay;
pub use report::{Ending, LoadReport, RegionRows, WriteMethod};
pub use same_key_rule::{SaidBy, SameKeyRule};
pub use stored::StoredReads;
