//! Tables in the manner of HBase: one trait, [`Store`], and its homes.
//!
//! A store keeps tables of rows sorted by key, cut into regions, with cells in column families under a qualifier and
//! a timestamp. All homes follow HBase: its order of cells, its marks of deletion, versions and time to live, its
//! limits and its rules for names. What is written to one and read from another is the same.
//!
//! | Home | For |
//! |---|---|
//! | [`EmbeddedStore`] | one machine: a folder of files |
//! | [`HBaseStore`] | an Apache HBase cluster, over its own protocol |
//! | [`MemoryStore`] | tests, and what need not last |
//!
//! What it leaves out: a store sees bytes. What the parts of a key mean, and which ranges answer a question, is the
//! business of who calls it.
//!
//! ```
//! # use futures_util::TryStreamExt;
//! # use keystride::{KeyRange, SplitPoints};
//! # use keystride_store::*;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = MemoryStore::default();
//! let table = TableDescription::new(TableName::new("log")?, [Family::new(FamilyName::new("cf")?)]);
//! store.create(&table, &SplitPoints::new(["1|", "2|"])?).await?;
//!
//! let mut batch = MutationBatch::new();
//! batch.put(b"0|42", b"cf", b"event", 1_400_657_685_457, b"login")?;
//! batch.put(b"2|43", b"cf", b"event", 1_400_657_685_458, b"logout")?;
//! let written = store.write(&table.name, Write::of(batch)).await?;
//! assert_eq!(written.regions.len(), 2);
//!
//! let mut rows = store.scan(&table.name, Scan::of(KeyRange::prefix(b"2|"))).await?;
//! let batch = rows.try_next().await?.expect("one row is there");
//! assert_eq!(batch.row(0).cell(b"cf", b"event").unwrap().value, b"logout");
//! # Ok(())
//! # }
//! ```
//!
//! To read on: [`Store`] says what every home promises; [`MutationBatch`] and [`RowBatch`] are what goes in and comes
//! out; [`Scan`] and [`Selection`] are the questions; [`Amount`], [`Appended`] and [`Check`] are for changes that depend
//! on what is there.

mod atomic;
mod batch_pool;
mod cell;
mod clock;
mod column_names;
mod columns_id;
#[cfg(feature = "conformance")]
pub mod conformance;
mod embedded;
mod error;
mod family;
mod filter;
mod flat;
mod hbase;
mod intake;
mod memory;
mod mutation_error;
mod mutations;
mod read;
mod regions;
mod rows;
mod sink;
mod store;
mod table;
mod visible;
mod write;

pub use atomic::{Amount, Appended, Check, Condition};
pub use batch_pool::BatchPool;
pub use cell::Cell;
pub use clock::{Clock, ManualClock, SystemClock};
pub use column_names::{ColumnNames, PutCell};
pub use columns_id::ColumnsId;
pub use embedded::{Durability, EmbeddedOptions, EmbeddedStore};
pub use error::StoreError;
pub use family::Family;
pub use filter::{Filter, Missing};
pub use flat::{Row, RowValues};
pub use hbase::HBaseStore;
pub use keystride_hbase::{
    AfterTruncate, BlockEncoding, Bloom, CellKind, Compare, Compression, FamilyName, KeepDeletedCells,
    LATEST, MAX_FAMILY_LEN, NameError, TableName, UnknownWord,
};
pub use memory::MemoryStore;
pub use mutation_error::{MAX_QUALIFIER_LEN, MutationError};
pub use mutations::{DEFAULT_MAX_CELL_BYTES, MutationBatch};
pub use read::{Columns, Detail, FamilyColumns, Order, Pace, Scan, Selection, TimeRange};
pub use rows::RowBatch;
pub use store::{Bulk, RowStream, Store, Writers};
pub use table::{Region, RegionCounts, RegionId, TableDescription};
pub use write::{Note, RegionWrite, Write, Written};
