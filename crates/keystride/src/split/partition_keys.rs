use super::{SplitError, SplitPoints, check_len, check_regions};

/// What follows the number of a partition unless another suffix is given.
pub const PARTITION_SUFFIX: &[u8] = b"|";

/// Returns the split keys of a numbered prefix: 0, 1, … `regions` − 2, padded with zeros to `width`, each followed by
/// `suffix`.
///
/// `width` defaults to [`partition_width`]. A number that is wider is written in full, as by Java's formatters, and the
/// keys are then sorted as bytes, as HBase does: `10|` before `1|`.
///
/// ```
/// # use keystride::split::{SplitPoints, partition_keys};
/// assert_eq!(partition_keys(3, None, b"|")?, SplitPoints::new(["0|", "1|"])?);
/// assert_eq!(partition_keys(12, None, b"|")?.keys()[10].as_bytes(), b"10|");
/// # Ok::<(), keystride::SplitError>(())
/// ```
///
/// # Errors
///
/// [`SplitError`] for no regions or too many, and for keys that are too long, each or together.
pub fn partition_keys(
    regions: usize,
    width: Option<usize>,
    suffix: &[u8],
) -> Result<SplitPoints, SplitError> {
    check_regions("partition-keys", regions, 1)?;
    let width = width.unwrap_or_else(|| partition_width(regions));
    check_len(regions - 1, width.saturating_add(suffix.len()))?;
    let numbers = (0..regions - 1).map(|number| number.to_string());
    let key = |number: String| {
        let zeros = width.saturating_sub(number.len());
        [&vec![b'0'; zeros], number.as_bytes(), suffix].concat()
    };
    SplitPoints::from_unsorted(numbers.map(key))
}

/// Returns the number of digits of the largest number that [`partition_keys`] writes, `regions` − 2; 1 if it writes
/// none.
///
/// That is one digit too few for the partitions themselves if `regions` − 1 has one more: with 11 regions the keys end
/// with `9|`, and partition `10` falls among those of `1`.
pub fn partition_width(regions: usize) -> usize {
    regions.saturating_sub(2).max(1).ilog10() as usize + 1
}

/// Returns `001` to `015`: the sixteen regions of a hex digit of MD5 that is written as three decimal digits.
#[expect(clippy::missing_panics_doc, reason = "fifteen texts of three digits ascend")]
pub fn md5_hex() -> SplitPoints {
    SplitPoints::new((1..16).map(|bucket| format!("{bucket:03}")))
        .expect("three digits are a key, and ascend")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_grows_one_region_late() {
        assert_eq!([1, 2, 11, 12, 101, 102].map(partition_width), [1, 1, 1, 2, 2, 3]);
        let points = partition_keys(11, None, b"|").unwrap();
        assert_eq!(points.keys()[9].as_bytes(), b"9|");
        assert_eq!(points.region_of(b"10|x"), 1);
    }

    #[test]
    fn a_width_that_is_too_small_is_exceeded_and_the_keys_sorted() {
        let points = partition_keys(12, Some(1), b"|").unwrap();
        let shown: Vec<_> = points.keys()[..3].iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["0|", "10|", "1|"]);
    }

    #[test]
    fn one_region_has_no_keys_and_none_is_refused() {
        assert_eq!(partition_keys(1, None, b"|"), Ok(SplitPoints::default()));
        assert!(matches!(partition_keys(0, None, b"|"), Err(SplitError::TooFewRegions { .. })));
    }

    #[test]
    fn keys_that_are_too_long_are_refused() {
        assert!(matches!(partition_keys(3, Some(40_000), b"|"), Err(SplitError::NotAKey { .. })));
    }
}
