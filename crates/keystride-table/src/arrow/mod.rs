//! Rows as Arrow record batches.

mod columns;
mod divide;
mod error;
mod nulls;
mod schema;
mod texts;

pub(crate) use columns::ColumnRows;
pub(crate) use divide::divide;
pub use error::TimeOutOfRange;
pub use schema::schema;
