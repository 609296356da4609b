//! Rates in two bytes.

use std::sync::LazyLock;

/// Returns the code of a rate: 2048 · ln(1 + rate), rounded. It ascends with the rate, and is at most 0.025 % off
/// from 1 per second on. What is no number, or below 0, has the code of 0.
///
/// ```
/// # use keystride_heat::live::{code_of, rate_of};
/// assert_eq!((code_of(0.0), code_of(1.0), code_of(f64::INFINITY)), (0, 1420, u16::MAX));
/// assert!((rate_of(code_of(12_345.0)) - 12_345.0).abs() < 12_345.0 * 0.000_25);
/// ```
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` stops at both ends, and makes 0 of what is no number"
)]
pub fn code_of(rate: f64) -> u16 {
    (2048.0 * rate.max(0.0).ln_1p()).round() as u16
}

/// Returns the rate that a code stands for.
pub fn rate_of(code: u16) -> f64 {
    static RATES: LazyLock<Box<[f64]>> =
        LazyLock::new(|| (0..=u16::MAX).map(|code| (f64::from(code) / 2048.0).exp_m1()).collect());
    RATES[usize::from(code)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_near_their_rates_and_decoding_inverts_encoding() {
        for exponent in 0..120 {
            let rate = 1.25_f64.powi(exponent);
            assert!((rate_of(code_of(rate)) / rate - 1.0).abs() < 0.000_5, "{rate}");
        }
        assert!((0..=u16::MAX).all(|code| code_of(rate_of(code)) == code));
        assert_eq!((code_of(-1.0), code_of(f64::NAN)), (0, 0));
    }
}
