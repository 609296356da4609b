//! Rows of a table as JSON.

use keystride::design::{Field, TimeStyle};
use keystride::{Design, Value};
use serde_json::Value as Json;

/// Returns the fields to show, with their names: those asked for, or all that are not derived.
pub fn field_columns(design: &Design, fields: Option<&[usize]>) -> Vec<(usize, String)> {
    let all = || design.source_fields().map(|(index, _)| index).collect();
    let shown: Vec<usize> = fields.map_or_else(all, <[usize]>::to_vec);
    shown.into_iter().map(|field| (field, design.fields()[field].name.clone())).collect()
}

/// Converts a row: texts as they are, numbers to JSON numbers where possible, times to the text or number of `times`,
/// bytes to the form of the field's input.
pub fn row_values<'a>(
    design: &Design,
    fields: &[(usize, String)],
    times: &TimeStyle,
    value: impl Fn(usize) -> Option<Value<'a>>,
) -> Vec<Json> {
    let json = |field: &usize| {
        value(*field).map_or(Json::Null, |value| to_json(&design.fields()[*field], times, value))
    };
    fields.iter().map(|(field, _)| json(field)).collect()
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
