//! The offsets of a zone through all time, as a table that can be searched by instant and by local time.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::civil::{CYCLE_DAYS, DAY_SECONDS};

/// From 2100-01-01 on, the database has only recurring rules and no individual changes, so everything repeats after 400
/// years, as the calendar does, weekdays included. The table extends a year beyond one cycle; later times are mapped
/// into it.
const REPEATS_FROM: i64 = 4_102_444_800;
const CYCLE_SECONDS: i64 = CYCLE_DAYS * DAY_SECONDS;
const REPEATS_UNTIL: i64 = REPEATS_FROM + CYCLE_SECONDS;
const TABLE_END: i64 = REPEATS_UNTIL + 366 * DAY_SECONDS;

/// The length of a page is 2^24 seconds, or 194 days; few zones changed their clocks more than twice in one.
const PAGE_BITS: u32 = 24;

/// The stretches of time in which a zone's clocks were not changed.
#[derive(Debug)]
pub(super) struct ClockChanges {
    /// The stretches in order; the first has no start.
    stretches: Box<[Stretch]>,
    /// The start of the first page, a page before the first change.
    first_page: i64,
    /// The index of the stretch that holds the start of each page; the last page has no end. From there, a search takes
    /// one or two steps, whereas halving a thousand stretches takes ten.
    pages: Box<[u16]>,
}

/// A period from `from` until the next stretch, during which clocks are at `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// First epoch second.
    pub from: i64,
    /// First local second that has this stretch's offset: after a gap, or after the repeated part of an overlap.
    pub local_from: i64,
    /// Seconds that local clocks are ahead of UTC.
    pub offset: i32,
    /// The offset before `from`.
    pub offset_before: i32,
}

/// The instant of a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// This epoch second; the earlier one if there are two.
    Instant(i64),
    /// There is none: clocks skip it.
    Skipped(Gap),
}

/// Local times that clocks skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    /// The epoch second at which clocks skip them.
    pub at: i64,
    /// First local second that is skipped.
    pub from: i64,
    /// First local second after the gap.
    pub to: i64,
}

impl ClockChanges {
    /// Creates a table of clocks that are always `offset` seconds ahead of UTC.
    pub(super) fn never(offset: i32) -> Self {
        Self::new(vec![Stretch::first(offset)])
    }

    /// Creates the table of a zone of the database.
    pub(super) fn of(zone: &TimeZone) -> Self {
        let mut stretches = vec![Stretch::first(zone.to_offset(Timestamp::MIN).seconds())];
        let mut offset_before = stretches[0].offset;
        for change in zone.following(Timestamp::MIN) {
            let (from, offset) = (change.timestamp().as_second(), change.offset().seconds());
            if from >= TABLE_END {
                break;
            }
            // Some changes affect only the abbreviation.
            if offset != offset_before {
                stretches.push(Stretch::after(from, offset_before, offset));
                offset_before = offset;
            }
        }
        Self::new(stretches)
    }

    fn new(stretches: Vec<Stretch>) -> Self {
        let changes = &stretches[1..];
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
            return Self { stretches: stretches.into(), first_page: 0, pages: [0].into() };
        };
        let first_page = first.from - (1 << PAGE_BITS);
        let page_count = ((last.from - first_page) >> PAGE_BITS) + 2;
        let starts = (0..page_count).map(|page| first_page + (page << PAGE_BITS));
        let before = starts.map(|start| changes.partition_point(|change| change.from <= start));
        let pages = before.map(|count| u16::try_from(count).expect("two changes a year are few")).collect();
        Self { stretches: stretches.into(), first_page, pages }
    }

    /// Whether clocks are never changed.
    pub(super) fn is_empty(&self) -> bool {
        self.stretches.len() == 1
    }

    /// Returns how many seconds local clocks are ahead of UTC at an epoch second.
    pub(super) fn offset_at(&self, second: i64) -> i64 {
        self.stretches[self.index_at(second - past_the_table(second))].offset.into()
    }

    /// Returns the stretch that holds an epoch second.
    pub(super) fn stretch_at(&self, second: i64) -> Stretch {
        let cycles = past_the_table(second);
        self.stretches[self.index_at(second - cycles)].later(cycles)
    }

    /// Returns the stretch after the one that holds an epoch second.
    pub(super) fn stretch_after(&self, second: i64) -> Option<Stretch> {
        let cycles = past_the_table(second);
        let next = self.stretches.get(self.index_at(second - cycles) + 1)?;
        Some(next.later(cycles))
    }

    /// Returns the instant of a local time, given in seconds since 1970-01-01T00:00:00 on the local clock.
    #[inline]
    pub(super) fn named(&self, local: i64) -> Named {
        let cycles = past_the_table(local);
        let local = local - cycles;
        // Two days earlier, this local time was still to come, whatever the offset.
        let guess = self.page(local - 2 * DAY_SECONDS);
        let index = self.last_from(guess, |stretch| stretch.local_from <= local);
        let second = local - i64::from(self.stretches[index].offset);
        match self.stretches.get(index + 1) {
            // Times in an overlap have the earlier offset, so they end before the next stretch; only a gap reaches into
            // it.
            Some(next) if second >= next.from => Named::Skipped(next.gap().later(cycles)),
            _ => Named::Instant(second + cycles),
        }
    }

    fn index_at(&self, second: i64) -> usize {
        self.last_from(self.page(second), |stretch| stretch.from <= second)
    }

    /// Returns the stretch that holds the start of the page of a second; it is not after the one that holds the second.
    #[expect(clippy::cast_sign_loss, reason = "it is 0 at least")]
    fn page(&self, second: i64) -> usize {
        let page = second.saturating_sub(self.first_page).max(0) >> PAGE_BITS;
        self.pages[(page as usize).min(self.pages.len() - 1)].into()
    }

    /// Returns the last stretch that has begun, searching forward from one that has.
    fn last_from(&self, mut index: usize, has_begun: impl Fn(&Stretch) -> bool) -> usize {
        while self.stretches.get(index + 1).is_some_and(&has_begun) {
            index += 1;
        }
        index
    }
}

impl Stretch {
    fn first(offset: i32) -> Self {
        Self { from: i64::MIN, local_from: i64::MIN, offset, offset_before: offset }
    }

    fn after(from: i64, offset_before: i32, offset: i32) -> Self {
        Self { from, local_from: from + i64::from(offset.max(offset_before)), offset, offset_before }
    }

    fn gap(self) -> Gap {
        let (from, to) = (self.from + i64::from(self.offset_before), self.from + i64::from(self.offset));
        Gap { at: self.from, from, to }
    }

    fn later(self, seconds: i64) -> Self {
        let (from, local_from) = (self.from.saturating_add(seconds), self.local_from.saturating_add(seconds));
        Self { from, local_from, ..self }
    }
}

impl Gap {
    fn later(self, seconds: i64) -> Self {
        Self { at: self.at + seconds, from: self.from + seconds, to: self.to + seconds }
    }
}

/// Returns how many seconds, in whole cycles, bring a time beyond the table back into its last cycle; 0 for any other.
fn past_the_table(second: i64) -> i64 {
    if second < REPEATS_UNTIL { 0 } else { (second - REPEATS_FROM) / CYCLE_SECONDS * CYCLE_SECONDS }
}

#[cfg(test)]
mod tests {
    use jiff::tz::{AmbiguousOffset, TimeZoneDatabase};

    use super::*;
    use crate::time::civil::{LocalTime, days_of};

    fn zones() -> Vec<TimeZone> {
        let database = TimeZoneDatabase::bundled();
        database.available().map(|name| database.get(name.as_str()).unwrap()).collect()
    }

    #[test]
    fn both_searches_have_sorted_tables_in_every_zone() {
        for zone in zones() {
            let changes = ClockChanges::of(&zone);
            assert!(changes.stretches.is_sorted_by(|a, b| a.from < b.from), "{zone:?}");
            assert!(changes.stretches.is_sorted_by(|a, b| a.local_from < b.local_from), "{zone:?}");
        }
    }

    /// Returns the seconds around each change up to 2040, after which there are only rules, and some far away, even
    /// beyond the table.
    fn awkward_seconds(changes: &ClockChanges) -> impl Iterator<Item = i64> + '_ {
        let far = [-60_000_000_000, 0, 16_800_000_000, 16_805_000_000, 100_000_000_000, 100_015_000_000];
        let around = |from: i64| [-86_400, -3_600, -1, 0, 1, 1_800, 3_600, 86_400].map(|by| from + by);
        let until_2040 = changes.stretches[1..].iter().filter(|stretch| stretch.from < 2_208_988_800);
        until_2040.flat_map(move |stretch| around(stretch.from)).chain(far)
    }

    #[test]
    fn offsets_agree_with_jiff_in_every_zone() {
        for zone in zones() {
            let changes = ClockChanges::of(&zone);
            for second in awkward_seconds(&changes) {
                let theirs = zone.to_offset(Timestamp::from_second(second).unwrap()).seconds();
                assert_eq!(changes.offset_at(second), i64::from(theirs), "{second} in {zone:?}");
            }
        }
    }

    #[test]
    fn local_times_agree_with_jiff_in_every_zone() {
        for zone in zones() {
            let changes = ClockChanges::of(&zone);
            for second in awkward_seconds(&changes) {
                let local = second + changes.offset_at(second);
                for local in [local - 1_800, local, local + 1_800] {
                    assert_eq!(changes.named(local), named_by_jiff(&zone, local), "{local} in {zone:?}");
                }
            }
        }
    }

    #[test]
    fn gaps_beyond_the_table_are_those_of_a_cycle_in_it() {
        let new_york = TimeZoneDatabase::bundled().get("America/New_York").unwrap();
        let changes = ClockChanges::of(&new_york);
        let (local, shift) = (days_of(2150, 3, 8) * DAY_SECONDS + 9_000, 1_000 * CYCLE_SECONDS);
        let Named::Skipped(gap) = changes.named(local) else { panic!("half past two is skipped") };
        let later = Gap { at: gap.at + shift, from: gap.from + shift, to: gap.to + shift };
        assert_eq!(changes.named(local + shift), Named::Skipped(later));
    }

    fn named_by_jiff(zone: &TimeZone, local: i64) -> Named {
        let text = LocalTime::of_seconds(local, 0).unwrap().to_string();
        match zone.to_ambiguous_timestamp(text.parse().unwrap()).offset() {
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
                Named::Instant(local - i64::from(offset.seconds()))
            }
            AmbiguousOffset::Gap { before, after } => {
                let [before, after] = [before, after].map(|offset| i64::from(offset.seconds()));
                let day_before = Timestamp::from_second(local - before - DAY_SECONDS).unwrap();
                let mut changes = zone.following(day_before).map(|change| change.timestamp().as_second());
                let at = changes.find(|at| (at + before..at + after).contains(&local)).unwrap();
                Named::Skipped(Gap { at, from: at + before, to: at + after })
            }
        }
    }
}
