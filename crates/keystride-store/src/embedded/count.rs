//! Counts rows without reading their cells.

use std::sync::atomic::Ordering as AtomicOrdering;

use keystride::KeyRange;
use keystride::range::next_key;

use super::open_store::OpenStore;
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

impl OpenStore {
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
