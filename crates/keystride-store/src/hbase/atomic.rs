//! Changes that depend on what is there, which region servers make.

use std::sync::atomic::Ordering;

use keystride::Key;
use keystride_hbase::{
    Comparator, Compare, Condition as WireCondition, Error, Mutation, TimeRange as WireTimes,
};

use super::HBaseStore;
use super::read::{answer, wire_filter};
use super::write::mutations;
use crate::atomic::Deltas;
use crate::{Check, Condition, MutationBatch, Row, RowBatch, Selection, StoreError, TableName};

impl HBaseStore {
    /// Makes an increment or an append: `kind` of the deltas.
    pub(super) async fn change(
        &self,
        table: &TableName,
        deltas: &Deltas,
        kind: impl FnOnce(&[u8]) -> Mutation,
    ) -> Result<RowBatch, StoreError> {
        self.open()?;
        let cells = deltas.batch().rows().flat_map(|row| row.cells());
        let mutation = cells.fold(kind(deltas.row()), |mutation, cell| {
            mutation.value(cell.family, cell.qualifier, cell.value)
        });
        let changed = self.client().table(table.clone()).mutate(mutation).await;
        let row = changed.map_err(|error| self.not_changed(table, deltas, error))?;
        let row = answer(&[deltas.row()], &[row], &Selection::default())?;
        self.count_one(table, deltas.row(), Some(row.row(0))).await;
        Ok(row)
    }

    /// Applies a batch to a row if what is there is as `check` says.
    pub(super) async fn change_if(
        &self,
        table: &TableName,
        check: &Check,
        batch: &MutationBatch,
    ) -> Result<bool, StoreError> {
        let row = batch.flat.row(0);
        let condition = condition(check);
        let checked = self.client().table(table.clone()).check_and_mutate(&condition, mutations(row)).await;
        let is_applied = checked.map_err(|error| self.failed(table, error))?.is_applied;
        self.count_one(table, row.key(), is_applied.then_some(row)).await;
        Ok(is_applied)
    }

    /// Counts a look at a row, and what was written to it then.
    async fn count_one(&self, table: &TableName, key: &[u8], written: Option<Row<'_>>) {
        self.rows_read.fetch_add(1, Ordering::Relaxed);
        // Where its region can't be found, it has just gone elsewhere, and counts from zero there.
        let Ok(region) = self.client().region_of(table, key).await else { return };
        self.counts.read(region.encoded_name(), 1);
        if let Some(row) = written {
            self.counts.wrote(region.encoded_name(), row.cell_count() as u64, row.byte_count());
        }
    }

    fn not_changed(&self, table: &TableName, deltas: &Deltas, error: Error) -> StoreError {
        let text = error.remote().map_or("", |remote| remote.message());
        match text.split_once("not a long, it's ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok())
        {
            Some(len) => StoreError::NotANumber {
                row: Key::new(deltas.row()).expect("it was a key before"),
                column: None,
                len,
            },
            None => self.failed(table, error),
        }
    }
}

fn condition(check: &Check) -> WireCondition {
    let condition = match &check.condition {
        Condition::Filter(filter) => WireCondition::filter(wire_filter(filter)),
        Condition::Column { family, qualifier, comparison, value } => {
            let column = WireCondition::column(family.as_bytes(), qualifier);
            match (&value[..], *comparison) {
                ([], Compare::NotEqual) => column.is_present(),
                ([], _) => column.is_absent(),
                (value, compare) => column.is(compare, Comparator::binary(value)),
            }
        }
    };
    match WireTimes::new(check.times.min_ms, check.times.max_ms) {
        Ok(times) if check.times != crate::TimeRange::ALL => condition.in_time_range(times),
        _ => condition,
    }
}
