//! What passes through a program: rows by ranges of keys that are finer than regions.

mod passed;
mod range;
mod ranges;
mod sample;

use std::ops;

use super::{Axis, Cell, Cells, Column, Metric, NO_SERVER};
use crate::number::{float, float_of};
use passed::Passed;
use ranges::Ranges;
use sample::Sample;

/// The rows that a program reads and writes in a table, counted by ranges of keys. Regions of many gigabytes are a few rows
/// of a map; this shows what is inside them, without any support of a server.
///
/// The boundaries of regions and buckets are always kept. Between them, ranges adapt: one that had more than its
/// share of the rows so far is cut at keys that were seen in it, and neighbours that had almost none are joined. So all
/// had about as many rows, as regions that split by size would, and what is hot now stands out. A column has about
/// 256 ranges beside those that are kept, at most 1,024.
///
/// A few keys are kept as well, to tell who was behind a part of the map: see [`keys`](Self::keys).
///
/// ```
/// # use keystride_heat::live::{Metric, Traffic};
/// let mut traffic = Traffic::default();
/// for n in 0..10_000 {
///     traffic.written(format!("{:04}", n % 4000).as_bytes(), 100);
/// }
/// let column = traffic.close(0, 10_000);
/// assert_eq!(column.axis().map(|axis| axis.cell_count()), Some(1), "what passed before is cut for the next column");
/// assert!(traffic.close(10_000, 20_000).axis().is_some_and(|axis| axis.cell_count() > 200));
/// let behind = traffic.keys(Metric::RowsWritten, 0..10_000, b"1", Some(b"2"));
/// assert!((1_500.0..4_500.0).contains(&behind.iter().map(|(_, rows)| rows).sum()), "a quarter of all rows");
/// ```
#[derive(Debug, Default)]
pub struct Traffic {
    ranges: Ranges,
    /// The boundaries of regions, and those of buckets.
    regions: Axis,
    borders: Axis,
    read: Sample,
    written: Sample,
    passed: Passed,
}

impl Traffic {
    /// Tells the regions. Their boundaries are kept from now on.
    pub fn set_regions(&mut self, regions: &Axis) {
        if self.regions != *regions {
            self.regions = regions.clone();
            self.ranges.keep(&self.regions.union(&self.borders));
        }
    }

    /// Tells other boundaries that are to be kept, such as those of buckets.
    pub fn set_borders(&mut self, borders: &Axis) {
        if self.borders != *borders {
            self.borders = borders.clone();
            self.ranges.keep(&self.regions.union(&self.borders));
        }
    }

    /// Counts a row that was read.
    pub fn read(&mut self, key: &[u8]) {
        self.ranges.count(key, Metric::RowsRead, 1);
        self.read.take(key);
    }

    /// Counts a row that was written, and its bytes.
    pub fn written(&mut self, key: &[u8], bytes: u64) {
        self.ranges.count(key, Metric::RowsWritten, 1);
        self.ranges.count(key, Metric::BytesWritten, bytes);
        self.written.take(key);
    }

    /// Returns the rates since the last column, and begins the next one, with ranges that suit what has passed.
    pub fn close(&mut self, t0_ms: i64, t1_ms: i64) -> Column {
        let seconds = float(t1_ms.saturating_sub(t0_ms).max(1).unsigned_abs()) / 1_000.0;
        let axis = self.ranges.axis();
        let cells: Vec<Cell> = self
            .ranges
            .take_counts()
            .map(|counts| Cell::known(counts.map(|count| float(count) / seconds), NO_SERVER))
            .collect();
        let column = Column { t0_ms, t1_ms, cells: Some(Cells::new(axis, [true; Metric::COUNT], &cells)) };
        let (read, written) = (std::mem::take(&mut self.read), std::mem::take(&mut self.written));
        self.ranges.recut([read.keys(), written.keys()].concat());
        self.passed.add(Metric::RowsRead, t0_ms..t1_ms, &read);
        self.passed.add(Metric::RowsWritten, t0_ms..t1_ms, &written);
        column
    }

    /// Returns keys of a range that passed at a time, each with the number of rows that it stands for: those of columns that
    /// meet the time. Keys of the last hour are there as a rule; earlier ones are forgotten. Bytes written are those of rows
    /// written.
    pub fn keys(
        &self,
        metric: Metric,
        times_ms: ops::Range<i64>,
        start: &[u8],
        stop: Option<&[u8]>,
    ) -> Vec<(&[u8], f64)> {
        let metric = if metric == Metric::RowsRead { metric } else { Metric::RowsWritten };
        let is_inside = |key: &[u8]| start <= key && stop.is_none_or(|stop| key < stop);
        let of_columns = self.passed.of(metric, times_ms).flat_map(|(keys, rows)| {
            let each = float(rows) / float_of(keys.len());
            keys.iter().map(move |key| (&**key, each))
        });
        of_columns.filter(|(key, _)| is_inside(key)).collect()
    }
}

#[cfg(test)]
mod tests;
