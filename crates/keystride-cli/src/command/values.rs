//! Rows of a table as values of the output.

use keystride::{Design, Row, Value};
use serde_json::Value as Json;

/// The fields shown, with their names: those asked for, or all that are not derived.
pub(super) fn field_columns(design: &Design, fields: Option<&[usize]>) -> Vec<(usize, String)> {
    let all =
        || design.fields.iter().enumerate().filter(|(_, field)| field.from.is_none()).map(|(index, _)| index);
    let shown: Vec<usize> = fields.map_or_else(|| all().collect(), <[usize]>::to_vec);
    shown.into_iter().map(|field| (field, design.fields[field].name.clone())).collect()
}

/// Texts as they are, numbers as numbers where JSON can hold them, times in the design's own text.
pub(super) fn row_values<'a>(
    design: &Design,
    fields: &[(usize, String)],
    value: impl Fn(usize) -> Option<Value<'a>>,
) -> Vec<Json> {
    fields
        .iter()
        .map(|(field, _)| value(*field).map_or(Json::Null, |value| to_json(design, *field, value)))
        .collect()
}

fn to_json(design: &Design, field: usize, value: Value<'_>) -> Json {
    match value {
        Value::Bool(value) => value.into(),
        Value::Int(number) if design.fields[field].time().is_none() => {
            i64::try_from(number).map_or_else(|_| number.to_string().into(), Json::from)
        }
        Value::F32(number) => f64::from(number).into(),
        Value::F64(number) => number.into(),
        value => {
            let mut row = Row::new(design.fields.len());
            row.set(field, value);
            design.value_text(&row, field).map_or(Json::Null, Json::from)
        }
    }
}
