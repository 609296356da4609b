//! Split points given as a list. They are sorted, as HBase's client does before it sends them.

use super::{SplitError, SplitPoints};
use crate::escape;

/// Reads points in escaped text, as the shell's `SPLITS` takes them; a `SPLITS_FILE` has one per line.
///
/// ```
/// # use keystride::split::{SplitPoints, list};
/// assert_eq!(list::escaped("b\n\\x00\\x0A\n".lines())?, SplitPoints::new([&b"\0\n"[..], b"b"])?);
/// # Ok::<(), keystride::SplitError>(())
/// ```
///
/// # Errors
///
/// [`SplitError`] for a point that can't be read, is not a key (an empty line), or is repeated, and for more points or
/// bytes than a new table can have.
pub fn escaped<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<SplitPoints, SplitError> {
    SplitPoints::from_results(texts.into_iter().map(unescape))
}

/// Returns points of four bytes, big-endian, as `Bytes.toBytes(int)` gives them: negative ones sort after all others.
///
/// ```
/// # use keystride::split::{SplitPoints, list};
/// assert_eq!(list::ints(&[1, 10])?, SplitPoints::new([[0, 0, 0, 1], [0, 0, 0, 10]])?);
/// # Ok::<(), keystride::SplitError>(())
/// ```
///
/// # Errors
///
/// [`SplitError::Repeated`] for a repeated number.
pub fn ints(numbers: &[i32]) -> Result<SplitPoints, SplitError> {
    SplitPoints::from_unsorted(numbers.iter().map(|number| number.to_be_bytes()))
}

/// Returns points of eight bytes, big-endian, as `Bytes.toBytes(long)` gives them: negative ones sort after all others.
///
/// # Errors
///
/// [`SplitError::Repeated`] for a repeated number.
pub fn longs(numbers: &[i64]) -> Result<SplitPoints, SplitError> {
    SplitPoints::from_unsorted(numbers.iter().map(|number| number.to_be_bytes()))
}

pub(super) fn unescape(text: &str) -> Result<Vec<u8>, SplitError> {
    escape::from_escaped(text).map_err(|cause| SplitError::BadEscape { text: text.to_owned(), cause })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InvalidKey;

    #[test]
    fn negative_numbers_sort_last() {
        let points = longs(&[-1, 5, i64::MIN]).unwrap();
        let shown: Vec<_> = points.keys().iter().map(|key| key.as_bytes()[0]).collect();
        assert_eq!(shown, [0x00, 0x80, 0xff]);
    }

    #[test]
    fn an_empty_line_is_no_key() {
        assert_eq!(
            escaped("a\n\nb".lines()),
            Err(SplitError::NotAKey { index: 1, cause: InvalidKey::Empty })
        );
    }

    #[test]
    fn doubles_are_refused_and_named() {
        assert_eq!(
            ints(&[7, 65, 7]).unwrap_err().to_string(),
            "split point \\x00\\x00\\x00\\x07 is given twice: drop one"
        );
    }

    #[test]
    fn a_broken_escape_is_shown() {
        assert_eq!(
            escaped(["\\x4"]).unwrap_err().to_string(),
            "\"\\\\x4\" is not escaped text: the escape at character 0 is cut short: \
             \\x takes two upper-case hex digits, as in \\x0A"
        );
    }
}
