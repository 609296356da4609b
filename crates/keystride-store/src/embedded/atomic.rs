//! Changes that depend on the stored row: each has exclusive write access to the table from reading the row until the
//! resulting write is done.

use std::sync::atomic::Ordering as AtomicOrdering;

use super::open_store::OpenStore;
use super::row_reader::RowReader;
use super::table::{OpenTable, TableState};
use crate::atomic::Deltas;
use crate::intake::{family_places, stamp_values};
use crate::regions::ReadTally;
use crate::{Check, MutationBatch, Order, RowBatch, Selection, StoreError, TableName, Write};

/// Exclusive write access to a table.
struct Turn<'a> {
    store: &'a OpenStore,
    table: &'a OpenTable,
    state: &'a TableState,
    now_ms: i64,
}

impl OpenStore {
    pub(super) fn add(&self, name: &TableName, deltas: &Deltas) -> Result<RowBatch, StoreError> {
        self.with_turn(name, |turn| {
            let seen = turn.look(deltas.row(), &deltas.selection(&turn.state.description)?)?;
            let batch = deltas.add_to(&seen.visible_cells(), turn.now_ms)?;
            let answer = RowBatch { flat: batch.flat.clone() };
            turn.write(batch)?;
            Ok(answer)
        })
    }

    pub(super) fn check_and_mutate(
        &self,
        name: &TableName,
        check: &Check,
        mut batch: MutationBatch,
    ) -> Result<bool, StoreError> {
        self.with_turn(name, |turn| {
            family_places(&batch.flat, &turn.state.description)?;
            let seen = turn.look(check.row.as_bytes(), &check.selection())?;
            let Some(seen_ms) = check.holds(&seen.visible_cells()) else { return Ok(false) };
            stamp_values(&mut batch, turn.now_ms.max(seen_ms));
            turn.write(batch)?;
            Ok(true)
        })
    }

    /// Runs `work` with exclusive write access. Waits for the engine to accept writes first, so that other writers
    /// are not blocked during that wait.
    fn with_turn<T>(
        &self,
        name: &TableName,
        work: impl FnOnce(&Turn<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let table = self.table_to_write(name)?;
        let state = table.state()?;
        self.engine.wait_for_room(&state.keyspaces)?;
        let _exclusive = table.lock_exclusive();
        work(&Turn { store: self, table: &table, state: &state, now_ms: self.clock.now_ms() })
    }
}

impl Turn<'_> {
    /// Reads a row and counts the read.
    fn look(&self, key: &[u8], selection: &Selection) -> Result<RowReader, StoreError> {
        let Self { store, state, now_ms, .. } = self;
        let mut reader = store.reader(state, selection, Order::Ascending, *now_ms)?;
        reader.read_row(key)?;
        let mut tally = ReadTally::default();
        state.regions.count_read(&mut tally, key);
        state.regions.report(&mut tally);
        store.rows_read.fetch_add(1, AtomicOrdering::Relaxed);
        Ok(reader)
    }

    fn write(&self, batch: MutationBatch) -> Result<(), StoreError> {
        self.store.apply(self.table, self.state, Write::of(batch), self.now_ms).map(|_| ())
    }
}
