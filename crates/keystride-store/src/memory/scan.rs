//! Scans of tables in memory.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use keystride::KeyRange;
use keystride::range::next_key;

use super::Shared;
use crate::regions::ReadTally;
use crate::sink::{Pacer, Sink};
use crate::{Order, RowBatch, Scan, StoreError, TableName};

/// A scan between two batches.
pub(super) struct MemoryScan {
    pub(super) shared: Arc<Shared>,
    pub(super) table: TableName,
    /// The key ranges that remain to be read, in key order.
    pub(super) ranges: VecDeque<KeyRange>,
    pub(super) scan: Scan,
    pub(super) pacer: Pacer,
}

impl MemoryScan {
    /// Reads the next batch; `None` after the last one.
    pub(super) fn next_batch(&mut self) -> Result<Option<RowBatch>, StoreError> {
        let mut sink = Sink::new(&self.scan.selection);
        let mut state = self.shared.lock();
        let table = state.table(&self.table)?;
        let views = table.views(&self.scan.selection, self.shared.clock.now_ms())?;
        let mut tally = ReadTally::default();
        while !self.pacer.is_full(sink.batch()) {
            let next = match self.scan.order {
                Order::Ascending => self.ranges.front_mut(),
                Order::Descending => self.ranges.back_mut(),
            };
            let Some(range) = next else { break };
            let Some((key, cells)) = table.first(range, self.scan.order, &views) else {
                match self.scan.order {
                    Order::Ascending => self.ranges.pop_front(),
                    Order::Descending => self.ranges.pop_back(),
                };
                continue;
            };
            sink.add(key, cells.iter().copied())?;
            table.regions.count_read(&mut tally, key);
            self.shared.rows_read.fetch_add(1, Ordering::Relaxed);
            go_past(range, self.scan.order, key);
        }
        table.regions.report(&mut tally);
        let batch = sink.into_batch();
        self.pacer.gave(&batch);
        Ok((!batch.is_empty()).then_some(batch))
    }
}

/// Removes from `range` what has been read, up to and including `key`.
fn go_past(range: &mut KeyRange, order: Order, key: &[u8]) {
    *range = match order {
        Order::Ascending => KeyRange::new(next_key(key), range.stop().map(<[u8]>::to_vec)),
        Order::Descending => KeyRange::new(range.start(), Some(key.to_vec())),
    };
}
