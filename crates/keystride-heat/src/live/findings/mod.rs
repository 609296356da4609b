//! What a map means, as facts: words are those of whoever shows them.

mod area;
mod change;
mod front;
mod regions;
mod stripe;
mod wave;
mod windows;

use std::sync::Arc;

use serde::Serialize;

use super::view::BucketRange;
use super::{Column, Metric};
use crate::Direction;
use windows::Windows;

pub use area::Area;

/// Something that a map shows. Rates are per second.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finding {
    /// Regions are as even as chance allows: in the median column, the hottest has at most 1.2 times what chance gives it.
    Even {
        /// The rate of the hottest region divided by the mean.
        imbalance: f64,
        /// What chance alone gives.
        chance: f64,
        /// All of the map.
        area: Area,
    },
    /// One region has more than three times the mean in four of five of the last 30 columns up to the last one with rows.
    HotRegion {
        /// Its mean rate in those.
        rate: f64,
        /// The mean rate of all regions.
        mean_rate: f64,
        /// The share of columns in which it is hot.
        share_of_columns: f64,
        /// The region.
        area: Area,
    },
    /// One region at a time has more than three times the mean, in four of five of the last 30 columns up to the last one with rows, but not always the same
    /// one, nor one after the other.
    HotInTurn {
        /// The share of rows that the hottest region has, in the median column.
        share: f64,
        /// How many regions are the hottest at some time.
        region_count: usize,
        /// The columns looked at.
        area: Area,
    },
    /// The hottest keys move in one direction, over all columns or the last 30: keys begin with a time.
    MovingFront {
        /// Where to.
        direction: Direction,
        /// How strictly: the correlation of position and time by rank, from 0.9 to 1.
        correlation: f64,
        /// The keys that were the hottest.
        area: Area,
    },
    /// More than four of five rows are written to the last region of the table or of each bucket: a split leaves the
    /// writes where they are.
    FrontAtEnd {
        /// The share of rows.
        share: f64,
        /// The last regions.
        areas: Vec<Area>,
    },
    /// The rate of the table has become five times what it was, or a fifth.
    SuddenChange {
        /// When.
        at_ms: i64,
        /// The median of the six columns before.
        before: f64,
        /// The median of the six columns after.
        after: f64,
        /// The map from then on.
        area: Area,
    },
    /// The rate of the table goes up and down in a period of 5 minutes to 24 hours.
    Periodic {
        /// The period.
        period_ms: i64,
        /// How strictly: the correlation of the rate with itself one period later, from 0.6 to 1.
        correlation: f64,
        /// All of the map.
        area: Area,
    },
    /// All regions drop to a fifth or less for a short time: a pause or the network, not the keys.
    Stripe {
        /// The rate of the table meanwhile.
        rate: f64,
        /// Its usual rate.
        usual_rate: f64,
        /// The time.
        area: Area,
    },
    /// Regions get no row, while the table gets more than 1,000 for each.
    NeverUsed {
        /// How many regions.
        region_count: usize,
        /// How many rows the table got.
        row_count: u64,
        /// The regions, the first 100.
        areas: Vec<Area>,
    },
    /// A server has more than 1.5 times the mean of all servers, while regions are even: the regions are badly placed.
    HotServer {
        /// The index of the server, see [`Meter::servers`](super::Meter::servers).
        server: u16,
        /// The rate of the hottest server divided by the mean of those that have regions.
        imbalance: f64,
        /// The rate of the hottest region divided by the mean.
        region_imbalance: f64,
        /// All of the map.
        area: Area,
    },
}

/// Fewer columns with cells say nothing.
const LEAST_COLUMNS: usize = 10;
/// How many of the last columns tell what is hot.
const COLUMNS_LOOKED_AT: usize = 30;

/// Finds what columns show of a metric; they must be in the order of time. `buckets` are those of a design whose keys
/// begin with one, else none.
///
/// Only boundaries that all columns have count: take columns of some hours rather than of all days if regions were
/// split in between. Nothing is found in fewer than ten columns with cells.
///
/// ```
/// # use std::sync::Arc;
/// # use keystride_heat::live::{Axis, Cell, Cells, Column, Metric};
/// # use keystride_heat::live::findings::{Finding, findings};
/// let columns: Vec<_> = (0..30).map(|n| {
///     let cells = [10.0, 12.0, 300.0, 9.0].map(|rate| Cell::known([0.0, rate, 0.0], 0));
///     let axis = Axis::new(["a", "b", "c"]).expect("they ascend");
///     let cells = Some(Cells::new(axis, [true, true, false], &cells));
///     Arc::new(Column { t0_ms: n * 10_000, t1_ms: (n + 1) * 10_000, cells })
/// }).collect();
/// let found = findings(&columns, Metric::RowsWritten, &[]);
/// let [Finding::HotRegion { rate, area, .. }] = &found[..] else { panic!("{found:?}") };
/// assert_eq!((rate.round(), &area.start[..], area.regions.clone()), (300.0, &b"b"[..], 2..3));
/// ```
pub fn findings(columns: &[Arc<Column>], metric: Metric, buckets: &[BucketRange]) -> Vec<Finding> {
    let Some(windows) = Windows::of(columns, metric).filter(|windows| windows.all.len() >= LEAST_COLUMNS)
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    found.extend(regions::even(&windows));
    found.extend(regions::hot_server(&windows));
    let (hot, moving) = (regions::hot_regions(&windows), front::moving(&windows, buckets));
    let in_turn = if hot.is_empty() && moving.is_none() { regions::hot_in_turn(&windows) } else { None };
    found.extend(hot.into_iter().chain(moving).chain(in_turn));
    if metric == Metric::RowsWritten {
        found.extend(front::at_end(&windows, buckets));
        found.extend(regions::never_used(&windows));
    }
    found.extend(change::sudden(&windows));
    found.extend(wave::periodic(&windows));
    found.extend(stripe::stripes(&windows));
    found
}

#[cfg(test)]
mod tests;
