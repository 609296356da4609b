use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride::time::Zone;
use keystride_advisor::sample::{NewDesign, Sample, SampleKey};
use keystride_app::shell_word::quoted;
use keystride_table::input::source_name;
use serde::{Deserialize, Serialize};

use super::{SamplePlace, SampleRequest};
use crate::api::ApiError;
use crate::api::loads::blocking;
use crate::served::Shared;

/// A design that is to be made from a sample.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct NewRequest {
    sample: SampleRequest,
    /// The zone of its times; without one, UTC.
    tz: Option<String>,
    /// How many buckets stand before the key.
    buckets: Option<u32>,
}

#[derive(Serialize)]
pub(in crate::api) struct Made {
    /// The text of the design.
    design: String,
    /// The command that makes it.
    command: String,
}

/// Makes a design from a sample, as `keystride design new` does.
pub(in crate::api) async fn new(
    State(served): State<Shared>,
    body: Result<Json<NewRequest>, JsonRejection>,
) -> Result<Json<Made>, ApiError> {
    let Json(request) = body?;
    let place = request.sample.place(&served)?;
    blocking(move || make(&place, &request)).await.map(Json)
}

fn make(place: &SamplePlace, request: &NewRequest) -> Result<Made, ApiError> {
    let zone = request.tz.as_deref().filter(|name| !name.is_empty()).map(Zone::parse).transpose()?;
    if let Some(found) = request.buckets.filter(|count| !(2..=65_536).contains(count)) {
        return Err(ApiError::bad_input(format!("{found} buckets: 2 to 65536 are possible")));
    }
    let read = place.read()?;
    let sample = &read.rows.sample;
    let key = key_of(sample);
    let options = place.options;
    let marks = [("quote", options.quote), ("escape", options.escape)];
    let marks: Vec<_> =
        marks.into_iter().filter_map(|(word, mark)| Some((word, mark?.to_string()))).collect();
    let table = table_name(&source_name(&place.file.path));
    let design = sample.design(&NewDesign {
        table: &table,
        key: &key,
        buckets: request.buckets,
        zone: zone.as_ref().map(Zone::name),
        marks: &marks,
    });
    Ok(Made { design, command: command(place, request, &key, &table) })
}

/// Returns the guessed key or, where there is none to guess, the first column: a key has at least one part.
fn key_of(sample: &Sample) -> SampleKey<'_> {
    let mut key = sample.guessed_key();
    if key.columns.is_empty() {
        key.columns.extend(sample.columns.first().map(|column| (column, false)));
    }
    key
}

/// Returns a name that a table can have, as close to this one as that allows.
pub(super) fn table_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let plain = plain.trim_start_matches(['.', '-', '_']);
    if plain.is_empty() { "rows".to_owned() } else { plain.to_owned() }
}

fn command(place: &SamplePlace, request: &NewRequest, key: &SampleKey<'_>, table: &str) -> String {
    let words: Vec<String> = key
        .columns
        .iter()
        .map(|(column, desc)| format!("{}{}", column.name, if *desc { " desc" } else { "" }))
        .collect();
    let named = [
        ("--key", Some(words.join(", "))),
        ("--table", Some(table.to_owned())),
        ("--tz", request.tz.clone().filter(|name| !name.is_empty())),
    ];
    let mut command =
        format!("keystride design new {}{}", quoted(&place.file.name()), request.sample.input.flags());
    for (name, value) in named.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        command.push_str(&format!(" {name} {}", quoted(&value)));
    }
    if let Some(buckets) = request.buckets {
        command.push_str(&format!(" --buckets {buckets}"));
    }
    command + " -o design.toml"
}

#[cfg(test)]
mod tests {
    use keystride::Design;

    use super::super::tests::{calls, sample};
    use super::*;

    fn request(tz: Option<&str>, buckets: Option<u32>) -> NewRequest {
        let json =
            serde_json::json!({ "sample": { "file": { "upload": "1" } }, "tz": tz, "buckets": buckets });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_design_is_made_as_the_command_makes_it() {
        let (_folder, place) = calls();
        let made = make(&place, &request(Some("Asia/Shanghai"), Some(8))).unwrap();
        let design = Design::from_toml(&made.design).unwrap();
        assert_eq!(design.leading_bucket().unwrap().count.get(), 8);
        assert_eq!(
            made.command,
            "keystride design new 'calls.csv' --key 'phone, ts desc' --table 'calls' --tz 'Asia/Shanghai' --buckets 8 \
             -o design.toml"
        );
        assert!(make(&place, &request(Some("Asia/Nowhere"), None)).is_err());
        assert!(make(&place, &request(None, Some(1))).is_err());
    }

    #[test]
    fn a_sample_without_a_key_to_guess_gets_its_first_column_as_one() {
        let (_folder, place) = sample("a.csv", "a,b\n1,\n,2\n");
        let made = make(&place, &request(None, None)).unwrap();
        let parts = Design::from_toml(&made.design).unwrap().to_json(None)["key"]["parts"].clone();
        assert_eq!(parts[0]["field"], "a");
    }

    #[test]
    fn a_table_can_have_the_name() {
        let names = ["calls", "通话 2020", "..", "a b/c"].map(table_name);
        assert_eq!(names, ["calls", "2020", "rows", "a_b_c"]);
    }
}
