use keystride::codec::KeyFault;
use keystride::{Row, value};
use serde_json::Value;

use crate::phoenix_table::{Column, Table, Unsaid};
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn whole_keys_are_those_of_phoenix() {
    check_file("phoenix-keys.json", |vector| {
        let values = values(vector);
        match (Table::read(vector, ""), vector["error"].is_object()) {
            (Err(Unsaid::Type(reason)), _) => Outcome::NotApplicable(reason),
            (Err(Unsaid::Refused(_)), true) => Outcome::Passed,
            (Err(Unsaid::Refused(error)), false) => Outcome::Failed(error.to_string()),
            (Ok(table), true) => refused(&table, &values),
            (Ok(table), false) => match beyond_a_design(&table.columns, &values) {
                Some(reason) => Outcome::NotApplicable(reason),
                None => key(&table, &values, vector),
            },
        }
    });
}

/// Values as text; none where the table itself is refused.
fn values(vector: &Value) -> Vec<Option<&str>> {
    vector["values"].as_array().into_iter().flatten().map(Value::as_str).collect()
}

fn key(table: &Table<'_>, values: &[Option<&str>], vector: &Value) -> Outcome {
    let theirs = hex(vector, "row");
    match table.key(values) {
        Ok(ours) if ours == theirs => read_back(table, values, &theirs),
        Ok(ours) => same(&ours, &theirs),
        Err(refused) => match refused.fault() {
            Some(KeyFault::Terminator { .. }) => {
                Outcome::NotApplicable("a descending VARBINARY that holds its own end")
            }
            _ if holds_its_end(&table.columns, values) => {
                Outcome::NotApplicable("a VARCHAR that holds its own end is refused")
            }
            _ => Outcome::Failed(format!("{refused:?}")),
        },
    }
}

fn holds_its_end(columns: &[Column<'_>], values: &[Option<&str>]) -> bool {
    columns
        .iter()
        .zip(values)
        .any(|(column, value)| column.is_text() && value.is_some_and(|text| text.contains('\0')))
}

/// A null reads back as the empty value that it is to Phoenix.
fn read_back(table: &Table<'_>, values: &[Option<&str>], key: &[u8]) -> Outcome {
    let mut row = table.row(values).expect("a row that has a key");
    for (field, column) in table.columns.iter().enumerate() {
        if row.get(field).is_none() {
            row.set(field, column.empty());
        }
    }
    let shown = |row: &Row| (0..row.len()).map(|field| format!("{:?}", row.get(field))).collect::<Vec<_>>();
    // As text, to which −0.0 and 0.0 differ.
    let read = table.recipe.decode(key).map(|row| shown(&row));
    same(&read, &Ok(shown(&row)))
}

/// What Phoenix refuses is no row of ours either, but for a key of nulls alone.
fn refused(table: &Table<'_>, values: &[Option<&str>]) -> Outcome {
    match table.key(values) {
        Err(_) => Outcome::Passed,
        Ok(_) if values.iter().all(|value| value.unwrap_or_default().is_empty()) => {
            Outcome::NotApplicable("a key of nulls alone, which Phoenix refuses")
        }
        Ok(_) => Outcome::NotApplicable("a row that Phoenix refuses for a reason of its own"),
    }
}

/// The two rules for nulls that no part of a design has, and padding.
fn beyond_a_design(columns: &[Column<'_>], values: &[Option<&str>]) -> Option<&'static str> {
    let is_null = |index: &usize| values[*index].unwrap_or_default().is_empty();
    if (0..columns.len()).filter(is_null).any(|index| columns[index].descending) {
        return Some("a descending null: Phoenix ends it as an ascending one");
    }
    let is_short =
        |index: usize| columns[index].kind == "BINARY" && values[index].is_some_and(|hex| hex.len() < 8);
    if (0..columns.len()).any(is_short) {
        return Some("BINARY: a design pads no bytes");
    }
    let dropped = (0..columns.len()).rev().take_while(is_null).count();
    let kept = columns.len() - dropped;
    // A last null has no bytes, but the separator before it is dropped as well.
    let ends_with_separator = dropped > 1 || (dropped == 1 && kept > 0 && columns[kept - 1].is_variable());
    ends_with_separator.then_some("trailing nulls: Phoenix drops their separators")
}

impl Column<'_> {
    fn empty(&self) -> value::Value<'static> {
        if self.is_text() { value::Value::Text("") } else { value::Value::Bytes(b"") }
    }
}
