//! Collects the rows of a read: filter, column selection and detail are applied as rows are added to a batch.

use crate::cell::Cell;
use crate::flat::CellBlock;
use crate::{Pace, RowBatch, Selection, StoreError};

/// Takes the visible cells of one row after another and keeps what the selection asks for.
#[derive(Debug)]
pub(crate) struct Sink<'s> {
    selection: &'s Selection,
    batch: RowBatch,
}

/// Tracks the target batch size of a scan and how many rows are still wanted.
#[derive(Debug, Clone)]
pub(crate) struct Pacer {
    pace: Pace,
    next_rows: u32,
    rows_left: u64,
}

impl<'s> Sink<'s> {
    pub(crate) fn new(selection: &'s Selection) -> Self {
        Self { selection, batch: RowBatch::default() }
    }

    /// Adds a row if it passes the filter and has a selected cell.
    pub(crate) fn add<'a, C>(&mut self, key: &[u8], cells: C) -> Result<(), StoreError>
    where
        C: Iterator<Item = Cell<'a>> + Clone,
    {
        if !self.passes(cells.clone()) {
            return Ok(());
        }
        let mut selected = self.selection.project(cells).peekable();
        match selected.peek() {
            Some(_) => push(&mut self.batch, key, selected),
            None => Ok(()),
        }
    }

    /// Adds a row of visible cells given as blocks, if it passes the filter. Blocks are copied whole if the selection
    /// takes whole rows.
    pub(crate) fn add_blocks<'a, B>(&mut self, key: &[u8], blocks: B) -> Result<(), StoreError>
    where
        B: Iterator<Item = CellBlock<'a>> + Clone,
    {
        if !self.selection.takes_whole_rows() {
            return self.add(key, blocks.flat_map(CellBlock::cells));
        }
        if !self.passes(blocks.clone().flat_map(CellBlock::cells)) {
            return Ok(());
        }
        let mut blocks = blocks.peekable();
        if blocks.peek().is_none() {
            return Ok(());
        }
        let flat = &mut self.batch.flat;
        let pushed = flat.begin_row(key).and_then(|()| blocks.try_for_each(|block| flat.push_block(&block)));
        pushed.map_err(|_| StoreError::AnswerTooLarge { row: key.to_vec() })
    }

    /// Adds a row even if none of its cells is visible or it fails the filter.
    pub(crate) fn add_always<'a, C>(&mut self, key: &[u8], cells: C) -> Result<(), StoreError>
    where
        C: Iterator<Item = Cell<'a>> + Clone,
    {
        let passes = self.passes(cells.clone());
        push(&mut self.batch, key, self.selection.project(cells).take_while(|_| passes))
    }

    /// Adds a row whose cells have already been selected elsewhere.
    pub(crate) fn add_selected<'a>(
        &mut self,
        key: &[u8],
        cells: impl Iterator<Item = Cell<'a>>,
    ) -> Result<(), StoreError> {
        push(&mut self.batch, key, cells)
    }

    pub(crate) fn batch(&self) -> &RowBatch {
        &self.batch
    }

    pub(crate) fn into_batch(self) -> RowBatch {
        self.batch
    }

    fn passes<'a>(&self, cells: impl Iterator<Item = Cell<'a>> + Clone) -> bool {
        self.selection.filter.as_ref().is_none_or(|filter| filter.passes(cells))
    }
}

impl Pacer {
    /// Upper limit on the size of a batch, whatever the pace: its offsets have 32 bits.
    const MOST_BYTES: usize = 1 << 30;

    pub(crate) fn new(pace: Pace, limit: Option<u64>) -> Self {
        Self { pace, next_rows: pace.first_rows.get(), rows_left: limit.unwrap_or(u64::MAX) }
    }

    /// Whether all requested rows have been returned.
    pub(crate) fn is_done(&self) -> bool {
        self.rows_left == 0
    }

    /// Whether `batch` has reached its target size.
    pub(crate) fn is_full(&self, batch: &RowBatch) -> bool {
        let rows = u64::from(self.next_rows).min(self.rows_left);
        let bytes = (self.pace.max_bytes.get() as usize).min(Self::MOST_BYTES);
        batch.len() as u64 >= rows || batch.byte_count() >= bytes
    }

    /// Records that `batch` was returned; the next may be twice as large.
    pub(crate) fn gave(&mut self, batch: &RowBatch) {
        self.rows_left = self.rows_left.saturating_sub(batch.len() as u64);
        self.next_rows = self.next_rows.saturating_mul(2).min(self.pace.max_rows.get());
    }
}

fn push<'a>(
    batch: &mut RowBatch,
    key: &[u8],
    mut cells: impl Iterator<Item = Cell<'a>>,
) -> Result<(), StoreError> {
    let too_large = |_| StoreError::AnswerTooLarge { row: key.to_vec() };
    batch.flat.begin_row(key).map_err(too_large)?;
    cells.try_for_each(|cell| batch.flat.push_cell(&cell)).map_err(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch_of(rows: usize) -> RowBatch {
        let mut batch = RowBatch::default();
        (0..rows).for_each(|_| batch.flat.begin_row(b"r").unwrap());
        batch
    }

    #[test]
    fn batches_double_and_stop_at_the_limit() {
        let mut pacer = Pacer::new(Pace::default(), Some(50));
        let mut sizes = Vec::new();
        while !pacer.is_done() {
            let rows = (0..100).find(|&rows| pacer.is_full(&batch_of(rows))).unwrap();
            pacer.gave(&batch_of(rows));
            sizes.push(rows);
        }
        assert_eq!(sizes, [16, 32, 2]);
    }
}
