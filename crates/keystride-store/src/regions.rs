//! The regions of a table: which one holds a key, and what has passed through each.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keystride::{Key, SplitError, SplitPoints};

use crate::store::{RegionWrite, Written};
use crate::table::{Region, RegionCounts, RegionId};

/// The regions of one table at one time. A split makes a new map, which shares the counters of the regions that stay.
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

/// What a batch brings to each region, gathered while its rows are walked in key order.
#[derive(Debug, Default)]
pub(crate) struct WriteTally {
    shares: Vec<Share>,
}

#[derive(Debug)]
struct Share {
    region: usize,
    rows: u64,
    cells: u64,
    bytes: u64,
}

/// Rows read since the last report, all of one region.
#[derive(Debug, Default)]
pub(crate) struct ReadTally {
    region: usize,
    rows: u64,
}

impl RegionMap {
    /// The regions between `splits`, named by `ids`, counting from zero.
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
            counts: region.counts(),
        });
        described.collect()
    }

    /// The same regions with the one that holds `at` cut in two; `None` when one starts there already.
    pub(crate) fn split(&self, at: &Key, halves: [RegionId; 2]) -> Result<Option<Self>, SplitError> {
        let keys = self.splits.keys();
        let Err(place) = keys.binary_search(at) else { return Ok(None) };
        let points = keys[..place].iter().chain([at]).chain(&keys[place..]);
        let splits = SplitPoints::new(points.map(Key::as_bytes))?;
        let mut regions = self.regions.clone();
        regions.splice(place..=place, halves.map(Counted::new));
        Ok(Some(Self { splits, regions }))
    }

    /// The region of `key`, looked for from region `near` on outwards: next to nothing for keys in order, whatever
    /// the number of regions.
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

    /// Adds what a batch brought, now that it is written.
    pub(crate) fn credit(&self, tally: &WriteTally) -> Written {
        let regions = tally.shares.iter().map(|share| {
            let region = &self.regions[share.region];
            region.rows_written.fetch_add(share.rows, Ordering::Relaxed);
            region.cells_written.fetch_add(share.cells, Ordering::Relaxed);
            region.bytes_written.fetch_add(share.bytes, Ordering::Relaxed);
            let (rows, cells, bytes) = (share.rows, share.cells, share.bytes);
            RegionWrite { region: region.id.clone(), rows, cells, bytes }
        });
        Written { regions: regions.collect() }
    }

    /// Counts a row that was read, and reports those before it when it lies in another region.
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
    /// Counts a row; rows come in key order.
    pub(crate) fn add(&mut self, map: &RegionMap, key: &[u8], cells: u64, bytes: u64) {
        let near = self.shares.last().map_or(0, |share| share.region);
        let region = map.find(near, key);
        match self.shares.last_mut() {
            Some(share) if share.region == region => {
                share.rows += 1;
                share.cells += cells;
                share.bytes += bytes;
            }
            _ => self.shares.push(Share { region, rows: 1, cells, bytes }),
        }
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

    fn counts(&self) -> RegionCounts {
        RegionCounts {
            rows_written: self.rows_written.load(Ordering::Relaxed),
            cells_written: self.cells_written.load(Ordering::Relaxed),
            bytes_written: self.bytes_written.load(Ordering::Relaxed),
            rows_read: self.rows_read.load(Ordering::Relaxed),
        }
    }
}

/// How many of `keys` are at or before `key`; the first is.
fn gallop_up(keys: &[Key], key: &[u8]) -> usize {
    let mut step = 1;
    while step < keys.len() && keys[step].as_bytes() <= key {
        step *= 2;
    }
    let (from, to) = (step / 2, step.min(keys.len()));
    from + keys[from..to].partition_point(|point| point.as_bytes() <= key)
}

/// How many of `keys` are at or before `key`; the last is not.
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
    fn a_split_keeps_the_counts_of_the_others() {
        let before = map(&["m"]);
        let mut tally = WriteTally::default();
        tally.add(&before, b"a", 2, 10);
        tally.add(&before, b"x", 3, 20);
        before.credit(&tally);
        let halves = ["left", "right"].map(RegionId::new);
        let after = before.split(&Key::new(*b"t").unwrap(), halves.clone()).unwrap().unwrap();
        let cells: Vec<_> = after.describe().iter().map(|region| region.counts.cells_written).collect();
        assert_eq!(cells, [2, 0, 0]);
        assert!(after.split(&Key::new(*b"t").unwrap(), halves).unwrap().is_none());
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
}
