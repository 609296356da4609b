//! Where the regions of tables are.
//!
//! [`Locator`] answers from its cache, table by table, and reads hbase:meta for what it does not know.

mod cache;
#[cfg(test)]
mod fuzz;
mod info;
mod locator;
mod meta;

pub use info::RegionInfo;
pub(crate) use info::{Located, meta_region};
pub(crate) use locator::{Locator, Side};
pub(crate) use meta::{MetaRow, read_meta_row};
