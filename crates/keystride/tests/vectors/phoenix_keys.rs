use keystride::{Row, value};
use serde_json::Value;

use crate::fields::is_refused;
use crate::phoenix_column::Column;
use crate::phoenix_table::Table;
use crate::recipe::Refused;
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn whole_keys_are_those_of_phoenix() {
    check_file("phoenix-keys.json", |vector| {
        let values = values(vector);
        match (Table::read(vector, ""), is_refused(vector)) {
            (Err(unsaid), is_refused) => unsaid.outcome(is_refused),
            (Ok(table), true) => refused(&table, &values),
            (Ok(table), false) => key(&table, &values, &hex(vector, "row")),
        }
    });
}

/// Values as text; none where the table itself is refused.
fn values(vector: &Value) -> Vec<Option<&str>> {
    vector["values"].as_array().into_iter().flatten().map(Value::as_str).collect()
}

fn key(table: &Table<'_>, values: &[Option<&str>], theirs: &[u8]) -> Outcome {
    match table.key(values) {
        Ok(ours) if ours == theirs => read_back(table, values, theirs),
        ours => {
            let refused =
                ours.as_ref().err().and_then(|refused| refused_value(&table.columns, values, refused));
            match refused.or_else(|| beyond_a_design(&table.columns, values)) {
                Some(reason) => Outcome::NotApplicable(reason),
                None => same(&ours, &Ok(theirs.to_vec())),
            }
        }
    }
}

/// A null reads back as the empty value that it is to Phoenix.
fn read_back(table: &Table<'_>, values: &[Option<&str>], key: &[u8]) -> Outcome {
    let mut row = table.row(values).expect("a row that has a key");
    for (field, (column, ..)) in table.fields().enumerate() {
        if row.get(field).is_none() {
            row.set(field, column.empty());
        }
    }
    let shown = |row: &Row| (0..row.len()).map(|field| format!("{:?}", row.get(field))).collect::<Vec<_>>();
    // As text, to which −0.0 and 0.0 differ.
    let read = table.recipe.decode(key).map(|row| shown(&row));
    same(&read, &Ok(shown(&row)))
}

/// What Phoenix refuses is no row of ours either, but for these.
fn refused(table: &Table<'_>, values: &[Option<&str>]) -> Outcome {
    let is_bound = |value: &&str| !["NaN", "Infinity", "-Infinity"].contains(value);
    Outcome::NotApplicable(match table.key(values) {
        Err(_) => return Outcome::Passed,
        Ok(_) if values.iter().all(|value| value.unwrap_or_default().is_empty()) => {
            "a key of nulls alone, which Phoenix refuses"
        }
        Ok(_) if !values.iter().flatten().all(is_bound) => {
            "a NaN or an infinity, which a statement of Phoenix does not take"
        }
        Ok(_) => "a row that Phoenix refuses for a reason of its own",
    })
}

/// Values that Phoenix writes and a design refuses, as they would not be read back.
fn refused_value(columns: &[Column<'_>], values: &[Option<&str>], refused: &Refused) -> Option<&'static str> {
    let any = |is_refused: fn(&Column<'_>, &str) -> bool| {
        let mut filled = columns.iter().zip(values).filter_map(|(column, value)| Some((column, (*value)?)));
        filled.any(|(column, value)| is_refused(column, value))
    };
    let is_zero = |column: &Column<'_>, text: &str| column.kind.starts_with("UNSIGNED") && text == "-0.0";
    match refused {
        Refused::Bytes(_) if any(|column, text| column.kind == "CHAR" && text.ends_with(' ')) => {
            Some("CHAR loses a trailing blank, so the value is refused")
        }
        Refused::Bytes(_) if any(is_zero) => {
            Some("-0.0 would sort behind all unsigned floats, so it is refused")
        }
        Refused::Value(_) if any(|column, hex| column.kind == "BINARY" && hex.len() < 8) => {
            Some("BINARY: a design pads no bytes")
        }
        Refused::Key(_) if any(|column, text| column.is_text() && text.contains('\0')) => {
            Some("a VARCHAR that holds its own end is refused")
        }
        _ => None,
    }
}

/// The two rules for nulls that no part of a design has.
fn beyond_a_design(columns: &[Column<'_>], values: &[Option<&str>]) -> Option<&'static str> {
    let is_null = |index: &usize| values[*index].unwrap_or_default().is_empty();
    if (0..columns.len()).filter(is_null).any(|index| columns[index].descending) {
        return Some("a descending null: Phoenix ends it as an ascending one");
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
