//! Whole numbers in floating-point form.

/// 2^53. Whole numbers below it are represented exactly by 64-bit floats.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns the value of a float that is a whole number, such as `517.0` or `1e3`. Many writers represent integers
/// this way if a column has missing values. From 2^53 on, a float may stand for several integers, so `None` is
/// returned.
pub(super) fn whole_number(float: f64) -> Option<i64> {
    if float.fract() != 0.0 || float.abs() >= EXACT {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
    Some(float as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_without_a_fraction_are_whole_numbers_below_two_to_the_53() {
        for (float, whole) in [(517.0, 517), (-1e3, -1000), (-0.0, 0), (EXACT - 1.0, (1 << 53) - 1)] {
            assert_eq!(whole_number(float), Some(whole));
        }
        for float in [0.5, EXACT, f64::NAN, f64::INFINITY] {
            assert_eq!(whole_number(float), None, "{float}");
        }
    }
}
