//! Windows of a fixed length of time.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::Ended;
use crate::WindowCounts;

/// The number of counts, of eight bytes each, that open windows may have: 8 MiB.
const OPEN_COUNTS: usize = 1 << 20;

/// The largest number of open windows even for few regions, as each takes some bytes of its own.
const MOST_OPEN: usize = 65_536;

/// The open windows of time. The one that received the last row is remembered, as most rows go to the same
/// one.
#[derive(Debug, Clone)]
pub(super) struct TimeWindows {
    region_count: usize,
    ms: u64,
    pub(super) most_open: usize,
    /// Slots of open windows by index.
    slots: BTreeMap<i64, usize>,
    counts: Vec<WindowCounts>,
    current: Option<(RangeInclusive<i64>, usize)>,
}

impl TimeWindows {
    pub(super) fn new(region_count: usize, ms: u64) -> Self {
        Self {
            region_count,
            ms,
            most_open: (OPEN_COUNTS / region_count.max(1)).clamp(2, MOST_OPEN),
            slots: BTreeMap::new(),
            counts: Vec::new(),
            current: None,
        }
    }

    pub(super) fn add(&mut self, event_ms: i64, region: usize, rows: u64, ended: &mut Ended) {
        if rows == 0 {
            return;
        }
        if let Some((times, slot)) = &self.current
            && times.contains(&event_ms)
        {
            return self.counts[*slot].add(region, rows);
        }
        if let Some(slot) = self.slot(event_ms, ended) {
            self.counts[slot].add(region, rows);
        } else {
            ended.series.late_row_count = ended.series.late_row_count.saturating_add(rows);
            ended.series.add_outside(region, rows);
        }
    }

    /// Returns the slot of the window of a time, and opens it if necessary; `None` if that is too late.
    fn slot(&mut self, event_ms: i64, ended: &mut Ended) -> Option<usize> {
        let (index, times) = window_of(event_ms, self.ms);
        let slot = match self.slots.get(&index) {
            Some(&slot) => slot,
            None => self.open(index, ended)?,
        };
        self.current = Some((times, slot));
        Some(slot)
    }

    /// Opens a window. Every window closed so far is before all open ones, so this one was never closed.
    fn open(&mut self, index: i64, ended: &mut Ended) -> Option<usize> {
        let slot = if self.slots.len() < self.most_open {
            self.counts.push(WindowCounts::new(self.region_count));
            self.counts.len() - 1
        } else {
            self.slots.first_key_value().filter(|&(&earliest, _)| earliest < index)?;
            self.close_earliest(ended)?
        };
        self.slots.insert(index, slot);
        Some(slot)
    }

    /// Closes the earliest window, and returns its slot with counts of 0.
    fn close_earliest(&mut self, ended: &mut Ended) -> Option<usize> {
        let (index, slot) = self.slots.pop_first()?;
        ended.close(index, &self.counts[slot]);
        self.counts[slot].reset();
        Some(slot)
    }

    /// Returns the number of open windows.
    pub(super) fn count(&self) -> u64 {
        self.slots.len() as u64
    }

    pub(super) fn finish(mut self, ended: &mut Ended) {
        while self.close_earliest(ended).is_some() {}
    }
}

/// Returns the index of the window that a time falls into, and the times of that window.
fn window_of(event_ms: i64, ms: u64) -> (i64, RangeInclusive<i64>) {
    let (event_ms, ms) = (i128::from(event_ms), i128::from(ms));
    let index = event_ms.div_euclid(ms);
    let start = index * ms;
    (within_i64(index), within_i64(start)..=within_i64(start + ms - 1))
}

fn within_i64(number: i128) -> i64 {
    let clamped = number.clamp(i64::MIN.into(), i64::MAX.into());
    i64::try_from(clamped).expect("clamped to the type")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_time_have_windows() {
        for ms in [1, 60_000, i64::MAX as u64, u64::MAX] {
            for event_ms in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX] {
                assert!(window_of(event_ms, ms).1.contains(&event_ms), "{event_ms} by {ms}");
            }
        }
        assert_eq!(window_of(i64::MIN, 1), (i64::MIN, i64::MIN..=i64::MIN));
    }

    #[test]
    fn open_windows_take_bounded_memory_whatever_the_regions() {
        let most_open = |region_count| TimeWindows::new(region_count, 1).most_open;
        assert_eq!([0, 16, 65_536, 1 << 22].map(most_open), [65_536, 65_536, 16, 2]);
    }
}
