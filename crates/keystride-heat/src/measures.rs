//! The measures of how rows are spread over regions.

use crate::number::{float, float_of};

/// How rows are spread over regions: the measures of one window, or of a whole load.
///
/// There is no distribution of no rows, so each measure is always a number.
///
/// ```
/// # use keystride_heat::Distribution;
/// let spread = Distribution::of(&[30, 10, 0, 0]).expect("there are rows");
/// assert_eq!(spread.imbalance(), 3.0);
/// assert_eq!(spread.hottest_region(), 0);
/// assert_eq!(spread.effective_regions(), 1.6);
/// assert_eq!(Distribution::of(&[0, 0]), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distribution {
    region_count: usize,
    row_count: u64,
    hottest_region: usize,
    max_rows: u64,
    empty_region_count: usize,
    relative_variance: f64,
}

impl Distribution {
    /// Measures rows per region, in key order; `None` if no region has a row.
    pub fn of(rows: &[u64]) -> Option<Self> {
        let row_count = rows.iter().fold(0_u64, |total, &rows| total.saturating_add(rows));
        if row_count == 0 {
            return None;
        }
        let max_rows = rows.iter().copied().max()?;
        Some(Self {
            region_count: rows.len(),
            row_count,
            hottest_region: rows.iter().position(|&rows| rows == max_rows)?,
            max_rows,
            empty_region_count: rows.iter().filter(|&&rows| rows == 0).count(),
            relative_variance: relative_variance(rows, row_count),
        })
    }

    /// Returns the number of regions, including empty ones.
    pub fn region_count(&self) -> usize {
        self.region_count
    }

    /// Returns the rows of all regions, at least 1.
    pub fn row_count(&self) -> u64 {
        self.row_count
    }

    /// Returns the region with the most rows, from 0 in key order; the first of equals.
    pub fn hottest_region(&self) -> usize {
        self.hottest_region
    }

    /// Returns the rows of the hottest region.
    pub fn max_rows(&self) -> u64 {
        self.max_rows
    }

    /// Returns how many regions have no rows.
    pub fn empty_region_count(&self) -> usize {
        self.empty_region_count
    }

    /// Returns the mean number of rows per region.
    pub fn mean_rows(&self) -> f64 {
        float(self.row_count) / float_of(self.region_count)
    }

    /// Returns the rows of the hottest region divided by the mean, the figure called "hot": 1 is even; all
    /// rows in one region give the number of regions.
    pub fn imbalance(&self) -> f64 {
        float(self.max_rows) * float_of(self.region_count) / float(self.row_count)
    }

    /// Returns the hottest region's share of all rows, above 0 and at most 1. However many servers there are,
    /// together they handle at most 1 ÷ this share times what one server handles.
    pub fn hottest_share(&self) -> f64 {
        float(self.max_rows) / float(self.row_count)
    }

    /// Returns the standard deviation ÷ the mean over the regions: 0 is even.
    pub fn coefficient_of_variation(&self) -> f64 {
        self.relative_variance.sqrt()
    }

    /// Returns the number of evenly filled regions to which these are equivalent: 1 ÷ Σ share², from 1 to the
    /// number of regions.
    pub fn effective_regions(&self) -> f64 {
        (float_of(self.region_count) / (1.0 + self.relative_variance)).max(1.0)
    }
}

/// Returns the entropy of the shares divided by its largest possible value, from 0 (all rows in one region)
/// to 1 (even, or a single region); `None` for no rows.
///
/// It hides the maximum: 0.91 looks fine although the hottest region has 2.1 times the mean. It is good for
/// trends only.
///
/// ```
/// # use keystride_heat::normalised_entropy;
/// assert_eq!(normalised_entropy(&[5, 5, 0, 0]), Some(0.5));
/// ```
pub fn normalised_entropy(rows: &[u64]) -> Option<f64> {
    let row_count = float(Distribution::of(rows)?.row_count);
    if rows.len() == 1 {
        return Some(1.0);
    }
    let shares = rows.iter().filter(|&&rows| rows > 0).map(|&rows| float(rows) / row_count);
    let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
    Some((entropy / float_of(rows.len()).ln()).clamp(0.0, 1.0))
}

/// Returns variance ÷ mean², summed from the differences, so that it is exactly 0 if all counts are equal.
fn relative_variance(rows: &[u64], row_count: u64) -> f64 {
    let regions = float_of(rows.len());
    let mean = float(row_count) / regions;
    rows.iter().map(|&rows| (float(rows) / mean - 1.0).powi(2)).sum::<f64>() / regions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn measures_are_those_computed_by_hand() {
        let spread = Distribution::of(&[2, 0, 6, 4]).unwrap();
        assert_eq!((spread.region_count(), spread.row_count(), spread.max_rows()), (4, 12, 6));
        assert_eq!((spread.hottest_region(), spread.empty_region_count()), (2, 1));
        assert!(close(spread.mean_rows(), 3.0));
        assert!(close(spread.imbalance(), 2.0));
        assert!(close(spread.hottest_share(), 0.5));
        assert!(close(spread.coefficient_of_variation(), 5_f64.sqrt() / 3.0));
        assert!(close(spread.effective_regions(), 144.0 / 56.0));
        assert!(close(normalised_entropy(&[1, 1, 2]).unwrap(), 1.5 * 2_f64.ln() / 3_f64.ln()));
    }

    #[test]
    fn even_counts_are_exactly_even() {
        let spread = Distribution::of(&[1_000_003; 49]).unwrap();
        assert!(close(spread.imbalance(), 1.0) && close(spread.coefficient_of_variation(), 0.0));
        assert!(close(spread.effective_regions(), 49.0));
    }

    #[test]
    fn one_region_is_even_and_nothing_is_nothing() {
        assert!(close(Distribution::of(&[7]).unwrap().imbalance(), 1.0));
        assert_eq!(normalised_entropy(&[7]), Some(1.0));
        assert_eq!((Distribution::of(&[]), normalised_entropy(&[])), (None, None));
        assert_eq!((Distribution::of(&[0; 3]), normalised_entropy(&[0; 3])), (None, None));
    }

    #[test]
    fn the_first_of_equals_is_the_hottest() {
        assert_eq!(Distribution::of(&[0, 4, 4]).unwrap().hottest_region(), 1);
    }

    #[test]
    fn two_dead_regions_of_eighteen_show() {
        let mut rows = [100_u64; 18];
        (rows[0], rows[17]) = (0, 0);
        let spread = Distribution::of(&rows).unwrap();
        assert_eq!(spread.empty_region_count(), 2);
        assert!(close(spread.imbalance(), 1.125) && close(spread.effective_regions(), 16.0));
    }

    proptest! {
        #[test]
        fn measures_stay_within_their_bounds(rows in prop::collection::vec(0..u64::from(u32::MAX), 1..100)) {
            prop_assume!(rows.iter().any(|&rows| rows > 0));
            let spread = Distribution::of(&rows).unwrap();
            let regions = float_of(rows.len());
            prop_assert!(spread.imbalance() >= 1.0 && spread.imbalance() <= regions);
            prop_assert!(spread.effective_regions() >= 1.0 && spread.effective_regions() <= regions);
            prop_assert!((0.0..=1.0).contains(&normalised_entropy(&rows).unwrap()));
            prop_assert!(spread.hottest_share() > 0.0 && spread.hottest_share() <= 1.0);
        }

        #[test]
        fn effective_regions_are_one_over_the_sum_of_squares(
            rows in prop::collection::vec(1..10_000_u64, 1..50),
        ) {
            let total = float(rows.iter().sum());
            let squares: f64 = rows.iter().map(|&rows| (float(rows) / total).powi(2)).sum();
            let spread = Distribution::of(&rows).unwrap();
            prop_assert!((spread.effective_regions() * squares - 1.0).abs() < 1e-9);
        }
    }
}
