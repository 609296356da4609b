//! Counts rows without reading their cells.

use std::sync::atomic::Ordering as AtomicOrdering;

use keystride::range::next_key;
use keystride::{Key, KeyRange};

use super::open_store::OpenStore;
use super::table::OpenTable;
use crate::regions::ReadTally;
use crate::{Order, Selection, StoreError, TableName};

/// Number of rows after which a count pauses, so that one that nobody waits for does not go on.
const MOST_ROWS_AT_ONCE: u64 = 65_536;

/// A count of the rows of some ranges, in steps.
pub(super) struct Count {
    pub(super) table: TableName,
    /// What is still to be counted, in reverse order.
    ranges: Vec<KeyRange>,
    pub(super) rows: u64,
}

impl Count {
    /// Starts a count of these ranges, which ascend.
    pub(super) fn new(table: TableName, mut ranges: Vec<KeyRange>) -> Self {
        ranges.reverse();
        Self { table, ranges, rows: 0 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.ranges.is_empty()
    }
}

/// The rows of each half of a region that a split looks at: they tell well enough how to divide its counts.
const MOST_ROWS_OF_HALF: u64 = 1_000_000;

impl OpenStore {
    /// Counts the rows of the region that contains `at`, before it and from it on, up to a million each.
    pub(super) fn rows_around(&self, table: &OpenTable, at: &Key) -> Result<[u64; 2], StoreError> {
        let (mut reader, regions) = self.scan_reader(table, &Selection::default(), Order::Ascending)?;
        let region = regions.range_of(at.as_bytes());
        let stop = region.stop().map(<[u8]>::to_vec);
        let halves = [
            KeyRange::new(region.start().to_vec(), Some(at.as_bytes().to_vec())),
            KeyRange::new(at.as_bytes().to_vec(), stop),
        ];
        let mut counts = [0; 2];
        for (half, count) in halves.iter().zip(&mut counts).filter(|(half, _)| !half.is_empty()) {
            reader.open(half)?;
            while *count < MOST_ROWS_OF_HALF && reader.next_is_visible()?.is_some() {
                *count += 1;
            }
        }
        Ok(counts)
    }

    /// Counts some more rows: those of which anything is visible.
    pub(super) fn count_more(&self, mut count: Count) -> Result<Count, StoreError> {
        let table = self.table(&count.table)?;
        let (mut reader, regions) = self.scan_reader(&table, &Selection::default(), Order::Ascending)?;
        let (mut tally, mut read) = (ReadTally::default(), 0);
        'step: while let Some(range) = count.ranges.pop() {
            reader.open(&range)?;
            while let Some(is_visible) = reader.next_is_visible()? {
                regions.count_read(&mut tally, reader.key());
                count.rows += u64::from(is_visible);
                read += 1;
                if read == MOST_ROWS_AT_ONCE {
                    let rest = KeyRange::new(next_key(reader.key()), range.stop().map(<[u8]>::to_vec));
                    count.ranges.extend((!rest.is_empty()).then_some(rest));
                    break 'step;
                }
            }
        }
        regions.report(&mut tally);
        self.rows_read.fetch_add(read, AtomicOrdering::Relaxed);
        Ok(count)
    }
}
