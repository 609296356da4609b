//! Reading: a predicate is turned into a plan, and the plan into scans of the store, whose rows are returned as
//! fields, lazily and in bounded memory.
//!
//! Start at [`Query`]; [`Table::prepare`](crate::Table::prepare) decides how it is read, and [`PreparedQuery`]
//! executes it.

mod collect;
mod count;
mod error;
mod execution;
mod gather;
mod get;
mod lanes;
mod loser_tree;
mod merge;
mod prepare;
mod push;
mod query;
mod raw;
mod rows;
mod top;

pub use error::ReadError;
pub use execution::RowsStream;
pub(crate) use gather::Gatherer;
pub use merge::Merge;
pub use prepare::PreparedQuery;
pub use query::{Query, RowOrder};
pub use rows::{RowView, Rows};

#[cfg(feature = "arrow")]
pub(crate) use collect::Collect;
pub(crate) use prepare::{MergeBy, Route};
