//! Preparation of mutations that is common to all store implementations.

use crate::flat::FlatRows;
use crate::{CellKind, LATEST, MutationBatch, MutationError, StoreError, TableDescription};

/// Replaces [`LATEST`] timestamps by actual ones: `now_ms`, or, for a marker that deletes one version, the timestamp
/// of the newest version, which `newest` looks up. If the column has no version, the marker gets `now_ms`, as in
/// HBase.
pub(crate) fn stamp(
    batch: &mut MutationBatch,
    now_ms: i64,
    mut newest: impl FnMut(&[u8], &[u8], &[u8]) -> Result<Option<i64>, StoreError>,
) -> Result<(), StoreError> {
    batch.flat.replace_ts(LATEST, now_ms, |kind| kind != CellKind::Delete);
    let flat = &batch.flat;
    if !flat.may_have_ts(LATEST) {
        return Ok(());
    }
    let mut stamps = Vec::new();
    for row in flat.rows() {
        for number in row.cell_numbers().filter(|&number| flat.ts_of(number) == LATEST) {
            let cell = flat.cell(number);
            let found = newest(row.key(), cell.family, cell.qualifier)?;
            stamps.push((number, found.unwrap_or(now_ms)));
        }
    }
    for (number, ts) in stamps {
        batch.flat.set_ts(number, ts).map_err(MutationError::from)?;
    }
    Ok(())
}

/// Sets the timestamp of all values that have [`LATEST`] to `ts`.
pub(crate) fn stamp_values(batch: &mut MutationBatch, ts: i64) {
    batch.flat.replace_ts(LATEST, ts, |kind| kind == CellKind::Put);
}

/// Returns the index in the table of each of the batch's families, by family number.
pub(crate) fn family_places(flat: &FlatRows, table: &TableDescription) -> Result<Vec<usize>, StoreError> {
    flat.family_names().map(|name| table.family_index(name)).collect()
}

/// Verifies that the rows of a bulk load ascend across all its batches.
#[derive(Debug, Default)]
pub(crate) struct KeyOrder {
    last: Vec<u8>,
}

impl KeyOrder {
    /// Checks that the rows of a batch ascend and come after all earlier ones. A rejected batch leaves the state
    /// unchanged.
    pub(crate) fn check(&mut self, batch: &MutationBatch) -> Result<(), StoreError> {
        let mut last = self.last.as_slice();
        for row in batch.rows() {
            if row.key() <= last {
                return Err(StoreError::NotAscending { row: row.key().to_vec(), before: last.to_vec() });
            }
            last = row.key();
        }
        self.last = last.to_vec();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(rows: &[&str]) -> MutationBatch {
        let mut batch = MutationBatch::new();
        for row in rows {
            batch.put(row.as_bytes(), b"f", b"q", LATEST, b"").unwrap();
        }
        batch
    }

    #[test]
    fn only_marks_on_one_version_ask_for_the_newest() {
        let mut mutations = batch(&["r"]);
        mutations.delete(b"r", b"f", b"known", LATEST).unwrap();
        mutations.delete(b"r", b"f", b"unknown", LATEST).unwrap();
        mutations.delete_family(b"r", b"f", LATEST).unwrap();
        mutations.put(b"r", b"f", b"q", 3, b"").unwrap();
        let mut asked = Vec::new();
        let newest = |_: &[u8], _: &[u8], qualifier: &[u8]| {
            asked.push(qualifier.to_vec());
            Ok((qualifier == b"known").then_some(7))
        };
        stamp(&mut mutations, 100, newest).unwrap();
        assert_eq!(asked, [&b"known"[..], b"unknown"]);
        let stamps: Vec<_> = mutations.rows().flat_map(|row| row.cells()).map(|cell| cell.ts).collect();
        assert_eq!(stamps, [100, 7, 100, 100, 3]);
    }

    #[test]
    fn rows_out_of_order_leave_the_ascent_where_it_was() {
        let mut ascent = KeyOrder::default();
        ascent.check(&batch(&["a", "c"])).unwrap();
        for rows in [["c", "d"], ["b", "d"], ["f", "e"]] {
            assert!(matches!(ascent.check(&batch(&rows)), Err(StoreError::NotAscending { .. })));
        }
        ascent.check(&batch(&["d"])).unwrap();
    }
}
