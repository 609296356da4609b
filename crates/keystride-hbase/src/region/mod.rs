//! Locations of regions.
//!
//! [`Locator`] has a cache for each table, and reads hbase:meta for regions that are not in it.

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
