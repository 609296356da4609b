//! Cuts a stream of rows into windows.

mod row_window;
mod time_windows;

use std::num::NonZeroU64;

use row_window::RowWindow;
use time_windows::TimeWindows;

use crate::{HeatMap, WindowCounts, WindowSeries};

/// What ends a window.
///
/// The end of a window takes a pass over its regions, so windows should have more rows than there are
/// regions; [`rows_for_excess`](crate::chance::rows_for_excess) says how many rows make the effect of chance
/// small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Windowing {
    /// After this many rows, in the order in which they are counted.
    Rows(NonZeroU64),
    /// After this many milliseconds of the rows' own time: window *i* is from *i* · `ms`, inclusive, to
    /// (*i* + 1) · `ms`, exclusive.
    Time {
        /// The length of a window.
        ms: NonZeroU64,
    },
}

/// Cuts a stream of rows into windows, and counts the rows of each window per region.
///
/// Windows of rows: a window ends with the addition that fills it. The last one counts as a window only if it
/// is the only one, since fewer rows are less even by chance; its rows are in the overall counts and in the map.
///
/// Windows of time: rows may come in any order. As many windows stay open as fit in 8 MiB of counts, at least
/// two and at most 65,536 (65,536 for 16 regions, 16 for 65,536). When all of these are open and a row
/// requires another window, the earliest open one is closed for good, unless the row is before all of them:
/// then it is late, which means that it is counted as late and in the overall counts, but in no window.
///
/// To share a counter between threads, put it behind a lock that is taken once per batch of rows.
///
/// ```
/// # use keystride_heat::{WindowCounter, Windowing};
/// # use std::num::NonZeroU64;
/// let mut counter = WindowCounter::new(2, Windowing::Rows(NonZeroU64::new(3).expect("3")));
/// for region in [0, 0, 1, 1, 1, 1, 0] {
///     counter.add(region, 1);
/// }
/// let imbalances: Vec<f64> =
///     counter.finish().0.windows().iter().map(|window| window.distribution.imbalance()).collect();
/// assert_eq!(imbalances, [4.0 / 3.0, 2.0]);
/// ```
#[derive(Debug, Clone)]
pub struct WindowCounter {
    open: Open,
    ended: Ended,
}

/// The windows that have ended.
#[derive(Debug, Clone)]
struct Ended {
    series: WindowSeries,
    map: HeatMap,
}

#[derive(Debug, Clone)]
enum Open {
    OfRows(RowWindow),
    OfTime(TimeWindows),
}

impl WindowCounter {
    /// Creates a counter for this many regions, without rows.
    pub fn new(region_count: usize, windowing: Windowing) -> Self {
        let open = match windowing {
            Windowing::Rows(rows) => Open::OfRows(RowWindow::new(region_count, rows.get())),
            Windowing::Time { ms } => Open::OfTime(TimeWindows::new(region_count, ms.get())),
        };
        Self {
            open,
            ended: Ended { series: WindowSeries::new(region_count), map: HeatMap::new(region_count) },
        }
    }

    /// Counts rows of a region that have no time. If windows are of time, the rows are counted as undated,
    /// and in the overall counts only.
    ///
    /// # Panics
    ///
    /// If there is no such region.
    pub fn add(&mut self, region: usize, rows: u64) {
        match &mut self.open {
            Open::OfRows(window) => window.add(region, rows, &mut self.ended),
            Open::OfTime(_) => {
                let series = &mut self.ended.series;
                series.undated_row_count = series.undated_row_count.saturating_add(rows);
                series.add_outside(region, rows);
            }
        }
    }

    /// Counts rows of a region at their time, in ms since 1970-01-01 UTC. Windows of rows ignore the time.
    ///
    /// # Panics
    ///
    /// If there is no such region.
    pub fn add_at(&mut self, event_ms: i64, region: usize, rows: u64) {
        match &mut self.open {
            Open::OfRows(window) => window.add(region, rows, &mut self.ended),
            Open::OfTime(windows) => windows.add(event_ms, region, rows, &mut self.ended),
        }
    }

    /// Returns how many windows with rows there are so far, including open ones, at no cost.
    pub fn window_count(&self) -> u64 {
        self.ended.series.window_count()
            + match &self.open {
                Open::OfRows(window) => window.count_beside(&self.ended),
                Open::OfTime(windows) => windows.count(),
            }
    }

    /// Returns the series so far, including open windows. All its counts are copied: cheap enough for a progress line, but
    /// not for each row or batch.
    pub fn series(&self) -> WindowSeries {
        let ended = Ended { series: self.ended.series.clone(), map: HeatMap::new(0) };
        Self { open: self.open.clone(), ended }.finish().0
    }

    /// Returns the map so far, including open windows. It is copied, up to [`HeatMap::MOST_BYTES`].
    pub fn map(&self) -> HeatMap {
        self.clone().finish().1
    }

    /// Closes the open windows, and returns the series and the map of all of them.
    pub fn finish(mut self) -> (WindowSeries, HeatMap) {
        match self.open {
            Open::OfRows(window) => window.finish(&mut self.ended),
            Open::OfTime(windows) => windows.finish(&mut self.ended),
        }
        (self.ended.series, self.ended.map)
    }
}

impl Ended {
    /// Adds a window, which has the counts of all regions.
    fn close(&mut self, index: i64, counts: &WindowCounts) {
        self.series.close(index, counts);
        self.draw(index, counts);
    }

    /// Adds rows that are too few for a window.
    fn close_rest(&mut self, index: i64, counts: &WindowCounts) {
        self.series.add_all_outside(counts);
        self.draw(index, counts);
    }

    fn draw(&mut self, index: i64, counts: &WindowCounts) {
        if self.map.region_count() > 0 {
            self.map.add(index, counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(rows: u64) -> Windowing {
        Windowing::Rows(NonZeroU64::new(rows).unwrap())
    }

    fn time(ms: u64) -> Windowing {
        Windowing::Time { ms: NonZeroU64::new(ms).unwrap() }
    }

    fn of_time_with_room_for(most_open: usize, ms: u64) -> WindowCounter {
        let mut windows = TimeWindows::new(8, ms);
        windows.most_open = most_open;
        WindowCounter {
            open: Open::OfTime(windows),
            ended: Ended { series: WindowSeries::new(8), map: HeatMap::new(8) },
        }
    }

    /// Returns the series so far, which has as many windows as the counter says.
    fn series(counter: &WindowCounter) -> WindowSeries {
        let series = counter.series();
        assert_eq!(counter.window_count(), series.window_count());
        series
    }

    /// Returns the index and the rows of each window.
    fn windows(series: &WindowSeries) -> Vec<(i64, u64)> {
        series.windows().iter().map(|window| (window.index, window.distribution.row_count())).collect()
    }

    #[test]
    fn a_rest_of_rows_is_no_window_but_is_counted() {
        let mut counter = WindowCounter::new(2, rows(10));
        (0..25).for_each(|row| counter.add_at(row, 1, 1));
        assert_eq!(windows(&series(&counter)), [(0, 10), (1, 10)]);
        let (series, map) = counter.finish();
        assert_eq!(map.rows().map(|row| row.counts[1]).collect::<Vec<_>>(), [10, 10, 5]);
        assert_eq!(windows(&series), [(0, 10), (1, 10)]);
        assert_eq!(series.overall().rows(), [0, 25]);
        assert_eq!(series.balance().unwrap().late_row_count, 0);
    }

    #[test]
    fn a_rest_of_rows_is_the_window_where_it_is_all_there_is() {
        let mut counter = WindowCounter::new(2, rows(10));
        assert_eq!(windows(&series(&counter)), []);
        counter.add(0, 1);
        assert_eq!(windows(&series(&counter)), [(0, 1)]);
        counter.add(0, 3);
        assert_eq!(windows(&series(&counter)), [(0, 4)]);
        counter.add(1, 7);
        assert_eq!(windows(&counter.finish().0), [(0, 11)]);
    }

    #[test]
    fn windows_of_time_begin_at_multiples_of_their_length() {
        let mut counter = WindowCounter::new(1, time(1000));
        for event_ms in [-1001, -1000, -1, 0, 999, 1000, 5000] {
            counter.add_at(event_ms, 0, 1);
        }
        assert_eq!(windows(&series(&counter)), [(-2, 1), (-1, 2), (0, 2), (1, 1), (5, 1)]);
    }

    #[test]
    fn rows_before_the_open_windows_are_late_and_counted_as_such() {
        let mut counter = of_time_with_room_for(2, 10);
        for (event_ms, region) in [(5, 0), (25, 1), (15, 2), (35, 3), (6, 4), (26, 5), (16, 6), (36, 7)] {
            counter.add_at(event_ms, region, 1);
        }
        let series = counter.finish().0;
        assert_eq!(windows(&series), [(0, 1), (1, 1), (2, 2), (3, 2)]);
        let balance = series.balance().unwrap();
        assert_eq!((balance.late_row_count, balance.overall.row_count()), (2, 8));
        assert_eq!((series.late_row_count(), series.undated_row_count()), (2, 0));
    }

    #[test]
    fn counts_of_rows_stop_at_the_largest_number() {
        let mut counter = of_time_with_room_for(1, 10);
        for _ in 0..2 {
            counter.add(1, u64::MAX);
            counter.add_at(15, 0, 1);
            counter.add_at(5, 0, u64::MAX);
        }
        let series = counter.finish().0;
        assert_eq!((series.late_row_count(), series.undated_row_count()), (u64::MAX, u64::MAX));
        let mut of_rows = WindowCounter::new(1, rows(u64::MAX));
        of_rows.add(0, u64::MAX - 1);
        of_rows.add(0, 2);
        assert_eq!(of_rows.window_count(), 1);
    }

    #[test]
    fn undated_rows_are_in_no_window_of_time() {
        let mut counter = WindowCounter::new(2, time(10));
        counter.add(1, 5);
        assert_eq!(series(&counter).balance(), None);
        counter.add_at(0, 0, 2);
        let balance = counter.finish().0.balance().unwrap();
        assert_eq!((balance.undated_row_count, balance.window_rows, balance.overall.row_count()), (5, 2, 7));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_region_that_is_not_there_panics() {
        WindowCounter::new(2, time(10)).add_at(0, 2, 1);
    }

    proptest! {
        #[test]
        fn the_order_of_rows_does_not_matter(
            mut events in prop::collection::vec((-500..500_i64, 0..8_usize), 1..300),
        ) {
            let count = |events: &[(i64, usize)]| {
                let mut counter = WindowCounter::new(8, time(7));
                for &(event_ms, region) in events {
                    counter.add_at(event_ms, region, 1);
                }
                counter.finish().0
            };
            let shuffled = count(&events);
            events.sort_unstable();
            prop_assert_eq!(shuffled, count(&events));
        }

        #[test]
        fn every_row_is_in_a_window_or_late(events in prop::collection::vec((0..500_i64, 0..3_u64), 1..100)) {
            let mut counter = of_time_with_room_for(4, 20);
            for &(event_ms, rows) in &events {
                counter.add_at(event_ms, 0, rows);
            }
            series(&counter);
            let map = counter.map();
            let in_map: u64 = map.rows().flat_map(|row| row.counts).sum();
            let series = counter.finish().0;
            let in_windows: u64 = windows(&series).iter().map(|&(_, rows)| rows).sum();
            let indexes: Vec<i64> = windows(&series).iter().map(|&(index, _)| index).collect();
            prop_assert!(indexes.is_sorted_by(|left, right| left < right));
            prop_assert_eq!(in_map, in_windows);
            prop_assert_eq!(in_windows + series.late_row_count, series.overall().total());
            prop_assert_eq!(series.overall().total(), events.iter().map(|&(_, rows)| rows).sum::<u64>());
        }
    }
}
