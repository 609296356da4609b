//! All keys in ranges that adapt to the rows that pass.

use super::range::Range;
use crate::live::{Axis, Metric};
use crate::number::{float, float_of};

/// A range that had more than one and a half of this share of all rows is cut; neighbours that had less than half of it are
/// joined.
const SHARE: f64 = 1.0 / 256.0;
/// So few rows are not worth a range of their own.
const LEAST_ROWS: f64 = 16.0;
/// What rows that have passed count after each later column: half after about 700 columns.
const AGING: f64 = 0.999;
/// The most ranges beside those that are kept.
const MOST_RANGES: usize = 1_024;

/// All keys in ranges, the first of which begins with the first key.
#[derive(Debug)]
pub(super) struct Ranges {
    all: Vec<Range>,
    axis: Option<Axis>,
    /// The range of the last key: the next one is in the same one mostly.
    last: usize,
}

impl Default for Ranges {
    fn default() -> Self {
        Self { all: vec![Range::new(&[], true, 0.0)], axis: None, last: 0 }
    }
}

impl Ranges {
    pub(super) fn count(&mut self, key: &[u8], metric: Metric, count: u64) {
        if !self.has(self.last, key) {
            self.last = self.all.partition_point(|range| *range.start <= *key) - 1;
        }
        self.all[self.last].counts[metric.index()] += count;
    }

    fn has(&self, range: usize, key: &[u8]) -> bool {
        *self.all[range].start <= *key && self.all.get(range + 1).is_none_or(|next| *key < *next.start)
    }

    /// Returns the boundaries.
    pub(super) fn axis(&mut self) -> Axis {
        let bounds = || self.all[1..].iter().map(|range| &range.start);
        // Ranges ascend; more than 4 GiB of them are not made of samples.
        self.axis.get_or_insert_with(|| Axis::new(bounds()).unwrap_or_default()).clone()
    }

    /// Returns the counts of each range, which begin again.
    pub(super) fn take_counts(&mut self) -> impl Iterator<Item = [u64; Metric::COUNT]> {
        let passed: u64 = self.all.iter().map(Range::rows).sum();
        let aging = if passed > 0 { AGING } else { 1.0 };
        self.all.iter_mut().map(move |range| {
            range.so_far = range.so_far * aging + float(range.rows());
            std::mem::take(&mut range.counts)
        })
    }

    /// Keeps these boundaries, and no other ones. What was counted in a range that they cut is shared.
    pub(super) fn keep(&mut self, kept: &Axis) {
        let mut kept = kept.bounds().peekable();
        let mut ranges: Vec<Range> = Vec::with_capacity(self.all.len());
        for mut range in std::mem::take(&mut self.all) {
            while let Some(bound) = kept.next_if(|bound| **bound < *range.start) {
                cut_last(&mut ranges, bound);
            }
            range.is_kept = range.start.is_empty() || kept.next_if(|bound| **bound == *range.start).is_some();
            ranges.push(range);
        }
        kept.for_each(|bound| cut_last(&mut ranges, bound));
        self.replace(ranges);
    }

    /// Joins ranges that had few rows, and cuts those that had many, at keys that were seen in them.
    pub(super) fn recut(&mut self, mut seen: Vec<&[u8]>) {
        seen.sort_unstable();
        let total: f64 = self.all.iter().map(|range| range.so_far).sum();
        let share = (total * SHARE).max(LEAST_ROWS);
        let before = self.all.len();
        let joined = joined(std::mem::take(&mut self.all), share / 2.0);
        let joined_count = joined.len();
        let ranges = cut(joined, share, &seen);
        if joined_count < before || joined_count < ranges.len() {
            self.replace(ranges);
        } else {
            self.all = ranges;
        }
    }

    fn replace(&mut self, ranges: Vec<Range>) {
        (self.all, self.axis, self.last) = (ranges, None, 0);
    }
}

/// Cuts the last range at a boundary that is to be kept.
fn cut_last(ranges: &mut Vec<Range>, bound: &[u8]) {
    let half = ranges.last_mut().map_or(0.0, |last| {
        last.so_far /= 2.0;
        last.so_far
    });
    ranges.push(Range::new(bound, true, half));
}

/// Joins neighbours that together have less than `little`, but not at a boundary that is kept.
fn joined(all: Vec<Range>, little: f64) -> Vec<Range> {
    let mut joined: Vec<Range> = Vec::with_capacity(all.len());
    for range in all {
        match joined.last_mut() {
            Some(before) if !range.is_kept && before.so_far + range.so_far < little => {
                before.so_far += range.so_far;
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Cuts ranges that have more than a share, at keys that were seen in them, which are sorted.
fn cut(all: Vec<Range>, share: f64, seen: &[&[u8]]) -> Vec<Range> {
    let mut room = MOST_RANGES.saturating_sub(all.iter().filter(|range| !range.is_kept).count());
    let mut ranges: Vec<Range> = Vec::with_capacity(all.len());
    let mut all = all.into_iter().peekable();
    let mut rest = seen;
    while let Some(mut range) = all.next() {
        let end = all.peek().map_or(rest.len(), |next| rest.partition_point(|key| **key < *next.start));
        let inside;
        (inside, rest) = rest.split_at(end);
        let cuts = cuts(&range.start, inside, parts(&range, share, inside.len()).min(room + 1));
        room -= cuts.len();
        range.so_far /= float_of(cuts.len() + 1);
        let so_far = range.so_far;
        ranges.push(range);
        ranges.extend(cuts.iter().map(|cut| Range::new(cut, false, so_far)));
    }
    ranges
}

/// Returns in how many parts a range is to be cut: each is to have a share of the rows, and be known from two keys.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` stops at both ends")]
fn parts(range: &Range, share: f64, seen: usize) -> usize {
    if range.so_far > 1.5 * share {
        ((range.so_far / share).round() as usize).min(seen / 2).max(1)
    } else {
        1
    }
}

/// Returns boundaries that cut sorted keys in parts of about as many, as short as can be. There are fewer if keys are alike.
fn cuts(start: &[u8], keys: &[&[u8]], parts: usize) -> Vec<Box<[u8]>> {
    let mut cuts: Vec<Box<[u8]>> = Vec::new();
    for part in 1..parts {
        let key = keys[part * keys.len() / parts];
        let first = keys.partition_point(|other| *other < key);
        let before = first.checked_sub(1).map_or(start, |before| keys[before]);
        let cut = separator(before, key);
        if *cut > *start && cuts.last().is_none_or(|last| **last < *cut) {
            cuts.push(cut.into());
        }
    }
    cuts
}

/// Returns the shortest prefix of `key` that is above `before`, which is below `key` or equal to it.
fn separator<'a>(before: &[u8], key: &'a [u8]) -> &'a [u8] {
    let common = before.iter().zip(key).take_while(|(one, two)| one == two).count();
    &key[..key.len().min(common + 1)]
}
