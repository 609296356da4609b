use super::Ended;
use crate::WindowCounts;

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

    pub(super) fn add(&mut self, region: usize, rows: u64, ended: &mut Ended) {
        self.counts.add(region, rows);
        self.row_count = self.row_count.saturating_add(rows);
        if self.row_count >= self.full {
            ended.close(self.index, &self.counts);
            self.counts.reset();
            self.index += 1;
            self.row_count = 0;
        }
    }

    /// Returns how many windows [`finish`](Self::finish) would add to the series: one, if there are rows in no other.
    pub(super) fn count_beside(&self, ended: &Ended) -> u64 {
        u64::from(ended.series.window_count() == 0 && self.row_count > 0)
    }

    pub(super) fn finish(self, ended: &mut Ended) {
        if ended.series.window_count() == 0 {
            ended.close(self.index, &self.counts);
        } else {
            ended.close_rest(self.index, &self.counts);
        }
    }
}
