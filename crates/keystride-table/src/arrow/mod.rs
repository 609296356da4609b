//! Rows as Arrow record batches.
//!
//! A query is divided into partitions, which are read independently, for example by the workers of an SQL engine. Each
//! is a stream of record batches, which have the [`schema`] of the requested fields.
//!
//! ```
//! # use std::num::NonZeroUsize;
//! # use std::sync::Arc;
//! # use futures_util::TryStreamExt;
//! # use keystride::{Design, Predicate, Row};
//! # use keystride_store::MemoryStore;
//! # use keystride_table::{Query, Table};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let design = Design::from_toml(
//! #     r#"
//! #     format = 1
//! #     [table]
//! #     name = "calls"
//! #     families = ["f"]
//! #     [fields]
//! #     phone = { type = "digits", len = 11 }
//! #     seconds = { type = "u32" }
//! #     [key]
//! #     parts = [ { bucket = 16, of = ["phone"] }, { field = "phone" } ]
//! #     [split]
//! #     by = "bucket"
//! #     "#,
//! # )?;
//! # let points = design.split_points(&mut [])?;
//! # let calls = Table::create(Arc::new(MemoryStore::default()), design, &points).await?;
//! # let mut row = Row::new(2);
//! # for (field, text) in ["13800138000", "42"].into_iter().enumerate() {
//! #     calls.design().read_value(&mut row, field, text)?;
//! # }
//! # calls.put_rows(&[row]).await?;
//! let predicate = Predicate::parse("seconds > 40", calls.design())?;
//! let query = calls.prepare(&Query::of(predicate))?;
//! let mut row_count = 0;
//! for partition in query.partitions(NonZeroUsize::MIN.saturating_add(3)).await? {
//!     let mut batches = partition.batches();
//!     while let Some(batch) = batches.try_next().await? {
//!         assert_eq!(batch.schema(), query.schema());
//!         row_count += batch.num_rows();
//!     }
//! }
//! assert_eq!(row_count, 1);
//! # Ok(())
//! # }
//! ```
//!
//! Where to start: [`PreparedQuery::partitions`](crate::PreparedQuery::partitions), then [`QueryPartition`].

mod batches;
mod columns;
mod divide;
mod error;
mod nulls;
mod partition;
mod schema;
mod texts;
#[cfg(feature = "parquet")]
mod values;

pub use batches::BatchStream;
pub(crate) use columns::ColumnRows;
#[cfg(feature = "parquet")]
pub(crate) use divide::divide;
pub use error::{BatchError, TimeOutOfRange};
pub use partition::{PartitionOrder, QueryPartition};
pub use schema::schema;
#[cfg(feature = "parquet")]
pub(crate) use values::value_at;
