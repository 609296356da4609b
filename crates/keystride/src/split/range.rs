//! The split rule of `Admin.createTable` with a start and an end key.

use super::{LastRow, SplitError, SplitPoints, bytes_split, check_regions};
use crate::escape;

/// Returns the points of `Admin.createTable(desc, start, end, regions)`: `start` and `end` are themselves split points,
/// and the others lie evenly between them.
///
/// The first region is thus everything below `start`, and the last is everything from `end` on.
///
/// ```
/// # use keystride::split::{SplitPoints, range};
/// assert_eq!(range(b"a", b"z", 4)?, SplitPoints::new(["a", "m", "z"])?);
/// # Ok::<(), keystride::SplitError>(())
/// ```
///
/// # Errors
///
/// [`SplitError`] for fewer than 3 regions, an empty end, and ends that are out of order.
pub fn range(start: &[u8], end: &[u8], regions: usize) -> Result<SplitPoints, SplitError> {
    check_regions("range", regions, 3)?;
    if start.is_empty() || end.is_empty() {
        return Err(SplitError::EmptyEnd);
    }
    if end <= start {
        return Err(SplitError::EmptyRange {
            start: escape::to_escaped(start),
            end: escape::to_escaped(end),
        });
    }
    match regions {
        3 => SplitPoints::new([start, end]),
        _ => SplitPoints::new(bytes_split(start, end, LastRow::Exclusive, regions - 3)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_regions_are_cut_at_the_ends() {
        assert_eq!(range(b"a", b"a\0", 3), SplitPoints::new([&b"a"[..], b"a\0"]));
        assert!(matches!(range(b"a", b"a\0", 4), Err(SplitError::EmptyRange { .. })));
    }

    #[test]
    fn fewer_than_three_are_refused() {
        assert_eq!(
            range(b"a", b"z", 2),
            Err(SplitError::TooFewRegions { rule: "range", regions: 2, least: 3 })
        );
    }

    #[test]
    fn ends_that_are_empty_or_fall_are_refused() {
        assert_eq!(range(b"", b"z", 5), Err(SplitError::EmptyEnd));
        assert_eq!(range(b"a", b"", 5), Err(SplitError::EmptyEnd));
        assert!(matches!(range(b"b", b"a", 5), Err(SplitError::EmptyRange { .. })));
    }

    #[test]
    fn close_ends_come_back_longer() {
        assert_eq!(range(b"a", b"b", 5), SplitPoints::new([b"a\x00", b"a\x55", b"a\xaa", b"b\x00"]));
    }
}
