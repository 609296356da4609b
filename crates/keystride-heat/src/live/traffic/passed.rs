//! Keys of the last columns.

use std::collections::VecDeque;
use std::ops::Range;

use super::sample::Sample;
use crate::live::Metric;

/// The most keys of a column.
const OF_COLUMN: usize = 64;
/// The most keys of all columns: an hour of columns of 4 s that both read and write.
const MOST_KEYS: usize = 2 * 900 * OF_COLUMN;

/// Some keys of each of the last columns.
#[derive(Debug, Default)]
pub(super) struct Passed {
    columns: VecDeque<Keys>,
    count: usize,
}

/// Some keys that were read or written in a column.
#[derive(Debug)]
struct Keys {
    metric: Metric,
    times_ms: Range<i64>,
    /// How many rows there were.
    rows: u64,
    some: Box<[Box<[u8]>]>,
}

impl Passed {
    pub(super) fn add(&mut self, metric: Metric, times_ms: Range<i64>, sample: &Sample) {
        let some: Box<[Box<[u8]>]> = sample.some(OF_COLUMN).map(Into::into).collect();
        if some.is_empty() {
            return;
        }
        self.count += some.len();
        self.columns.push_back(Keys { metric, times_ms, rows: sample.seen(), some });
        while self.count > MOST_KEYS {
            self.count -= self.columns.pop_front().map_or(self.count, |first| first.some.len());
        }
    }

    /// Returns the keys of the columns that meet a time, and the number of rows that those of each stand for.
    pub(super) fn of(
        &self,
        metric: Metric,
        times_ms: Range<i64>,
    ) -> impl Iterator<Item = (&[Box<[u8]>], u64)> {
        let meets = move |keys: &&Keys| {
            keys.metric == metric && keys.times_ms.start < times_ms.end && times_ms.start < keys.times_ms.end
        };
        self.columns.iter().filter(meets).map(|keys| (&*keys.some, keys.rows))
    }
}
