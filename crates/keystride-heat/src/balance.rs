use std::fmt;

use crate::number::float_of;
use crate::{Chance, Distribution, Movement, Spread, Window};

/// How even a load is, per window, beside what chance alone shows: every number a report needs.
///
/// Prints as one line: the median window, and the median that chance gives as many rows.
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
    /// Windows with rows in them.
    pub window_count: u64,
    /// Rows of the median window: what `chance` is of.
    pub window_rows: u64,
    /// Hottest region ÷ mean, over the windows. Where windows differ in rows, only the median compares with
    /// `chance`.
    pub imbalance: Spread,
    /// What imbalance a perfect hash shows in a window of `window_rows` rows.
    pub chance: Chance,
    /// The window of largest imbalance: the first of equals. With few rows, chance explains it.
    pub hottest_window: Window,
    /// Where the heat goes; `None` of fewer than ten windows.
    pub movement: Option<Movement>,
    /// All rows as if one window, those in no window too. An even figure here says nothing of the minutes.
    pub overall: Distribution,
    /// Rows that came after their window was closed: in `overall` only.
    pub late_row_count: u64,
    /// Rows without a time, where windows are of time: in `overall` only.
    pub undated_row_count: u64,
}

impl Balance {
    /// The hottest region's part of its window's rows, over the windows: the imbalance ÷ the number of
    /// regions.
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
