//! Split points: where a table is cut into regions, and the rules that make them.
//!
//! [`SplitPoints`] is what every rule returns. [`SplitAlgorithm`] is HBase's three named ones; [`range()`] is the rule
//! of `Admin.createTable(desc, start, end, n)`, and [`bytes_split`] the interpolation that it is based on. [`list`]
//! takes points as given, [`partition_keys`] makes those of a numbered prefix, and [`sample`] those of a table's own
//! keys.

mod algorithm;
mod bytes_split;
mod decimal_string;
mod design;
mod digits;
mod error;
mod finder;
mod hex_string;
pub mod list;
mod partition_keys;
mod points;
mod radix;
mod range;
mod sample;
mod uniform;

pub use algorithm::{Ends, SplitAlgorithm};
pub use bytes_split::{LastRow, bytes_split};
pub use design::SplitSource;
pub use error::SplitError;
pub use partition_keys::{PARTITION_SUFFIX, partition_keys, partition_width};
pub use points::SplitPoints;
pub use range::range;
pub use sample::{SampleSplit, sample};

/// The largest number of regions that a rule makes. HBase sets no limit, but no cluster can serve a table with this
/// many.
pub const MAX_REGIONS: usize = 1 << 20;

fn check_regions(rule: &'static str, regions: usize, least: usize) -> Result<(), SplitError> {
    if regions < least {
        return Err(SplitError::TooFewRegions { rule, regions, least });
    }
    if regions > MAX_REGIONS {
        return Err(SplitError::TooManyRegions { regions });
    }
    Ok(())
}
