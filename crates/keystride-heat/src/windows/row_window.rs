use crate::{WindowCounts, WindowSeries};

/// The one open window of a fixed number of rows.
#[derive(Debug, Clone)]
pub(super) struct RowWindow {
    counts: WindowCounts,
    index: i64,
    row_count: u64,
    full: u64,
}

impl RowWindow {
    pub(super) fn new(region_count: usize, full: u64) -> Self {
        Self { counts: WindowCounts::new(region_count), index: 0, row_count: 0, full }
    }

    pub(super) fn add(&mut self, region: usize, rows: u64, series: &mut WindowSeries) {
        self.counts.add(region, rows);
        self.row_count = self.row_count.saturating_add(rows);
        if self.row_count >= self.full {
            series.close(self.index, &self.counts);
            self.counts.reset();
            self.index += 1;
            self.row_count = 0;
        }
    }

    /// Returns how many windows [`finish`](Self::finish) would add to the series: one, if there are rows in no other.
    pub(super) fn count_beside(&self, series: &WindowSeries) -> u64 {
        u64::from(series.window_count() == 0 && self.row_count > 0)
    }

    pub(super) fn finish(self, series: &mut WindowSeries) {
        if series.window_count() == 0 {
            series.close(self.index, &self.counts);
        } else {
            series.add_all_outside(&self.counts);
        }
    }
}
