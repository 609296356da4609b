//! What the colours of a map are relative to.

use serde::Serialize;

use super::fill::{Fill, Filled};
use super::{CONTINUES, Mode};
use crate::live::{UNKNOWN, rate_of};
use crate::number::{float, float_of};

/// What the colours of a view are relative to, in its values. A value *v* has the level
/// ln(1 + v ÷ floor) ÷ ln(1 + max ÷ floor), from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scale {
    /// What is below is as good as nothing: 1 % of the mean, at least 1.
    pub floor: f64,
    /// What 99.9 % of the regions' values do not exceed, at least `floor`. One spike does not darken all others.
    pub max: f64,
    /// What each region would have if all had the same; of a folded map, the regions of all buckets together. It is the mean over
    /// the columns.
    pub even_share: f64,
}

impl Scale {
    pub(super) fn of(fill: &Fill<'_>, filled: &Filled) -> Self {
        let mut counts = vec![0_u64; usize::from(u16::MAX) + 1];
        // A region counts once, however many rows show it: a column of few regions does not darken all others.
        let known =
            filled.codes.iter().zip(&filled.flags).filter(|(_, flags)| **flags & (UNKNOWN | CONTINUES) == 0);
        known.for_each(|(&code, _)| counts[usize::from(code)] += 1);
        let count: u64 = counts.iter().sum();
        let rates = (0..=u16::MAX).map(rate_of).zip(&counts);
        let mean = rates.map(|(rate, &count)| rate * float(count)).sum::<f64>() / float(count.max(1));
        let floor = (mean / 100.0).max(1.0);
        Self { floor, max: highest_but_few(&counts, count).max(floor), even_share: even_share(fill) }
    }
}

/// Returns the value that 99.9 % do not exceed.
fn highest_but_few(counts: &[u64], count: u64) -> f64 {
    let rank = count - count / 1000;
    let mut seen = 0;
    let found = (0..=u16::MAX).zip(counts).find(|&(_, &count)| {
        seen += count;
        seen >= rank
    });
    found.map_or(0.0, |(code, _)| rate_of(code))
}

fn even_share(fill: &Fill<'_>) -> f64 {
    let cells = fill.columns.iter().filter_map(|column| column.cells.as_ref());
    let shares = cells.filter(|cells| cells.has(fill.metric)).map(|cells| {
        let total = cells.total(fill.metric);
        match fill.mode {
            Mode::Density(sizes) => total / sizes.total_gib(),
            Mode::Folded(buckets) => total / float(cells.region_count()) * float_of(buckets.len()),
            Mode::Region | Mode::Server => total / float(cells.region_count()),
        }
    });
    let (sum, count) = shares.fold((0.0, 0_usize), |(sum, count), share| (sum + share, count + 1));
    sum / float_of(count.max(1))
}
