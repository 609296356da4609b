//! The regions of a table: key lookup, and counters of what was written to and read from each region.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keystride::{Key, KeyRange, SplitError, SplitPoints};

use crate::region_state::RegionState;
use crate::table::{Region, RegionCounts, RegionId};
use crate::write::{RegionWrite, Written};

/// A snapshot of a table's regions. A split creates a new map, which shares the counters of the unaffected regions.
#[derive(Debug)]
pub(crate) struct RegionMap {
    splits: SplitPoints,
    regions: Vec<Arc<Counted>>,
}

#[derive(Debug)]
struct Counted {
    id: RegionId,
    rows_written: AtomicU64,
    cells_written: AtomicU64,
    bytes_written: AtomicU64,
    rows_read: AtomicU64,
}

/// What a batch writes to each region, collected while visiting its rows in key order.
#[derive(Debug, Default)]
pub(crate) struct WriteTally {
    /// In key order, each region at most once.
    pub(crate) shares: Vec<Share>,
}

/// What is written to one region, identified by its index in the map.
#[derive(Debug)]
pub(crate) struct Share {
    pub(crate) region: usize,
    pub(crate) rows: u64,
    pub(crate) cells: u64,
    pub(crate) bytes: u64,
}

/// Rows read since the last report, all in one region.
#[derive(Debug, Default)]
pub(crate) struct ReadTally {
    region: usize,
    rows: u64,
}

impl RegionMap {
    /// Creates the regions between `splits`, named by `ids`, with counters at zero.
    pub(crate) fn new(splits: SplitPoints, ids: impl Iterator<Item = RegionId>) -> Self {
        let regions = ids.take(splits.region_count()).map(Counted::new).collect();
        Self { splits, regions }
    }

    pub(crate) fn splits(&self) -> &SplitPoints {
        &self.splits
    }

    pub(crate) fn describe(&self) -> Vec<Region> {
        let ranges = self.splits.regions();
        let described = ranges.zip(&self.regions).map(|(range, region)| Region {
            id: region.id.clone(),
            range,
            server: None,
            state: RegionState::Open,
            counts: region.counts(),
            load: None,
        });
        described.collect()
    }

    /// Returns the range of the region that contains a key.
    pub(crate) fn range_of(&self, key: &[u8]) -> KeyRange {
        self.splits.regions().nth(self.splits.region_of(key)).unwrap_or_else(KeyRange::all)
    }

    /// Returns the regions with the one that contains `at` split in two; `None` if a region already starts there.
    ///
    /// What was written to it is divided as the rows before `at` and from `at` on are.
    pub(crate) fn split(
        &self,
        at: &Key,
        halves: [RegionId; 2],
        rows: [u64; 2],
    ) -> Result<Option<Self>, SplitError> {
        let keys = self.splits.keys();
        let Err(place) = keys.binary_search(at) else { return Ok(None) };
        let points = keys[..place].iter().chain([at]).chain(&keys[place..]);
        let splits = SplitPoints::new(points.map(Key::as_bytes))?;
        let mut regions = self.regions.clone();
        let [left, right] = halves.map(Counted::new);
        let written = self.regions[place].counts().divided(rows);
        left.credit(&written[0]);
        right.credit(&written[1]);
        regions.splice(place..=place, [left, right]);
        Ok(Some(Self { splits, regions }))
    }

    /// Returns the index of the region of `key`, searching outwards from region `near`. For keys in order this takes
    /// almost no time, whatever the number of regions.
    pub(crate) fn find(&self, near: usize, key: &[u8]) -> usize {
        let keys = self.splits.keys();
        if near < keys.len() && keys[near].as_bytes() <= key {
            gallop_up(&keys[near..], key) + near
        } else if near > 0 && key < keys[near - 1].as_bytes() {
            gallop_down(&keys[..near], key)
        } else {
            near
        }
    }

    /// Whether there is a region with that index.
    pub(crate) fn has(&self, region: usize) -> bool {
        region < self.regions.len()
    }

    /// Converts a tally to a [`Written`], which names the regions by their ids.
    pub(crate) fn written(&self, tally: &WriteTally) -> Written {
        let regions = tally.shares.iter().map(|share| {
            let region = self.regions[share.region].id.clone();
            RegionWrite { region, rows: share.rows, cells: share.cells, bytes: share.bytes }
        });
        Written { regions: regions.collect() }
    }

    /// Adds a tally to the counters, once its batch is written.
    pub(crate) fn credit(&self, tally: &WriteTally) {
        for share in &tally.shares {
            self.regions[share.region].credit(share);
        }
    }

    /// Returns what the totals of all writes will be once `tally` is credited.
    pub(crate) fn totals_after(&self, tally: &WriteTally) -> WriteTally {
        let so_far = self.regions.iter().enumerate().map(|(region, counted)| {
            let RegionCounts { rows_written, cells_written, bytes_written, .. } = counted.counts();
            Share { region, rows: rows_written, cells: cells_written, bytes: bytes_written }
        });
        let mut shares: Vec<Share> = so_far.collect();
        for share in &tally.shares {
            shares[share.region].add(share.rows, share.cells, share.bytes);
        }
        shares.retain(|share| share.rows > 0);
        WriteTally { shares }
    }

    /// Converts a [`Written`] back to a tally, leaving out regions that no longer exist.
    pub(crate) fn tally_of(&self, written: &Written) -> WriteTally {
        let places: BTreeMap<&RegionId, usize> =
            self.regions.iter().enumerate().map(|(place, region)| (&region.id, place)).collect();
        let shares = written.regions.iter().filter_map(|got| {
            let region = *places.get(&got.region)?;
            Some(Share { region, rows: got.rows, cells: got.cells, bytes: got.bytes })
        });
        WriteTally { shares: shares.collect() }
    }

    /// Counts a row that was read; if it lies in another region than the rows before it, reports those first.
    pub(crate) fn count_read(&self, tally: &mut ReadTally, key: &[u8]) {
        let region = self.find(tally.region, key);
        if region != tally.region {
            self.report(tally);
            tally.region = region;
        }
        tally.rows += 1;
    }

    /// Adds the rows of `tally` to their region.
    pub(crate) fn report(&self, tally: &mut ReadTally) {
        let rows = std::mem::take(&mut tally.rows);
        self.regions[tally.region].rows_read.fetch_add(rows, Ordering::Relaxed);
    }
}

impl WriteTally {
    /// Counts a row. Rows must come in key order.
    pub(crate) fn add(&mut self, map: &RegionMap, key: &[u8], cells: u64, bytes: u64) {
        let near = self.shares.last().map_or(0, |share| share.region);
        let region = map.find(near, key);
        match self.shares.last_mut() {
            Some(share) if share.region == region => share.add(1, cells, bytes),
            _ => self.shares.push(Share { region, rows: 1, cells, bytes }),
        }
    }
}

impl Share {
    fn add(&mut self, rows: u64, cells: u64, bytes: u64) {
        self.rows += rows;
        self.cells += cells;
        self.bytes += bytes;
    }
}

impl Counted {
    fn new(id: RegionId) -> Arc<Self> {
        Arc::new(Self {
            id,
            rows_written: AtomicU64::new(0),
            cells_written: AtomicU64::new(0),
            bytes_written: AtomicU64::new(0),
            rows_read: AtomicU64::new(0),
        })
    }

    fn credit(&self, share: &Share) {
        self.rows_written.fetch_add(share.rows, Ordering::Relaxed);
        self.cells_written.fetch_add(share.cells, Ordering::Relaxed);
        self.bytes_written.fetch_add(share.bytes, Ordering::Relaxed);
    }

    fn counts(&self) -> RegionCounts {
        RegionCounts {
            rows_written: self.rows_written.load(Ordering::Relaxed),
            cells_written: self.cells_written.load(Ordering::Relaxed),
            bytes_written: self.bytes_written.load(Ordering::Relaxed),
            rows_read: self.rows_read.load(Ordering::Relaxed),
        }
    }
}

impl RegionCounts {
    /// Returns what was written in two parts, in proportion to their rows; in equal ones if there are none.
    fn divided(&self, [left, right]: [u64; 2]) -> [Share; 2] {
        let (left, right) = if left + right == 0 { (1, 1) } else { (left, right) };
        let part = |all: u64| {
            let part = u128::from(all) * u128::from(left) / (u128::from(left) + u128::from(right));
            u64::try_from(part).unwrap_or(all)
        };
        let (rows, cells, bytes) =
            (part(self.rows_written), part(self.cells_written), part(self.bytes_written));
        let rest = Share {
            region: 1,
            rows: self.rows_written - rows,
            cells: self.cells_written - cells,
            bytes: self.bytes_written - bytes,
        };
        [Share { region: 0, rows, cells, bytes }, rest]
    }
}

/// Returns how many of `keys` are at or before `key`; the first one must be.
fn gallop_up(keys: &[Key], key: &[u8]) -> usize {
    let mut step = 1;
    while step < keys.len() && keys[step].as_bytes() <= key {
        step *= 2;
    }
    let (from, to) = (step / 2, step.min(keys.len()));
    from + keys[from..to].partition_point(|point| point.as_bytes() <= key)
}

/// Returns how many of `keys` are at or before `key`; the last one must not be.
fn gallop_down(keys: &[Key], key: &[u8]) -> usize {
    let mut step = 1;
    while step < keys.len() && key < keys[keys.len() - 1 - step].as_bytes() {
        step *= 2;
    }
    let (from, to) = (keys.len() - (step + 1).min(keys.len()), keys.len() - step / 2);
    from + keys[from..to].partition_point(|point| point.as_bytes() <= key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(points: &[&str]) -> RegionMap {
        let splits = SplitPoints::new(points).unwrap();
        RegionMap::new(splits, (0..).map(|n: u32| RegionId::new(&n.to_string())))
    }

    #[test]
    fn a_key_is_found_from_everywhere() {
        let points: Vec<String> = (0..40).map(|n| format!("{:02}", n * 2)).collect();
        let map = map(&points.iter().map(String::as_str).collect::<Vec<_>>());
        for key in (0..82).map(|n| format!("{n:02}")).chain([String::new(), "zz".into()]) {
            let region = map.splits().region_of(key.as_bytes());
            for near in 0..map.regions.len() {
                assert_eq!(map.find(near, key.as_bytes()), region, "{key} from {near}");
            }
        }
    }

    #[test]
    fn a_split_divides_the_counts_and_keeps_those_of_the_others() {
        let before = map(&["m"]);
        let mut tally = WriteTally::default();
        tally.add(&before, b"a", 2, 10);
        tally.add(&before, b"x", 3, 20);
        before.credit(&tally);
        let halves = ["left", "right"].map(RegionId::new);
        let at = Key::new(*b"t").unwrap();
        let after = before.split(&at, halves.clone(), [1, 2]).unwrap().unwrap();
        let cells: Vec<_> = after.describe().iter().map(|region| region.counts.cells_written).collect();
        assert_eq!(cells, [2, 1, 2]);
        assert!(after.split(&at, halves, [0, 0]).unwrap().is_none());
    }

    #[test]
    fn what_a_region_got_that_is_no_more_is_left_out() {
        let before = map(&["m"]);
        let mut tally = WriteTally::default();
        tally.add(&before, b"a", 2, 10);
        tally.add(&before, b"x", 3, 20);
        let written = before.written(&tally);
        let halves = ["left", "right"].map(RegionId::new);
        let after = before.split(&Key::new(*b"c").unwrap(), halves, [0, 0]).unwrap().unwrap();
        after.credit(&after.tally_of(&written));
        let rows: Vec<_> = after.describe().iter().map(|region| region.counts.rows_written).collect();
        assert_eq!(rows, [0, 0, 1]);
    }

    #[test]
    fn reads_are_counted_where_they_fall() {
        let map = map(&["b", "c"]);
        let mut tally = ReadTally::default();
        for key in [&b"c"[..], b"bb", b"ba", b"a"] {
            map.count_read(&mut tally, key);
        }
        map.report(&mut tally);
        let reads: Vec<_> = map.describe().iter().map(|region| region.counts.rows_read).collect();
        assert_eq!(reads, [1, 2, 1]);
    }

    #[test]
    fn totals_tell_what_every_region_got() {
        let map = map(&["m"]);
        let mut tally = WriteTally::default();
        tally.add(&map, b"x", 3, 20);
        let told = |tally: &WriteTally| {
            let totals = map.totals_after(tally).shares.into_iter();
            totals.map(|share| (share.region, share.rows, share.cells, share.bytes)).collect::<Vec<_>>()
        };
        assert_eq!(told(&tally), [(1, 1, 3, 20)]);
        map.credit(&tally);
        assert_eq!(told(&tally), [(1, 2, 6, 40)]);
    }
}
