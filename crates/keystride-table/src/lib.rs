//! Tables of a store that are read and written through a design: rows are values of the design's fields, and every
//! read can report what it touches.
//!
//! [`Table`] binds a [`keystride::Design`] to the table of a [`keystride_store::Store`] that was created from it. The
//! design is stored with the table, in its attribute [`DESIGN_ATTRIBUTE`]. This crate has no command line, prints
//! nothing, and never creates or changes a design. [`fit`] tells whether a design fits a table that others made.
//!
//! ```
//! # use std::sync::Arc;
//! # use futures_util::TryStreamExt;
//! # use keystride::{Design, Predicate, Row, SplitPoints};
//! # use keystride_store::MemoryStore;
//! # use keystride_table::{Query, RowOrder, Table};
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
//!     ts = { type = "time", unit = "s" }
//!     seconds = { type = "u32" }
//!     [key]
//!     parts = [ { bucket = 16, of = ["phone"] }, { field = "phone" }, { field = "ts", desc = 9999999999 } ]
//!     "#,
//! )?;
//! let calls = Table::create(Arc::new(MemoryStore::default()), design, &SplitPoints::default()).await?;
//!
//! let mut row = Row::new(3);
//! for (field, text) in ["13800138000", "1400657685", "42"].into_iter().enumerate() {
//!     calls.design().read_value(&mut row, field, text)?;
//! }
//! calls.put_rows(std::slice::from_ref(&row)).await?;
//!
//! let predicate = Predicate::parse("phone = '13800138000'", calls.design())?;
//! let query = Query { order: RowOrder::Newest, limit: Some(20), ..Query::of(predicate) };
//! let rows = calls.query(&query)?.try_next().await?.expect("one row is there");
//! assert_eq!(rows.row(0).to_row(), row);
//! # Ok(())
//! # }
//! ```
//!
//! Where to start: [`Table`], then [`Query`] and [`Rows`] for reads, [`Explain`] for their cost, and [`RowWriter`]
//! and [`RowReader`] for the encoding of rows. With the feature `arrow`, the module of that name gives the rows of a
//! query as record batches; the feature `parquet` adds sources and extracts that are Parquet files.

mod alter;
#[cfg(feature = "arrow")]
pub mod arrow;
pub mod cells;
mod delete;
mod description;
pub mod explain;
#[cfg(feature = "parquet")]
pub mod extract;
pub mod fit;
pub mod input;
pub mod load;
mod location;
mod put;
pub mod scan;
pub mod source;
mod table;

pub use alter::AlteredWord;
pub use cells::{RowReader, RowWriter};
pub use description::TableDocument;
pub use explain::Explain;
pub use location::KeyLocation;
pub use put::PutError;
pub use scan::{PreparedQuery, Query, ReadError, RowOrder, RowView, Rows, RowsStream};
pub use table::{DESIGN_ATTRIBUTE, Kept, Table, TableError};
