use std::fmt;

use crate::number::float_of;
use crate::{Chance, Distribution, Movement, Spread, Window};

/// How even a load is, per window, next to what chance alone would show: every number that a report needs.
///
/// `Display` prints one line: the imbalance of the median window, and the median that chance gives for as
/// many rows.
///
/// ```
/// # use keystride_heat::{WindowCounts, WindowSeries};
/// let mut series = WindowSeries::new(4);
/// series.push(0, &WindowCounts::from(vec![40, 30, 30, 0]))?;
/// let balance = series.balance().expect("there is a window");
/// assert_eq!(balance.to_string(), "hot 1.60 (chance alone 1.20)");
/// # Ok::<(), keystride_heat::HeatError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balance {
    /// The number of windows that have rows.
    pub window_count: u64,
    /// The number of rows in the median window, for which `chance` is computed.
    pub window_rows: u64,
    /// The rows of the hottest region ÷ the mean, over the windows. If windows differ in their numbers of
    /// rows, only the median can be compared with `chance`.
    pub imbalance: Spread,
    /// The imbalance that a perfect hash shows in a window of `window_rows` rows.
    pub chance: Chance,
    /// The window with the largest imbalance, the first of equals. If it has few rows, chance explains it.
    pub hottest_window: Window,
    /// Where the heat moves; `None` for fewer than ten windows.
    pub movement: Option<Movement>,
    /// All rows as if in one window, including those in no window. An even figure here says nothing about
    /// single windows.
    pub overall: Distribution,
    /// Rows that arrived after their window was closed; counted in `overall` only.
    pub late_row_count: u64,
    /// Rows without a time, if windows are of time; counted in `overall` only.
    pub undated_row_count: u64,
}

impl Balance {
    /// Returns the hottest region's share of its window's rows, over the windows: the imbalance ÷ the number
    /// of regions.
    pub fn hottest_share(&self) -> Spread {
        let share = |imbalance: f64| imbalance / float_of(self.overall.region_count());
        Spread {
            median: share(self.imbalance.median),
            p95: share(self.imbalance.p95),
            max: share(self.imbalance.max),
        }
    }
}

impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hot {:.2} (chance alone {:.2})", self.imbalance.median, self.chance.median)
    }
}
