//! Whole numbers from those who have only numbers with fractions.

/// Below it every whole number has a 64-bit float of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole number that a float is, as `517.0` and `1e3` are: many writers have no other way to write one once a
/// column had a gap. From 2^53 on a float may stand for several of them.
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
