//! HBase-like tables behind one trait, [`Store`], with several backends.
//!
//! A store keeps tables of rows sorted by key and partitioned into regions, with cells in column families under a
//! qualifier and a timestamp. All backends follow HBase's cell order, delete markers, versions, time to live, limits
//! and naming rules. Data written to one and read from another is the same.
//!
//! | Backend | Use |
//! |---|---|
//! | [`EmbeddedStore`] | one machine: a folder of files |
//! | [`HBaseStore`] | an Apache HBase cluster, over its own protocol |
//! | [`MemoryStore`] | tests and data that need not persist |
//!
//! The first two are behind the features `embedded` and `hbase`, which are on by default.
//!
//! A [`StoreAddress`] is a text, such as `embedded:data`, and opens a store whichever it is. A store deals in bytes
//! only. What the parts of a key mean, and which key ranges answer a query, is up to the caller.
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
//! Where to start: [`TableReader`] documents what every read sees, and [`Store`] how tables change; [`MutationBatch`]
//! and [`RowBatch`] hold what is written and read; [`Scan`] and [`Selection`] describe reads; [`Amount`], [`Appended`]
//! and [`Check`] are for changes that depend on the stored row. [`durable`] has the file operations that outlast a loss
//! of power.

#![cfg_attr(
    not(all(feature = "embedded", feature = "hbase")),
    expect(dead_code, reason = "what only a store needs that was left out")
)]

mod address;
mod atomic;
mod batch_pool;
mod bulk;
mod cell;
mod clock;
mod column_names;
mod columns_id;
#[cfg(feature = "conformance")]
pub mod conformance;
mod document;
pub mod durable;
#[cfg(feature = "embedded")]
mod embedded;
mod error;
mod family;
mod filter;
mod flat;
#[cfg(feature = "hbase")]
mod hbase;
mod holder;
mod intake;
mod layered;
mod memory;
mod mutation_error;
mod mutations;
mod read;
mod region_state;
mod regions;
mod rows;
mod sink;
mod store;
mod table;
mod table_reader;
mod visible;
mod write;

pub use address::{AddressError, OpenOptions, StoreAddress, StoreOpener};
pub use atomic::{Amount, Appended, Check, Condition};
pub use batch_pool::BatchPool;
pub use bulk::{Atomicity, Bulk};
pub use cell::Cell;
pub use clock::{Clock, ManualClock, SystemClock};
pub use column_names::{ColumnNames, PutCell};
pub use columns_id::ColumnsId;
pub use document::{CountsDocument, RegionDocument};
#[cfg(feature = "embedded")]
pub use embedded::{Durability, EmbeddedOptions, EmbeddedStore, EngineFault, Purpose, Reading, Repair};
pub use error::StoreError;
pub use family::Family;
pub use filter::{Filter, Missing};
pub use flat::{Row, RowValues};
#[cfg(feature = "hbase")]
pub use hbase::HBaseStore;
pub use holder::Holder;
pub use keystride_hbase::{
    AfterTruncate, BlockEncoding, Bloom, CellKind, Compare, Compression, FamilyName, KeepDeletedCells,
    LATEST, MAX_FAMILY_LEN, NameError, TableName, UnknownWord,
};
pub use layered::{Layer, Layered};
pub use memory::MemoryStore;
pub use mutation_error::{MAX_QUALIFIER_LEN, MutationError};
pub use mutations::{DEFAULT_MAX_CELL_BYTES, MutationBatch};
pub use read::{Columns, Detail, FamilyColumns, Order, Pace, Scan, Selection, TimeRange};
pub use region_state::RegionState;
pub use rows::RowBatch;
pub use store::Store;
pub use table::{Region, RegionCounts, RegionId, RegionLoad, TableDescription};
pub use table_reader::{RowStream, TableReader, Writers};
pub use write::{Note, RegionWrite, Write, Written};
