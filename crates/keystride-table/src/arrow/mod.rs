//! Rows as Arrow record batches.

mod columns;
mod error;
mod nulls;
mod schema;
mod texts;

pub(crate) use columns::ColumnRows;
pub use error::TimeOutOfRange;
pub use schema::schema;
