//! Poisson counts with an upper limit, and their sums.

use std::iter::successors;

/// Terms that are this small relative to the first are left out of a sum.
const NEGLIGIBLE: f64 = 1e-20;

/// A Poisson count under the condition that it does not exceed a limit: its cumulants.
pub(super) struct Capped {
    /// The logarithm of the probability that a count is within the limit.
    pub(super) ln_chance: f64,
    mean: f64,
    variance: f64,
    third: f64,
    fourth: f64,
}

impl Capped {
    /// Computes the cumulants; `mean` is the mean of the count without the limit; `most` must not be below it.
    pub(super) fn new(mean: f64, most: f64) -> Self {
        let above: f64 = upward(most, |count| mean / (count + 1.0)).sum();
        let mut sums = [0.0; 5];
        for (count, weight) in downward(most, |count| count / mean) {
            let mut term = weight;
            for sum in &mut sums {
                *sum += term;
                term *= count - mean;
            }
        }
        let [below, a, b, c, d] = sums;
        let [a, b, c, d] = [a, b, c, d].map(|sum| sum / below);
        let variance = b - a * a;
        Self {
            ln_chance: -(above / below).ln_1p(),
            mean: mean + a,
            variance,
            third: c - 3.0 * a * b + 2.0 * a.powi(3),
            fourth: d - 4.0 * a * c + 6.0 * a * a * b - 3.0 * a.powi(4) - 3.0 * variance * variance,
        }
    }

    /// Returns the probability density of a sum of `terms` such counts at `sum`, times √2π, by Edgeworth's
    /// series up to the fourth cumulant.
    pub(super) fn density_of_sum(&self, terms: f64, sum: f64) -> f64 {
        let variance = terms * self.variance;
        let z = (sum - terms * self.mean) / variance.sqrt();
        let (skewness, excess) =
            (terms * self.third / variance.powf(1.5), terms * self.fourth / variance.powi(2));
        let hermite3 = z.powi(3) - 3.0 * z;
        let hermite4 = z.powi(4) - 6.0 * z * z + 3.0;
        let hermite6 = z.powi(6) - 15.0 * z.powi(4) + 45.0 * z * z - 15.0;
        let series =
            1.0 + skewness / 6.0 * hermite3 + excess / 24.0 * hermite4 + skewness.powi(2) / 72.0 * hermite6;
        (-z * z / 2.0).exp() / variance.sqrt() * series
    }
}

/// Returns the weights of the counts above `from`, relative to that of `from`; `ratio` is the weight of the
/// next count divided by that of this one.
pub(super) fn upward(from: f64, ratio: impl Fn(f64) -> f64) -> impl Iterator<Item = f64> {
    let next = move |&(count, weight): &(f64, f64)| Some((count + 1.0, weight * ratio(count)));
    successors(Some((from, 1.0)), next)
        .skip(1)
        .map(|(_, weight)| weight)
        .take_while(|&weight| weight > NEGLIGIBLE)
}

/// Returns the counts from `from` down, with their weights relative to that of `from`; `ratio` is the weight
/// of the next lower count divided by that of this one, which is 0 at 0.
pub(super) fn downward(from: f64, ratio: impl Fn(f64) -> f64) -> impl Iterator<Item = (f64, f64)> {
    let next = move |&(count, weight): &(f64, f64)| Some((count - 1.0, weight * ratio(count)));
    successors(Some((from, 1.0)), next).take_while(|&(_, weight)| weight > NEGLIGIBLE)
}
