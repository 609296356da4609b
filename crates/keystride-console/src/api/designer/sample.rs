use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride_advisor::sample::{Column, ColumnProfile};
use keystride_table::input::source_name;
use serde::Serialize;

use super::{SamplePlace, SampleRequest};
use crate::api::ApiError;
use crate::api::loads::blocking;
use crate::served::Shared;

/// What is known of a sample.
#[derive(Serialize)]
pub(in crate::api) struct Sampled {
    name: String,
    format: String,
    /// The number of rows that were looked at, and of those that designs are tried on.
    rows: usize,
    rows_tried: usize,
    rejected: usize,
    first_reject: Option<String>,
    /// The character set that was found to fit, if it is not UTF-8 and none was named.
    found_encoding: Option<&'static str>,
    columns: Vec<SampledColumn>,
    /// A name for a table of such rows.
    table: String,
    /// The fields of the key that is a guess, with whether it tells the rows apart.
    key: Vec<String>,
    key_tells_apart: bool,
}

#[derive(Serialize)]
struct SampledColumn {
    /// The name of its field.
    name: String,
    /// Its own name.
    header: String,
    #[serde(rename = "type")]
    type_name: &'static str,
    /// The pattern or unit of a time.
    time: Option<&'static str>,
    /// Whether it is a time without an offset, so that its instants depend on a zone.
    has_local_times: bool,
    #[serde(flatten)]
    profile: ColumnProfile,
}

/// Reads the first rows of a file, and says what is in its columns.
pub(in crate::api) async fn sample(
    State(served): State<Shared>,
    body: Result<Json<SampleRequest>, JsonRejection>,
) -> Result<Json<Sampled>, ApiError> {
    let Json(request) = body?;
    let place = request.place(&served)?;
    blocking(move || describe(&place)).await.map(Json)
}

fn describe(place: &SamplePlace) -> Result<Sampled, ApiError> {
    let read = place.read()?;
    let (rows, name) = (&read.rows, place.file.name());
    let key = rows.sample.guessed_key();
    Ok(Sampled {
        format: place.options.format_of(&name).to_string(),
        rows: rows.sample.row_count,
        rows_tried: rows.rows.count(),
        rejected: rows.rejected_count,
        first_reject: rows.first_reject.as_ref().map(|reject| place.file.named_in(&reject.to_string())),
        found_encoding: read.found_encoding.map(keystride::design::Charset::name),
        columns: rows.sample.columns.iter().map(SampledColumn::new).collect(),
        table: super::new::table_name(&source_name(&place.file.path)),
        key: key.columns.iter().map(|(column, _)| column.name.clone()).collect(),
        key_tells_apart: rows.sample.is_told_apart_by(&key),
        name,
    })
}

impl SampledColumn {
    fn new(column: &Column) -> Self {
        Self {
            name: column.name.clone(),
            header: column.header.clone(),
            type_name: column.kind.type_name(),
            time: column.kind.time_form(),
            has_local_times: column.has_local_times(),
            profile: column.profile(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{calls, sample};
    use super::*;

    #[test]
    fn a_sample_is_told_by_its_columns() {
        let (_folder, place) = calls();
        let found = serde_json::to_value(describe(&place).unwrap()).unwrap();
        assert_eq!((&found["rows"], &found["rows_tried"]), (&1000.into(), &1000.into()));
        let types: Vec<_> =
            found["columns"].as_array().unwrap().iter().map(|column| &column["type"]).collect();
        assert_eq!(types, ["digits", "time", "int"]);
        assert_eq!(
            (&found["columns"][0]["distinct"], &found["columns"][1]["trend"]),
            (&50.into(), &"rising".into())
        );
        assert_eq!(found["columns"][1]["time"], "s");
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        for (name, text) in [("a.csv", ""), ("a.json", "[1]"), ("a.parquet", "no")] {
            let (_folder, place) = sample(name, text);
            assert!(describe(&place).is_err(), "{name}");
        }
    }
}
