//! Split points at the quantiles of sampled keys.

use super::{SplitError, SplitPoints, check_bytes, check_regions};

/// The split points of a sample, and how many were lost to repeated keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleSplit {
    /// The points.
    pub points: SplitPoints,
    /// The number of points that were dropped because the sample repeats a key there, which is also the number of
    /// regions missing.
    pub dropped_count: usize,
}

/// Cuts a sample of *n* encoded keys evenly: point *i* is key ⌊*i*·*n*/`regions`⌋ of the sorted sample.
///
/// The keys are sorted first if they are not. A point equal to the one before it is dropped and counted.
///
/// ```
/// # use keystride::split::{SplitPoints, sample};
/// let split = sample(&mut ["d", "a", "c", "b", "b", "b"], 3)?;
/// assert_eq!(split.points, SplitPoints::new(["b", "c"])?);
/// assert_eq!(split.dropped_count, 0);
/// # Ok::<(), keystride::SplitError>(())
/// ```
///
/// # Errors
///
/// [`SplitError`] for no regions or too many, for an empty sample, for a point that is not a valid key, and for more than
/// [`MAX_SPLIT_BYTES`](super::MAX_SPLIT_BYTES).
pub fn sample<K: AsRef<[u8]>>(keys: &mut [K], regions: usize) -> Result<SampleSplit, SplitError> {
    check_regions("sample", regions, 1)?;
    if keys.is_empty() && regions > 1 {
        return Err(SplitError::EmptySample { regions });
    }
    if !keys.is_sorted_by(|left, right| left.as_ref() <= right.as_ref()) {
        keys.sort_unstable_by(|left, right| left.as_ref().cmp(right.as_ref()));
    }
    let mut chosen: Vec<&[u8]> =
        (1..regions).map(|point| keys[key_index(point, keys.len(), regions)].as_ref()).collect();
    chosen.dedup();
    let dropped_count = regions - 1 - chosen.len();
    check_bytes(chosen.len(), chosen.iter().map(|key| key.len()).sum())?;
    Ok(SampleSplit { points: SplitPoints::new(chosen)?, dropped_count })
}

/// Returns ⌊point·keys/regions⌋, which is below `keys`, without overflow.
fn key_index(point: usize, keys: usize, regions: usize) -> usize {
    let (whole, rest) = (keys / regions, keys % regions);
    point * whole + point * rest / regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_of_a_sample_hold_equal_shares() {
        let mut keys: Vec<[u8; 2]> = (0..1000_u16).rev().map(u16::to_be_bytes).collect();
        let split = sample(&mut keys, 10).unwrap();
        let points: Vec<_> = split.points.keys().iter().map(|key| key.as_bytes().to_vec()).collect();
        let expected: Vec<_> = (1..10_u16).map(|point| (point * 100).to_be_bytes().to_vec()).collect();
        assert_eq!(points, expected);
    }

    #[test]
    fn repeated_keys_cost_regions_and_are_counted() {
        let split = sample(&mut ["a", "a", "a", "a", "a", "b"], 4).unwrap();
        assert_eq!(split.points, SplitPoints::new(["a"]).unwrap());
        assert_eq!(split.dropped_count, 2);
    }

    #[test]
    fn fewer_keys_than_regions_make_fewer_regions() {
        let split = sample(&mut ["a", "b"], 5).unwrap();
        assert_eq!(split.points, SplitPoints::new(["a", "b"]).unwrap());
        assert_eq!(split.dropped_count, 2);
    }

    #[test]
    fn an_empty_sample_makes_one_region_only() {
        let none: &mut [&str] = &mut [];
        assert_eq!(sample(none, 1).unwrap().points, SplitPoints::default());
        assert_eq!(sample(none, 2), Err(SplitError::EmptySample { regions: 2 }));
    }

    #[test]
    fn the_index_is_the_floor_of_the_product() {
        for (point, keys, regions) in [(1, 7, 3), (2, 7, 3), (999, 12_345, 1000), (3, 2, 5)] {
            assert_eq!(key_index(point, keys, regions), point * keys / regions);
        }
        assert!(key_index(1 << 19, usize::MAX, 1 << 20) < usize::MAX);
    }
}
