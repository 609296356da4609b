//! The windows of a load.

use crate::spread::quantile;
use crate::{Balance, Chance, Distribution, HeatError, Movement, Spread, WindowCounts};

/// The largest number of windows that a series keeps: beyond it, every second one is discarded, and quantiles
/// are those of the rest.
pub const MOST_WINDOWS_KEPT: usize = 65_536;

/// A window that has ended: its measures, but not its counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Its number. A window of time begins at `index` times its length, in ms since 1970-01-01 UTC; others
    /// are numbered from 0.
    pub index: i64,
    /// Its measures.
    pub distribution: Distribution,
}

/// The windows of a load, in order, and the rows of all of them per region.
///
/// Memory is bounded: eight bytes per region, and at most [`MOST_WINDOWS_KEPT`] windows. A window without
/// rows is not included.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowSeries {
    overall: WindowCounts,
    kept: Vec<Window>,
    window_count: u64,
    /// One out of this many windows is kept.
    stride: u64,
    hottest: Option<Window>,
    pub(crate) late_row_count: u64,
    pub(crate) undated_row_count: u64,
}

impl WindowSeries {
    /// Creates a series without windows, for this many regions.
    pub fn new(region_count: usize) -> Self {
        Self {
            overall: WindowCounts::new(region_count),
            kept: Vec::new(),
            window_count: 0,
            stride: 1,
            hottest: None,
            late_row_count: 0,
            undated_row_count: 0,
        }
    }

    /// Adds the counts of a window that follows all others, for counts made elsewhere, such as the increase
    /// of a store's counters between two readings.
    ///
    /// # Errors
    ///
    /// [`HeatError::RegionCount`] if the number of regions differs; nothing is added then.
    pub fn push(&mut self, index: i64, counts: &WindowCounts) -> Result<(), HeatError> {
        self.overall.merge(counts)?;
        self.keep(index, counts);
        Ok(())
    }

    /// Returns the windows kept, in order.
    pub fn windows(&self) -> &[Window] {
        &self.kept
    }

    /// Returns how many windows there were, including those discarded.
    pub fn window_count(&self) -> u64 {
        self.window_count
    }

    /// Returns the rows per region, of all windows and of no window.
    pub fn overall(&self) -> &WindowCounts {
        &self.overall
    }

    /// Returns the rows that arrived after their window was closed; they are in the overall counts only.
    pub fn late_row_count(&self) -> u64 {
        self.late_row_count
    }

    /// Returns the rows without a time, if windows are of time; they are in the overall counts only.
    pub fn undated_row_count(&self) -> u64 {
        self.undated_row_count
    }

    /// Returns the figures of the windows next to their chance floor; `None` before the first window.
    ///
    /// It takes one pass over the windows kept and computes a [`Chance`], which is cheap enough for a
    /// progress line but not for each row.
    pub fn balance(&self) -> Option<Balance> {
        let hottest_window = self.hottest?;
        let window_rows = self.median_rows()?;
        let kept = Spread::of(self.kept.iter().map(|window| window.distribution.imbalance()).collect())?;
        Some(Balance {
            window_count: self.window_count,
            window_rows,
            imbalance: Spread { max: hottest_window.distribution.imbalance(), ..kept },
            chance: Chance::of(self.overall.region_count(), window_rows)?,
            hottest_window,
            movement: Movement::of(&self.hottest_regions()),
            overall: self.overall.distribution()?,
            late_row_count: self.late_row_count,
            undated_row_count: self.undated_row_count,
        })
    }

    /// Counts rows that belong to no window.
    pub(crate) fn add_outside(&mut self, region: usize, rows: u64) {
        self.overall.add(region, rows);
    }

    /// Adds counts that are known to have the same number of regions, in no window.
    pub(crate) fn add_all_outside(&mut self, counts: &WindowCounts) {
        self.overall.add_all(counts);
    }

    /// Adds a window that is known to have the same number of regions.
    pub(crate) fn close(&mut self, index: i64, counts: &WindowCounts) {
        self.overall.add_all(counts);
        self.keep(index, counts);
    }

    fn keep(&mut self, index: i64, counts: &WindowCounts) {
        let Some(distribution) = counts.distribution() else { return };
        let window = Window { index, distribution };
        if self.hottest.is_none_or(|hottest| hottest.distribution.imbalance() < distribution.imbalance()) {
            self.hottest = Some(window);
        }
        if self.window_count.is_multiple_of(self.stride) {
            self.kept.push(window);
        }
        self.window_count += 1;
        if self.kept.len() > MOST_WINDOWS_KEPT {
            self.forget_every_second();
        }
    }

    /// Keeps the windows whose number among all windows is a multiple of twice the stride.
    fn forget_every_second(&mut self) {
        let mut is_odd = true;
        self.kept.retain(|_| {
            is_odd = !is_odd;
            !is_odd
        });
        self.stride *= 2;
    }

    fn median_rows(&self) -> Option<u64> {
        let mut rows: Vec<u64> = self.kept.iter().map(|window| window.distribution.row_count()).collect();
        rows.sort_unstable();
        quantile(&rows, 50)
    }

    fn hottest_regions(&self) -> Vec<usize> {
        self.kept.iter().map(|window| window.distribution.hottest_region()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(windows: &[[u64; 4]]) -> WindowSeries {
        let mut series = WindowSeries::new(4);
        for (index, rows) in (0..).zip(windows) {
            series.push(index, &rows.to_vec().into()).unwrap();
        }
        series
    }

    #[test]
    fn a_time_first_key_is_even_overall_and_hot_in_each_window() {
        let windows: Vec<[u64; 4]> = (0..20)
            .map(|window| std::array::from_fn(|region| if region == window / 5 { 100 } else { 0 }))
            .collect();
        let balance = series(&windows).balance().unwrap();
        assert_eq!(balance.overall.row_count(), 2000);
        assert!((balance.overall.imbalance() - 1.0).abs() < 1e-12);
        assert_eq!(balance.imbalance, Spread { median: 4.0, p95: 4.0, max: 4.0 });
        assert_eq!(balance.hottest_share(), Spread { median: 1.0, p95: 1.0, max: 1.0 });
        assert_eq!(balance.movement, Some(Movement::Moving(crate::Direction::Up)));
    }

    #[test]
    fn chance_is_of_the_median_window() {
        let balance = series(&[[1, 1, 1, 1], [30, 20, 20, 30], [900, 900, 900, 900]]).balance().unwrap();
        assert_eq!(balance.window_rows, 100);
        assert_eq!(Some(balance.chance), Chance::of(4, 100));
        assert_eq!((balance.hottest_window.index, balance.window_count), (1, 3));
    }

    #[test]
    fn the_median_window_is_that_by_rows_whatever_the_order() {
        let mut series = WindowSeries::new(1);
        for rows in 1..=100 {
            series.push(0, &vec![rows * 37 % 101].into()).unwrap();
        }
        assert_eq!(series.balance().unwrap().window_rows, 50);
    }

    #[test]
    fn the_first_of_equally_hot_windows_is_the_hottest() {
        let balance = series(&[[2, 1, 1, 0], [3, 1, 0, 0], [0, 0, 6, 2]]).balance().unwrap();
        assert_eq!(balance.hottest_window.index, 1);
    }

    #[test]
    fn a_window_without_rows_is_none() {
        let series = series(&[[0; 4], [0, 7, 0, 0], [0; 4]]);
        assert_eq!(series.window_count(), 1);
        assert_eq!(series.windows()[0].index, 1);
        assert_eq!(WindowSeries::new(4).balance(), None);
    }

    #[test]
    fn counts_of_other_regions_are_refused() {
        let mut series = series(&[[1; 4]]);
        assert!(series.push(1, &WindowCounts::new(5)).is_err());
        assert_eq!((series.overall().total(), series.window_count()), (4, 1));
    }

    #[test]
    fn many_windows_are_thinned_but_the_worst_is_remembered() {
        let mut series = WindowSeries::new(2);
        let windows = 2 * MOST_WINDOWS_KEPT as u64 + 2;
        for window in 0..windows {
            let rows = if window == 77 { vec![10, 0] } else { vec![6, 4] };
            series.push(i64::try_from(window).unwrap(), &rows.into()).unwrap();
            if window + 1 == MOST_WINDOWS_KEPT as u64 {
                assert_eq!(series.windows().len(), MOST_WINDOWS_KEPT);
            }
        }
        assert_eq!(series.window_count(), windows);
        assert_eq!(series.windows().len(), MOST_WINDOWS_KEPT / 2 + 1);
        assert!((0..).step_by(4).zip(series.windows()).all(|(index, window)| window.index == index));
        let balance = series.balance().unwrap();
        assert_eq!(balance.imbalance, Spread { median: 1.2, p95: 1.2, max: 2.0 });
        assert_eq!(balance.hottest_window.index, 77);
        assert_eq!(balance.overall.row_count(), windows * 10);
    }
}
