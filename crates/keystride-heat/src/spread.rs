/// The median, the high end and the maximum of a figure over windows.
///
/// A quantile is the smallest value that at least this share of the values does not exceed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Half of the windows show at most this.
    pub median: f64,
    /// 95 of 100 windows show at most this.
    pub p95: f64,
    /// No window shows more.
    pub max: f64,
}

impl Spread {
    /// Computes the spread of values in any order; `None` for no values.
    pub(crate) fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        Some(Self { median: quantile(&values, 50)?, p95: quantile(&values, 95)?, max: *values.last()? })
    }
}

/// Returns the value of nearest rank among ascending values; `None` for no values.
pub(crate) fn quantile<T: Copy>(ascending: &[T], percent: usize) -> Option<T> {
    let rank = (ascending.len() * percent).div_ceil(100);
    ascending.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_nearest_rank() {
        let hundred = Spread::of((1..=100).rev().map(f64::from).collect());
        assert_eq!(hundred, Some(Spread { median: 50.0, p95: 95.0, max: 100.0 }));
        let two_hundred = Spread::of((1..=200).map(f64::from).collect());
        assert_eq!(two_hundred, Some(Spread { median: 100.0, p95: 190.0, max: 200.0 }));
        let three = Spread::of(vec![3.0, 1.0, 2.0]);
        assert_eq!(three, Some(Spread { median: 2.0, p95: 3.0, max: 3.0 }));
        assert_eq!(Spread::of(vec![7.0]), Some(Spread { median: 7.0, p95: 7.0, max: 7.0 }));
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
