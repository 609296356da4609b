//! The imbalance that chance alone gives, as a reference for measured figures.
//!
//! [`Chance`] computes quantiles; the functions are closed forms for planning.

mod capped;
mod closed;
mod throw;

pub use closed::{expected_imbalance, imbalance_bound, rows_for_excess};
use throw::Throw;

use crate::number::{float, float_of};

/// Up to so many times the imbalance that chance gives is called even, here and in findings.
pub const EVEN: f64 = 1.2;

/// The imbalance of rows that are assigned to regions by chance alone, each region being as likely as any
/// other.
///
/// Nothing is simulated. The probability that no region gets more than *m* rows is computed by Levin's
/// formula (B. Levin, "A representation for multinomial cumulative distribution functions", 1981), as counts
/// of independent Poisson regions under the condition that they sum to the number of rows. Compared with
/// exact sums, the error of the probability is at most 0.013, and at most 0.007 above 0.9; two regions are
/// computed exactly.
///
/// The cost does not grow with the number of regions: a few microseconds, at most about 0.2 ms (at 10,000
/// rows per region). Keep the result as long as the numbers of regions and rows do not change.
///
/// ```
/// # use keystride_heat::Chance;
/// let chance = Chance::of(16, 139).expect("there are rows");
/// assert_eq!(format!("{:.2} {:.2}", chance.median, chance.p99), "1.61 2.19");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    /// The number of regions.
    pub region_count: usize,
    /// The number of rows in one window.
    pub row_count: u64,
    /// Half of the windows show at most this imbalance.
    pub median: f64,
    /// 95 of 100 windows show at most this imbalance.
    pub p95: f64,
    /// 99 of 100 windows show at most this imbalance.
    pub p99: f64,
}

impl Chance {
    /// Computes the imbalance for these numbers of regions and rows; `None` if either is 0.
    pub fn of(region_count: usize, row_count: u64) -> Option<Self> {
        if region_count == 0 || row_count == 0 {
            return None;
        }
        let throw = Throw::new(float_of(region_count), float(row_count));
        let [median, p95, p99] = [0.5, 0.95, 0.99].map(|part| throw.imbalance(part));
        Some(Self { region_count, row_count, median, p95, p99 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rounded(region_count: usize, row_count: u64) -> String {
        let chance = Chance::of(region_count, row_count).unwrap();
        format!("{:.2} {:.2}", chance.median, chance.p99)
    }

    #[test]
    fn figures_are_those_of_simulated_multinomials() {
        assert_eq!(rounded(16, 139), "1.61 2.19");
        assert_eq!(rounded(6, 139), "1.25 1.60");
        assert_eq!(rounded(16, 69_444), "1.03 1.05");
        assert_eq!(rounded(16, 11_570), "1.06 1.12");
    }

    #[test]
    fn the_floor_does_not_jump_where_counts_become_normal() {
        for regions in [2, 16, 1024, 65_536] {
            let rows = regions as u64 * 10_000;
            let (below, above) =
                (Chance::of(regions, rows).unwrap(), Chance::of(regions, rows * 101 / 100).unwrap());
            assert!((below.p99 - above.p99).abs() < 0.001, "{regions}");
        }
    }

    #[test]
    fn the_edges_have_a_floor() {
        assert_eq!(Chance::of(0, 10), None);
        assert_eq!(Chance::of(10, 0), None);
        assert_eq!(rounded(1, 1), "1.00 1.00");
        assert_eq!(rounded(1, u64::MAX), "1.00 1.00");
        assert_eq!(rounded(16, 1), "16.00 16.00");
        assert_eq!(rounded(65_536, 2), "32768.00 32768.00");
        assert_eq!(rounded(65_536, u64::MAX), "1.00 1.00");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn quantiles_ascend_below_the_bound(regions in 1..70_000_usize, rows in 1..u64::MAX) {
            let chance = Chance::of(regions, rows).unwrap();
            prop_assert!(1.0 <= chance.median && chance.median <= chance.p95 && chance.p95 <= chance.p99);
            prop_assert!(chance.p99 <= float_of(regions) * 1.000_001);
        }

        #[test]
        fn the_bound_is_above_the_quantile(regions in 2..2000_usize, rows_a_region in 4..10_000_u64) {
            let rows = regions as u64 * rows_a_region;
            prop_assert!(Chance::of(regions, rows).unwrap().p99 <= imbalance_bound(regions, rows, 0.01));
        }
    }
}
