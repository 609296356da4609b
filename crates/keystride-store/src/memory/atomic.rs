//! Changes that depend on the stored row. The store is locked for the duration of each.

use super::table::MemoryTable;
use crate::atomic::Deltas;
use crate::cell::Cell;
use crate::intake::{family_places, stamp_values};
use crate::regions::ReadTally;
use crate::{Check, Clock, MutationBatch, RowBatch, Selection, StoreError, Write};

impl MemoryTable {
    pub(super) fn add(&mut self, deltas: &Deltas, clock: &dyn Clock) -> Result<RowBatch, StoreError> {
        let (selection, now_ms) = (deltas.selection(&self.description)?, clock.now_ms());
        let batch = deltas.add_to(&self.look(deltas.row(), &selection, now_ms)?, now_ms)?;
        let answer = RowBatch { flat: batch.flat.clone() };
        self.write(Write::of(batch), clock)?;
        Ok(answer)
    }

    pub(super) fn check_and_mutate(
        &mut self,
        check: &Check,
        mut batch: MutationBatch,
        clock: &dyn Clock,
    ) -> Result<bool, StoreError> {
        check.allow(&batch)?;
        family_places(&batch.flat, &self.description)?;
        let now_ms = clock.now_ms();
        let visible = self.look(check.row.as_bytes(), &check.selection(), now_ms)?;
        let Some(seen_ms) = check.holds(&visible) else { return Ok(false) };
        stamp_values(&mut batch, now_ms.max(seen_ms));
        self.write(Write::of(batch), clock)?;
        Ok(true)
    }

    /// Returns the visible cells of a row and counts the read.
    fn look(&self, key: &[u8], selection: &Selection, now_ms: i64) -> Result<Vec<Cell<'_>>, StoreError> {
        let visible = self.visible_row(key, selection, now_ms)?;
        let mut tally = ReadTally::default();
        self.regions.count_read(&mut tally, key);
        self.regions.report(&mut tally);
        Ok(visible)
    }
}
