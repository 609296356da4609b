//! Closed forms of the imbalance that chance gives.

use crate::number::{float, float_of};

/// Returns approximately the mean imbalance that chance gives: 1 + √(2 ln k ÷ m) for k regions with m rows on
/// average, n = k · m.
///
/// The result is slightly too high (between median and p99), down to four rows per region. It is 1 for no
/// rows or no regions.
///
/// ```
/// # use keystride_heat::chance::expected_imbalance;
/// assert_eq!(format!("{:.2}", expected_imbalance(16, 139)), "1.80");
/// ```
pub fn expected_imbalance(region_count: usize, row_count: u64) -> f64 {
    bound(2.0, float_of(region_count).ln(), region_count, row_count)
}

/// Returns an imbalance that chance exceeds in at most a share `level` of all windows: 1 + √(3 ln(k ÷ level)
/// ÷ m).
///
/// This is Chernoff's bound, which is generous, and proved where it is 2 or less. `level` must be above 0 and
/// at most 1. The result is 1 for no rows or no regions.
///
/// ```
/// # use keystride_heat::chance::imbalance_bound;
/// assert_eq!(format!("{:.3}", imbalance_bound(16, 10_000, 0.01)), "1.188");
/// ```
pub fn imbalance_bound(region_count: usize, row_count: u64, level: f64) -> f64 {
    bound(3.0, (float_of(region_count) / level).ln(), region_count, row_count)
}

/// Returns how many rows a window needs for chance to show at most about 1 + `excess`: ⌈2 k ln k ÷ excess²⌉,
/// at least 1.
///
/// ```
/// # use keystride_heat::chance::rows_for_excess;
/// assert_eq!(rows_for_excess(8, 0.1), 3328);
/// ```
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number of 1 or more; `as` stops at u64::MAX, which is what is wanted"
)]
pub fn rows_for_excess(region_count: usize, excess: f64) -> u64 {
    let regions = float_of(region_count.max(1));
    (2.0 * regions * regions.ln() / (excess * excess)).ceil().max(1.0) as u64
}

fn bound(factor: f64, logarithm: f64, region_count: usize, row_count: u64) -> f64 {
    if region_count == 0 || row_count == 0 {
        return 1.0;
    }
    1.0 + (factor * logarithm.max(0.0) * float_of(region_count) / float(row_count)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_give_the_figures_of_theory() {
        let rounded = |value: f64| format!("{value:.3}");
        assert_eq!(rounded(expected_imbalance(16, 10_000)), "1.094");
        assert_eq!(rounded(expected_imbalance(256, 10_000)), "1.533");
        assert_eq!(rounded(expected_imbalance(64, 100_000)), "1.073");
        assert_eq!(rounded(expected_imbalance(6, 139)), "1.393");
        assert_eq!(rounded(expected_imbalance(16, 0)), "1.000");
        assert_eq!(rounded(imbalance_bound(0, 5, 0.01)), "1.000");
        assert_eq!(rounded(imbalance_bound(1, 100, 0.01)), "1.372");
        let rows = [3, 8, 16, 50].map(|servers| rows_for_excess(servers, 0.1));
        assert_eq!(rows, [660, 3328, 8873, 39_121]);
        assert_eq!((rows_for_excess(1, 0.1), rows_for_excess(0, 0.1)), (1, 1));
    }
}
