//! HBase's byte interpolation, `Bytes.split`.

use super::digits::Digits;
use super::{MAX_REGIONS, SplitError, check_len};
use crate::escape;

/// Whether `Bytes.split` includes the last row in the range that it divides: its `inclusive` flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastRow {
    /// The range ends before the last row: `b − a` rows.
    Exclusive,
    /// The range includes the last row: `b − a + 1` rows.
    Inclusive,
}

/// Returns what HBase's `Bytes.split(a, b, inclusive, num)` does: both ends and `inner` points between them, at equal
/// steps.
///
/// The shorter end is padded with zero bytes on the right, and both are read as big-endian numbers. If fewer than
/// `inner` + 1 rows lie between them, both ends are extended by zero bytes until there are enough, and are returned
/// with the extension. Otherwise the ends are returned as they were given.
///
/// ```
/// # use keystride::split::{LastRow, bytes_split};
/// assert_eq!(bytes_split(b"a", b"z", LastRow::Exclusive, 1)?, [b"a", b"m", b"z"]);
/// assert_eq!(bytes_split(b"a", b"b", LastRow::Exclusive, 1)?, [b"a\x00", b"a\x80", b"b\x00"]);
/// assert_eq!(bytes_split(b"a", b"b", LastRow::Inclusive, 1)?, [b"a", b"b", b"b"]); // so does HBase
/// # Ok::<(), keystride::SplitError>(())
/// ```
///
/// # Errors
///
/// [`SplitError`] when `inner` is 0 or exceeds [`MAX_REGIONS`], when the points have more than
/// [`MAX_SPLIT_BYTES`](super::MAX_SPLIT_BYTES), or when `b` does not come after `a` once both are padded.
pub fn bytes_split(a: &[u8], b: &[u8], last: LastRow, inner: usize) -> Result<Vec<Vec<u8>>, SplitError> {
    if inner == 0 {
        return Err(SplitError::NoInnerPoint);
    }
    if inner > MAX_REGIONS {
        return Err(SplitError::TooManyRegions { regions: inner });
    }
    let width = a.len().max(b.len());
    check_len(inner, width)?;
    if padded(a, width) >= padded(b, width) {
        return Err(SplitError::EmptyRange { start: escape::to_escaped(a), end: escape::to_escaped(b) });
    }
    let steps = inner as u64 + 1;
    let (width, rows) = enough_rows(a, b, last, steps);
    check_len(inner, width)?;
    let ends = if width > a.len().max(b.len()) {
        (padded(a, width), padded(b, width))
    } else {
        (a.to_vec(), b.to_vec())
    };
    Ok(points_between(ends, width, &rows.divide(steps), inner))
}

/// Returns the width at which at least `steps` rows lie between the ends, and the number of rows.
fn enough_rows(a: &[u8], b: &[u8], last: LastRow, steps: u64) -> (usize, Digits) {
    let mut width = a.len().max(b.len());
    loop {
        let rows = row_count(padded(a, width), padded(b, width), last);
        if rows.below(steps).is_none() {
            return (width, rows);
        }
        width += 1;
    }
}

fn row_count(a: Vec<u8>, b: Vec<u8>, last: LastRow) -> Digits {
    let mut rows = Digits::new(256, b);
    rows.subtract(&Digits::new(256, a));
    if last == LastRow::Inclusive {
        rows.increment();
    }
    rows
}

fn points_between(ends: (Vec<u8>, Vec<u8>), width: usize, step: &Digits, inner: usize) -> Vec<Vec<u8>> {
    let mut point = Digits::new(256, padded(&ends.0, width));
    let mut points = Vec::with_capacity(inner + 2);
    points.push(ends.0);
    for _ in 0..inner {
        point.add(step);
        points.push(point.to_width(width));
    }
    points.push(ends.1);
    points
}

fn padded(bytes: &[u8], width: usize) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.resize(width, 0);
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_only_zero_bytes_part_are_refused() {
        let refused = bytes_split(b"a", b"a\0", LastRow::Inclusive, 1).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "nothing lies between \"a\" and \"a\\\\x00\": the end must come after the start, and in more than zero bytes"
        );
        assert!(bytes_split(b"", b"", LastRow::Exclusive, 1).is_err());
        assert!(bytes_split(b"b", b"a", LastRow::Exclusive, 1).is_err());
    }

    #[test]
    fn no_point_and_too_many_are_refused() {
        assert_eq!(bytes_split(b"a", b"b", LastRow::Exclusive, 0), Err(SplitError::NoInnerPoint));
        let regions = usize::MAX;
        assert_eq!(
            bytes_split(b"a", b"b", LastRow::Exclusive, regions),
            Err(SplitError::TooManyRegions { regions })
        );
    }

    #[test]
    fn an_empty_start_is_zero() {
        let points = bytes_split(b"", &[0xff, 0xff], LastRow::Exclusive, 3).unwrap();
        assert_eq!(points, [vec![], vec![0x3f, 0xff], vec![0x7f, 0xfe], vec![0xbf, 0xfd], vec![0xff, 0xff]]);
    }

    #[test]
    fn keys_lengthen_as_often_as_needed() {
        let points = bytes_split(b"a", b"a\x01", LastRow::Exclusive, 65_535).unwrap();
        assert_eq!(points[1], b"a\x00\x00\x01");
        assert_eq!(points.last().unwrap(), b"a\x01\x00\x00");
    }
}
