use crate::number::{float, float_of};

/// About the mean imbalance that chance gives: 1 + √(2 ln k ÷ m) for k regions of m rows on average, n = k ·
/// m.
///
/// A little too high (between median and p99), down to four rows a region. 1 of no rows or no regions.
///
/// ```
/// # use keystride_heat::chance::expected_imbalance;
/// assert_eq!(format!("{:.2}", expected_imbalance(16, 139)), "1.80");
/// ```
pub fn expected_imbalance(region_count: usize, row_count: u64) -> f64 {
    bound(2.0, float_of(region_count).ln(), region_count, row_count)
}

/// An imbalance that chance exceeds in at most a part `level` of all windows: 1 + √(3 ln(k ÷ level) ÷ m).
///
/// Chernoff's bound: generous, and proved where it is 2 or less. `level` is above 0 and at most 1. 1 of no rows
/// or no regions.
///
/// ```
/// # use keystride_heat::chance::imbalance_bound;
/// assert_eq!(format!("{:.3}", imbalance_bound(16, 10_000, 0.01)), "1.188");
/// ```
pub fn imbalance_bound(region_count: usize, row_count: u64, level: f64) -> f64 {
    bound(3.0, (float_of(region_count) / level).ln(), region_count, row_count)
}

/// How many rows a window needs so that chance shows no more than about 1 + `excess`: ⌈2 k ln k ÷ excess²⌉, 1
/// or more.
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
        let rows = [3, 8, 16, 50].map(|servers| rows_for_excess(servers, 0.1));
        assert_eq!(rows, [660, 3328, 8873, 39_121]);
        assert_eq!((rows_for_excess(1, 0.1), rows_for_excess(0, 0.1)), (1, 1));
    }
}
