//! Converts rows of a table to values of the output.

use keystride::design::{Field, TimeStyle};
use keystride::{Design, Value};
use serde_json::Value as Json;

use crate::global::Global;
use crate::output::Rows;

/// Returns the fields to show, with their names: those asked for, or all that are not derived.
pub(super) fn field_columns(design: &Design, fields: Option<&[usize]>) -> Vec<(usize, String)> {
    let all = || design.source_fields().map(|(index, _)| index).collect();
    let shown: Vec<usize> = fields.map_or_else(all, <[usize]>::to_vec);
    shown.into_iter().map(|field| (field, design.fields()[field].name.clone())).collect()
}

/// Returns rows of these columns, which as CSV can be loaded again.
pub(super) fn rows_of(global: &Global, design: &Design, fields: &[(usize, String)]) -> Rows {
    let nulls = &design.input().null;
    let null = if nulls.iter().any(String::is_empty) { None } else { nulls.first() };
    let rows = Rows::new(global, fields.iter().map(|(_, name)| name.clone()));
    rows.with_null(null.cloned().unwrap_or_default())
}

/// Converts a row: texts as they are, numbers to JSON numbers where possible, times to the text or number of `times`,
/// bytes to the form of the field's input.
pub(super) fn row_values<'a>(
    design: &Design,
    fields: &[(usize, String)],
    times: &TimeStyle,
    value: impl Fn(usize) -> Option<Value<'a>>,
) -> Vec<Json> {
    fields
        .iter()
        .map(|(field, _)| {
            value(*field).map_or(Json::Null, |value| to_json(&design.fields()[*field], times, value))
        })
        .collect()
}

fn to_json(field: &Field, times: &TimeStyle, value: Value<'_>) -> Json {
    match value {
        Value::Bool(value) => value.into(),
        Value::Int(number) if field.time().is_none() || *times == TimeStyle::Epoch => {
            let large = || u64::try_from(number).map_or_else(|_| number.to_string().into(), Json::from);
            i64::try_from(number).map_or_else(|_| large(), Json::from)
        }
        Value::F32(_) | Value::F64(_) => field.text_of(value).map_or(Json::Null, float_json),
        value => times.text_of(field, value).into(),
    }
}

/// Returns the number with the digits of its text, which are no more than its type needs; JSON has no number for a
/// value that is not finite.
fn float_json(text: String) -> Json {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => number.into(),
        _ => text.into(),
    }
}
