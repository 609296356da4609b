//! The common part of increments and appends: each column's new value is its old value combined with a delta.

use std::collections::BTreeMap;

use keystride::Key;

use super::{Amount, Appended};
use crate::cell::Cell;
use crate::intake::family_places;
use crate::{
    CellKind, Columns, FamilyColumns, LATEST, MutationBatch, Selection, StoreError, TableDescription,
};

/// The deltas of one row.
#[derive(Debug)]
pub(crate) struct Deltas {
    row: Key,
    rule: Rule,
    /// One row of puts without a timestamp, in column order, each column once. The values are the deltas; numbers are
    /// 8 big-endian bytes. HBase's RPC uses the same form.
    batch: MutationBatch,
}

/// How a delta is combined with the old value.
#[derive(Debug, Clone, Copy)]
enum Rule {
    Sum,
    Append,
}

impl Deltas {
    /// The deltas of an increment.
    pub(crate) fn of_amounts(row: &Key, amounts: &[Amount<'_>]) -> Result<Self, StoreError> {
        let bytes: Vec<[u8; 8]> = amounts.iter().map(|amount| amount.amount.to_be_bytes()).collect();
        let deltas = amounts.iter().zip(&bytes);
        let deltas = deltas.map(|(amount, bytes)| delta(amount.family, amount.qualifier, bytes));
        Self::new(row, Rule::Sum, deltas.collect())
    }

    /// The deltas of an append.
    pub(crate) fn of_values(row: &Key, values: &[Appended<'_>]) -> Result<Self, StoreError> {
        let deltas = values.iter().map(|value| delta(value.family, value.qualifier, value.value));
        Self::new(row, Rule::Append, deltas.collect())
    }

    fn new(row: &Key, rule: Rule, mut deltas: Vec<Cell<'_>>) -> Result<Self, StoreError> {
        deltas.sort_by(Cell::cmp_in_row);
        if deltas.is_empty() {
            return Err(StoreError::EmptyChange { row: row.clone() });
        }
        if let Some(pair) = deltas.windows(2).find(|pair| column(&pair[0]) == column(&pair[1])) {
            return Err(StoreError::ColumnTwice { row: row.clone(), column: pair[0].column_name() });
        }
        let mut batch = MutationBatch::new();
        deltas.iter().try_for_each(|delta| batch.push(row.as_bytes(), delta))?;
        Ok(Self { row: row.clone(), rule, batch })
    }

    /// Returns the deltas as one row of puts without a timestamp.
    pub(crate) fn batch(&self) -> &MutationBatch {
        &self.batch
    }

    pub(crate) fn row(&self) -> &[u8] {
        self.row.as_bytes()
    }

    /// Returns the selection to read: the newest versions of (at least) the row's affected columns.
    pub(crate) fn selection(&self, table: &TableDescription) -> Result<Selection, StoreError> {
        let places = family_places(&self.batch.flat, table)?;
        let families =
            places.into_iter().map(|place| (table.families[place].name.clone(), FamilyColumns::All));
        Ok(Selection { columns: Columns::Of(families.collect::<BTreeMap<_, _>>()), ..Selection::default() })
    }

    /// Computes the new values, as puts. `stored` is what [`Self::selection`] shows of the row.
    pub(crate) fn add_to(&self, stored: &[Cell<'_>], now_ms: i64) -> Result<MutationBatch, StoreError> {
        let mut batch = MutationBatch::new();
        for delta in self.batch.rows().flat_map(|row| row.cells()) {
            let old = stored.binary_search_by(|cell| column(cell).cmp(&column(&delta)));
            let old = old.ok().map(|place| &stored[place]);
            let value = match (self.rule, old) {
                (_, None) => delta.value.to_vec(),
                (Rule::Sum, Some(old)) => self.sum(old, &delta)?.to_be_bytes().to_vec(),
                (Rule::Append, Some(old)) => [old.value, delta.value].concat(),
            };
            let ts = old.map_or(now_ms, |old| now_ms.max(just_after(old.ts)));
            batch.push(self.row(), &Cell { ts, value: &value, ..delta })?;
        }
        Ok(batch)
    }

    fn sum(&self, old: &Cell<'_>, delta: &Cell<'_>) -> Result<i64, StoreError> {
        let number = |cell: &Cell<'_>| {
            let bytes = cell.value.try_into().map_err(|_| StoreError::NotANumber {
                row: self.row.clone(),
                column: Some(cell.column_name()),
                len: cell.value.len(),
            })?;
            Ok::<_, StoreError>(i64::from_be_bytes(bytes))
        };
        Ok(number(old)?.wrapping_add(number(delta)?))
    }
}

fn delta<'a>(family: &'a [u8], qualifier: &'a [u8], value: &'a [u8]) -> Cell<'a> {
    Cell { family, qualifier, ts: LATEST, kind: CellKind::Put, value }
}

fn column<'a>(cell: &Cell<'a>) -> (&'a [u8], &'a [u8]) {
    (cell.family, cell.qualifier)
}

/// Returns the lowest timestamp that a new value may have. As in HBase, this keeps all versions of a counter
/// distinct, even those of one millisecond.
fn just_after(ts: i64) -> i64 {
    ts.saturating_add(1).min(LATEST - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Key {
        Key::new(*b"r").unwrap()
    }

    fn amount(qualifier: &'static [u8], amount: i64) -> Amount<'static> {
        Amount { family: b"f", qualifier, amount }
    }

    fn stored<'a>(qualifier: &'a [u8], ts: i64, value: &'a [u8]) -> Cell<'a> {
        Cell { ts, ..delta(b"f", qualifier, value) }
    }

    #[test]
    fn a_new_value_is_newer_than_the_old_one() {
        let deltas =
            Deltas::of_amounts(&row(), &[amount(b"a", 1), amount(b"b", 1), amount(b"c", 1)]).unwrap();
        let old = [stored(b"a", 99, &[0; 8]), stored(b"b", 100, &[0; 8]), stored(b"c", LATEST - 1, &[0; 8])];
        let new = deltas.add_to(&old, 100).unwrap();
        let times: Vec<_> = new.rows().flat_map(|row| row.cells()).map(|cell| cell.ts).collect();
        assert_eq!(times, [100, 101, LATEST - 1]);
    }

    #[test]
    fn new_values_come_in_the_order_of_columns() {
        let deltas = Deltas::of_amounts(&row(), &[amount(b"b", 2), amount(b"a", i64::MAX)]).unwrap();
        let new = deltas.add_to(&[stored(b"a", 1, &1_i64.to_be_bytes())], 5).unwrap();
        let cells: Vec<_> =
            new.rows().flat_map(|row| row.cells()).map(|cell| (cell.qualifier, cell.value)).collect();
        let (low, two) = (i64::MIN.to_be_bytes(), 2_i64.to_be_bytes());
        assert_eq!(cells, [(&b"a"[..], &low[..]), (b"b", &two)]);
    }

    #[test]
    fn what_changes_nothing_or_a_column_twice_is_refused() {
        let refused = |amounts: &[Amount<'_>]| Deltas::of_amounts(&row(), amounts).unwrap_err().to_string();
        assert!(refused(&[]).starts_with("row r is to be changed, but no column of it"));
        assert!(refused(&[amount(b"a", 1), amount(b"b", 1), amount(b"a", 1)]).contains("column f:a twice"));
    }

    #[test]
    fn a_value_that_is_no_number_is_told_with_its_place() {
        let deltas = Deltas::of_amounts(&row(), &[amount(b"a", 1)]).unwrap();
        let refused = deltas.add_to(&[stored(b"a", 1, b"many")], 5).unwrap_err();
        assert!(refused.to_string().contains("row r, column f:a: a value of 4 bytes"), "{refused}");
    }
}
