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
mod document;
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
pub use document::{RegionPreview, SplitPointsDocument};
pub use error::SplitError;
pub use partition_keys::{PARTITION_SUFFIX, md5_hex, partition_keys, partition_width};
pub use points::SplitPoints;
pub use range::range;
pub use sample::{SampleSplit, sample};

use crate::{InvalidKey, MAX_KEY_LEN};

/// The largest number of regions that a rule makes. HBase sets no limit, but no cluster can serve a table with this
/// many.
pub const MAX_REGIONS: usize = 1 << 20;

/// The most bytes that the split points of a new table have together: 16 MiB. HBase's client sends all of them in one
/// request.
pub const MAX_SPLIT_BYTES: usize = 16 << 20;

fn check_regions(rule: &'static str, regions: usize, least: usize) -> Result<(), SplitError> {
    if regions < least {
        return Err(SplitError::TooFewRegions { rule, regions, least });
    }
    if regions > MAX_REGIONS {
        return Err(SplitError::TooManyRegions { regions });
    }
    Ok(())
}

/// Checks points before they are made, by their number and the length that each has at least.
fn check_len(points: usize, len: usize) -> Result<(), SplitError> {
    if points > 0 && len > MAX_KEY_LEN {
        return Err(SplitError::NotAKey { index: 0, cause: InvalidKey::TooLong { len } });
    }
    check_bytes(points, points.saturating_mul(len))
}

fn check_bytes(points: usize, bytes: usize) -> Result<(), SplitError> {
    if bytes > MAX_SPLIT_BYTES { Err(SplitError::TooManyBytes { points, bytes }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_more_than_16_mib_are_refused_whatever_makes_them() {
        let long = "1".repeat(MAX_KEY_LEN);
        let last = "9".repeat(MAX_KEY_LEN);
        let texts: Vec<String> = (0..514).map(|n| format!("{n:03}{}", &long[3..])).collect();
        let points = [
            SplitAlgorithm::HexString.split(MAX_REGIONS, None, Some(&last)),
            SplitAlgorithm::DecimalString.split(514, Some("0"), Some(&last)),
            SplitAlgorithm::Uniform.split(514, None, Some(&last)),
            partition_keys(MAX_REGIONS, Some(MAX_KEY_LEN), b""),
            partition_keys(MAX_REGIONS, None, &long.as_bytes()[7..]),
            range(b"0", last.as_bytes(), 516),
            list::escaped(texts.iter().map(String::as_str)),
            SplitPoints::from_unsorted(&texts),
            sample(&mut texts.clone(), 514).map(|split| split.points),
        ];
        for points in points {
            let told = points.unwrap_err().to_string();
            assert!(told.contains(" bytes together: at most 16777216 (16 MiB) can be made"), "{told}");
        }
        let rows = SplitAlgorithm::Uniform.split_range(b"", last.as_bytes(), MAX_REGIONS, Ends::Kept);
        assert_eq!(rows, Err(SplitError::TooManyBytes { points: 1_048_575, bytes: 34_358_657_025 }));
        for width in [MAX_KEY_LEN + 1, usize::MAX] {
            let refused = partition_keys(2, Some(width), b"");
            assert_eq!(
                refused,
                Err(SplitError::NotAKey { index: 0, cause: InvalidKey::TooLong { len: width } })
            );
        }
    }

    #[test]
    fn a_list_has_no_more_points_than_regions_can_be_made() {
        let list = |points: u32| SplitPoints::from_unsorted((0..points).map(u32::to_be_bytes));
        assert_eq!(list(1_048_575).unwrap().region_count(), MAX_REGIONS);
        assert_eq!(list(u32::MAX), Err(SplitError::TooManyRegions { regions: MAX_REGIONS + 1 }));
    }
}
