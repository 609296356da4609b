//! The distribution of the largest count when rows are thrown at regions.

use super::capped::{Capped, downward, upward};

/// Above this mean, a count is practically normal, and the imbalance minus 1 is proportional to 1 ÷ √mean.
const NORMAL_MEAN: f64 = 10_000.0;

/// Rows thrown at regions. Counts are whole numbers stored as floats.
pub(super) struct Throw {
    regions: f64,
    rows: f64,
    mean: f64,
    /// The factor for the imbalance minus 1, if there are more rows than are computed with.
    shrink: f64,
}

impl Throw {
    pub(super) fn new(regions: f64, rows: f64) -> Self {
        let mean = rows / regions;
        if mean <= NORMAL_MEAN {
            return Self { regions, rows, mean, shrink: 1.0 };
        }
        Self { regions, rows: regions * NORMAL_MEAN, mean: NORMAL_MEAN, shrink: (NORMAL_MEAN / mean).sqrt() }
    }

    /// Returns the smallest imbalance that a share `part` of all throws does not exceed.
    pub(super) fn imbalance(&self, part: f64) -> f64 {
        1.0 + (self.least_maximum(part) * self.regions / self.rows - 1.0) * self.shrink
    }

    /// Returns the smallest *m* with P(no region has more than *m* rows) ≥ `part`, by doubling steps upward
    /// and then bisection.
    fn least_maximum(&self, part: f64) -> f64 {
        let mut stride = self.mean.sqrt().ceil();
        let mut below = self.mean.ceil() - 1.0;
        while self.chance_of_at_most(below + stride) < part {
            below += stride;
            stride *= 2.0;
        }
        let mut enough = below + stride;
        while enough - below > 1.0 {
            let middle = f64::midpoint(below, enough).floor();
            if self.chance_of_at_most(middle) < part { below = middle } else { enough = middle }
        }
        enough
    }

    /// Returns P(no region has more than `most` rows).
    fn chance_of_at_most(&self, most: f64) -> f64 {
        if most >= self.rows {
            return 1.0;
        }
        if most * self.regions < self.rows {
            return 0.0;
        }
        if self.regions <= 2.0 { self.of_two(most) } else { self.of_many(most) }
    }

    /// Only one of two regions can have more than half, so the probability of that is twice the binomial
    /// tail.
    fn of_two(&self, most: f64) -> f64 {
        let above: f64 = upward(most, |count| (self.rows - count) / (count + 1.0)).sum();
        let below: f64 =
            downward(most, |count| count / (self.rows - count + 1.0)).map(|(_, weight)| weight).sum();
        1.0 - 2.0 * above / (above + below)
    }

    /// Levin's formula: P(all Poisson counts ≤ `most`) · P(these sum to the rows) ÷ P(a Poisson count equals
    /// the rows).
    fn of_many(&self, most: f64) -> f64 {
        let capped = Capped::new(self.mean, most);
        let all_capped = (self.regions * capped.ln_chance).exp();
        let stirling = (1.0 - 1.0 / (12.0 * self.rows)) / self.rows.sqrt();
        (all_capped * capped.density_of_sum(self.regions, self.rows) / stirling).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::iter::successors;

    use super::*;
    use crate::number::float_of;

    /// Steele, Lea and Flood's `SplitMix64`.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let wide = u128::from(mixed ^ (mixed >> 31)) * bound as u128;
            usize::try_from(wide >> 64).unwrap()
        }

        fn maximum_of_throw(&mut self, regions: usize, rows: usize) -> u32 {
            let mut counts = vec![0_u32; regions];
            (0..rows).for_each(|_| counts[self.below(regions)] += 1);
            counts.into_iter().max().unwrap()
        }
    }

    #[test]
    fn probabilities_are_those_of_thrown_dice() {
        let trials = 2000_u32;
        for (regions, rows) in [(2, 30), (3, 100), (4, 40), (16, 139), (64, 200), (256, 256), (500, 50)] {
            let mut dice = Dice((regions * 1000 + rows) as u64);
            let mut maxima: Vec<u32> = (0..trials).map(|_| dice.maximum_of_throw(regions, rows)).collect();
            maxima.sort_unstable();
            let throw = Throw::new(float_of(regions), float_of(rows));
            for most in maxima[0]..=maxima[maxima.len() - 1] {
                let thrown = float_of(maxima.partition_point(|&maximum| maximum <= most)) / f64::from(trials);
                let computed = throw.chance_of_at_most(f64::from(most));
                assert!(
                    (thrown - computed).abs() < 0.04,
                    "{regions}, {rows}: {computed} of {thrown} for {most}"
                );
            }
        }
    }

    /// Returns n! ÷ kⁿ · the coefficient of xⁿ in (Σ xⁱ ÷ i!)ᵏ, i ≤ most.
    fn exact_chance(regions: usize, rows: usize, most: usize) -> f64 {
        let mean = float_of(rows) / float_of(regions);
        let poisson = |mean: f64, until: usize| -> Vec<f64> {
            let term = |&(i, weight): &(usize, f64)| Some((i + 1, weight * mean / float_of(i + 1)));
            successors(Some((0, (-mean).exp())), term).map(|(_, weight)| weight).take(until + 1).collect()
        };
        let one = poisson(mean, most);
        let mut sum = vec![1.0];
        for _ in 0..regions {
            let mut next = vec![0.0; (sum.len() + most).min(rows + 1)];
            for (i, left) in sum.iter().enumerate() {
                for (j, right) in one.iter().enumerate().take_while(|(j, _)| i + j <= rows) {
                    next[i + j] += left * right;
                }
            }
            sum = next;
        }
        sum.get(rows).copied().unwrap_or(0.0) / poisson(float_of(rows), rows)[rows]
    }

    #[test]
    fn probabilities_are_those_of_the_exact_sum() {
        for (regions, rows) in
            [(2, 2), (2, 99), (3, 2), (3, 60), (4, 3), (6, 20), (10, 5), (16, 2), (16, 139), (40, 9)]
        {
            let throw = Throw::new(float_of(regions), float_of(rows));
            for most in 1..=rows {
                let exact = exact_chance(regions, rows, most);
                let computed = throw.chance_of_at_most(float_of(most));
                let allowed = if regions == 2 {
                    1e-9
                } else if exact < 0.9 && regions == 3 {
                    0.013
                } else {
                    0.007
                };
                assert!((exact - computed).abs() < allowed, "{regions} {rows} {most}: {computed} of {exact}");
                if exact > 0.99999 {
                    break;
                }
            }
        }
    }
}
