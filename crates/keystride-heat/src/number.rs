/// Converts a count to a float, with 53 bits; measures are shown with a few digits.
#[expect(clippy::cast_precision_loss, reason = "a count of 2⁵³ rows may be one row off in a ratio")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// Converts a number of regions or servers to a float.
pub(crate) fn float_of(count: usize) -> f64 {
    float(count as u64)
}
