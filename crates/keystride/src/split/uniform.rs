//! HBase's `UniformSplit`.

use super::{Ends, LastRow, SplitError, SplitPoints, bytes_split, check_regions};
use crate::escape;

pub(super) const NAME: &str = "UniformSplit";
pub(super) const FIRST: &[u8] = &[];
pub(super) const LAST: &[u8] = &[0xff; 8];

/// Returns the inner points of `Bytes.split`, with `last` inclusive.
pub(super) fn split(regions: usize, first: &[u8], last: &[u8]) -> Result<SplitPoints, SplitError> {
    SplitPoints::new(rows(first, last, regions, Ends::Dropped)?)
}

/// Returns the same as raw rows; an empty `end` is the default row, and an empty `start` is the default as it is.
pub(super) fn split_range(
    start: &[u8],
    end: &[u8],
    regions: usize,
    ends: Ends,
) -> Result<Vec<Vec<u8>>, SplitError> {
    let end = if end.is_empty() { LAST } else { end };
    rows(start, end, regions, ends)
}

/// Returns the row half-way.
pub(super) fn midpoint(start: &[u8], end: &[u8]) -> Result<Vec<u8>, SplitError> {
    Ok(bytes_split(start, end, LastRow::Exclusive, 1)?.swap_remove(1))
}

fn rows(first: &[u8], last: &[u8], regions: usize, ends: Ends) -> Result<Vec<Vec<u8>>, SplitError> {
    check_regions(NAME, regions, 2)?;
    // Bytes.split pads the rows before it compares them; UniformSplit rejects these before padding.
    if last <= first {
        return Err(SplitError::EmptyRange {
            start: escape::to_escaped(first),
            end: escape::to_escaped(last),
        });
    }
    let mut rows = bytes_split(first, last, LastRow::Inclusive, regions - 1)?;
    if ends == Ends::Dropped {
        rows.pop();
        rows.remove(0);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use crate::SplitPoints;
    use crate::split::{SplitAlgorithm::Uniform, SplitError};

    #[test]
    fn ten_regions_of_eight_bytes() {
        let points = Uniform.split(10, None, None).unwrap();
        assert_eq!(
            points.keys()[0].as_bytes(),
            [0x19; 1].iter().chain(&[0x99; 7]).copied().collect::<Vec<_>>()
        );
        assert_eq!(points.keys()[1].to_string(), "33333332");
        assert_eq!(points.region_count(), 10);
    }

    #[test]
    fn one_region_is_refused() {
        assert_eq!(
            Uniform.split(1, None, None),
            Err(SplitError::TooFewRegions { rule: "UniformSplit", regions: 1, least: 2 })
        );
    }

    #[test]
    fn ends_are_escaped_text() {
        assert_eq!(Uniform.split(2, Some("\\x10"), Some("\\x30")), SplitPoints::new([[0x20]]));
        assert!(matches!(Uniform.split(2, Some("\\x1"), None), Err(SplitError::BadEscape { .. })));
    }

    #[test]
    fn ends_in_the_wrong_order_are_refused() {
        assert!(matches!(Uniform.split(2, Some("b"), Some("a")), Err(SplitError::EmptyRange { .. })));
        assert!(matches!(Uniform.split(2, Some("a"), Some("a\\x00")), Err(SplitError::EmptyRange { .. })));
    }
}
