//! Persistent counts of what was written to each region.
//!
//! Every batch includes one count record, however many regions it touches: what it wrote to each region, its *share*.
//! Once the shares of a table take too much space, a batch includes the *totals* instead, which invalidate all
//! earlier shares. Batch and counts are thus written atomically, and the sum of the totals and the shares written
//! after them is what was written in all.
//!
//! | Bytes | Field |
//! |---|---|
//! | 8 | how many totals had been written for the table, including this record; big-endian, like all numbers here |
//! | then for each region that was written to, in key order: | |
//! | 4 × 8 | its index among the table's regions, rows, cells, bytes |
//!
//! Shares are numbered from 0 after each totals record and overwrite invalid ones. Every change of a table's regions
//! writes totals, so the indexes in a share always refer to the regions it was written to.

use crate::StoreError;
use crate::regions::{RegionMap, Share, WriteTally};

/// Shares may take up to this many bytes, or [`SHARES_PER_TOTALS`] times the size of the totals if that is more.
const LEAST_SHARE_BYTES: usize = 64 * 1024;
const SHARES_PER_TOTALS: usize = 4;

/// Approximate overhead of a record in bytes.
const RECORD_OVERHEAD: usize = 32;

const SHARE_LEN: usize = 4 * 8;
const DAMAGED: StoreError = StoreError::Damaged { what: "the counts of a table" };

/// The state of a table's count records.
#[derive(Debug, Default)]
pub(super) struct CountLog {
    totals_written: u64,
    total_bytes: usize,
    share_count: u32,
    share_bytes: usize,
}

/// A count record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountRecord {
    /// The number of a share; `None` for totals.
    pub(super) share: Option<u32>,
    pub(super) bytes: Vec<u8>,
}

impl CountLog {
    /// Restores the log of a table from its records, totals first, and adds their counts to `regions`.
    pub(super) fn read(
        records: impl Iterator<Item = Result<CountRecord, StoreError>>,
        regions: &RegionMap,
    ) -> Result<Self, StoreError> {
        let mut log = Self::default();
        for record in records {
            let record = record?;
            let (totals_written, shares) = split_totals(&record.bytes)?;
            if record.share.is_none() {
                log = Self { totals_written, total_bytes: record.bytes.len(), ..Self::default() };
            } else if totals_written == log.totals_written {
                log.add_share(&record);
            } else {
                // Invalid, and of regions that may no longer exist.
                continue;
            }
            regions.credit(&read_shares(shares, regions)?);
        }
        Ok(log)
    }

    /// Returns the record that a batch must include. It is only correct for the current counts of `regions`, so
    /// nothing else may be written to the table before [`Self::wrote`] is called.
    pub(super) fn record(&self, regions: &RegionMap, tally: &WriteTally) -> CountRecord {
        if self.share_bytes >= LEAST_SHARE_BYTES.max(SHARES_PER_TOTALS * self.total_bytes) {
            self.totals(regions, tally)
        } else {
            CountRecord { share: Some(self.share_count), bytes: to_bytes(self.totals_written, tally) }
        }
    }

    /// Returns the totals as they will be once `tally` is credited to `regions`.
    pub(super) fn totals(&self, regions: &RegionMap, tally: &WriteTally) -> CountRecord {
        let totals = regions.totals_after(tally);
        CountRecord { share: None, bytes: to_bytes(self.totals_written + 1, &totals) }
    }

    /// Registers a record whose batch has been written.
    pub(super) fn wrote(&mut self, record: &CountRecord) {
        if record.share.is_some() {
            self.add_share(record);
        } else {
            let (totals_written, total_bytes) = (self.totals_written + 1, record.bytes.len());
            *self = Self { totals_written, total_bytes, ..Self::default() };
        }
    }

    fn add_share(&mut self, record: &CountRecord) {
        self.share_count += 1;
        self.share_bytes += record.bytes.len() + RECORD_OVERHEAD;
    }
}

fn to_bytes(totals_written: u64, tally: &WriteTally) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + tally.shares.len() * SHARE_LEN);
    bytes.extend_from_slice(&totals_written.to_be_bytes());
    for share in &tally.shares {
        for number in [share.region as u64, share.rows, share.cells, share.bytes] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
    }
    bytes
}

/// Splits a record into the number of totals written and the shares.
fn split_totals(bytes: &[u8]) -> Result<(u64, &[u8]), StoreError> {
    let (totals_written, shares) = bytes.split_first_chunk().ok_or(DAMAGED)?;
    Ok((u64::from_be_bytes(*totals_written), shares))
}

fn read_shares(shares: &[u8], regions: &RegionMap) -> Result<WriteTally, StoreError> {
    let (shares, rest) = shares.as_chunks::<SHARE_LEN>();
    if !rest.is_empty() {
        return Err(DAMAGED);
    }
    let shares = shares.iter().map(|share| read_share(share).filter(|share| regions.has(share.region)));
    let shares = shares.collect::<Option<_>>().ok_or(DAMAGED)?;
    Ok(WriteTally { shares })
}

fn read_share(bytes: &[u8; SHARE_LEN]) -> Option<Share> {
    let (numbers, _) = bytes.as_chunks();
    let [place, rows, cells, bytes] = numbers.first_chunk()?.map(u64::from_be_bytes);
    Some(Share { region: usize::try_from(place).ok()?, rows, cells, bytes })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use keystride::SplitPoints;

    use super::*;
    use crate::RegionId;

    fn regions() -> RegionMap {
        RegionMap::new(
            SplitPoints::new(["m"]).unwrap(),
            (0..).map(|number: u32| RegionId::new(&number.to_string())),
        )
    }

    fn rows(regions: &RegionMap) -> Vec<u64> {
        regions.describe().iter().map(|region| region.counts.rows_written).collect()
    }

    fn tally(regions: &RegionMap, keys: &[&str]) -> WriteTally {
        let mut tally = WriteTally::default();
        for key in keys {
            tally.add(regions, key.as_bytes(), 2, 10);
        }
        tally
    }

    #[test]
    fn the_bytes_are_those_of_the_table_above() {
        let regions = regions();
        let bytes = to_bytes(5, &tally(&regions, &["x", "y"]));
        let numbers: Vec<u64> = bytes.as_chunks().0.iter().copied().map(u64::from_be_bytes).collect();
        assert_eq!(numbers, [5, 1, 2, 4, 20]);
    }

    #[test]
    fn totals_and_the_shares_after_them_are_what_was_written() {
        let (regions, mut log, mut kept) = (regions(), CountLog::default(), BTreeMap::new());
        let mut totals = 0;
        for number in 0..3_000_u32 {
            let keys: &[&str] = if number % 3 == 0 { &["a", "x"] } else { &["x"] };
            let tally = tally(&regions, keys);
            let record = log.record(&regions, &tally);
            totals += u32::from(record.share.is_none());
            kept.insert(record.share, record.clone());
            log.wrote(&record);
            regions.credit(&tally);
            if number % 500 == 499 || number == 1 {
                let again = self::regions();
                let read = CountLog::read(kept.values().cloned().map(Ok), &again).unwrap();
                assert_eq!(again.describe(), regions.describe());
                assert_eq!(format!("{read:?}"), format!("{log:?}"));
            }
        }
        assert_eq!(rows(&regions), [1_000, 3_000]);
        assert!((2..10).contains(&totals), "summed up {totals} times");
        assert!(kept.len() < 1_100, "{} records are kept", kept.len());
    }

    #[test]
    fn damaged_counts_are_refused() {
        let regions = regions();
        let whole = to_bytes(0, &tally(&regions, &["x"]));
        let read = |bytes: &[u8]| {
            let record = CountRecord { share: Some(0), bytes: bytes.to_vec() };
            CountLog::read(std::iter::once(Ok(record)), &regions)
        };
        for len in (0..whole.len()).filter(|&len| len != 8) {
            assert!(read(&whole[..len]).is_err(), "cut to {len}");
        }
        let mut elsewhere = whole.clone();
        elsewhere[15] = 2;
        assert!(read(&elsewhere).is_err(), "there is no region 2");
        assert_eq!(rows(&regions), [0, 0]);
        read(&whole).unwrap();
    }
}
