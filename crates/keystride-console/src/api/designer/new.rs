use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride::time::Zone;
use keystride_advisor::sample::{Column, NewDesign, Sample, SampleKey};
use keystride_app::shell_word::quoted;
use keystride_table::input::{Format, source_name};
use serde::{Deserialize, Serialize};

use super::{SamplePlace, SampleRequest};
use crate::api::ApiError;
use crate::api::loads::blocking;
use crate::samples::ReadSample;
use crate::served::Shared;

/// A design that is to be made from a sample.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct NewRequest {
    sample: SampleRequest,
    /// The zone of its times; without one, UTC.
    tz: Option<String>,
    /// The zone of whoever asks. Without `tz`, it is that of times, if some have no offset.
    local_tz: Option<String>,
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
    let named = request.tz.as_deref().filter(|name| !name.is_empty()).map(Zone::parse).transpose()?;
    if let Some(found) = request.buckets.filter(|count| !(2..=65_536).contains(count)) {
        return Err(ApiError::bad_input(format!("{found} buckets: 2 to 65536 are possible")));
    }
    let read = place.read()?;
    let sample = &read.rows.sample;
    let key = key_of(sample);
    let zone = named.or_else(|| local_zone(sample, request));
    let options = place.options;
    let marks = [("quote", options.quote), ("escape", options.escape)];
    let mut marks: Vec<_> =
        marks.into_iter().filter_map(|(word, mark)| Some((word, mark?.to_string()))).collect();
    // Of JSON and Parquet, the design has no encoding to say.
    let is_csv = options.format_of(&place.file.name()) == Format::Csv;
    let encoding = options.encoding.or(read.found_encoding).filter(|_| is_csv);
    marks.extend(encoding.map(|charset| ("encoding", charset.name().to_owned())));
    let table = table_name(&source_name(&place.file.path));
    let design = sample.design(&NewDesign {
        table: &table,
        key: &key,
        buckets: request.buckets,
        zone: zone.as_ref().map(Zone::name),
        marks: &marks,
    });
    Ok(Made { design, command: command(&read, place, request, zone.as_ref(), &key, &table) })
}

/// Returns the zone of whoever asks, if a time of the sample needs one. A browser may name a zone that is not known here.
fn local_zone(sample: &Sample, request: &NewRequest) -> Option<Zone> {
    let zone = Zone::parse(request.local_tz.as_deref()?).ok()?;
    (zone.name() != "UTC" && sample.columns.iter().any(Column::has_local_times)).then_some(zone)
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

fn command(
    read: &ReadSample,
    place: &SamplePlace,
    request: &NewRequest,
    zone: Option<&Zone>,
    key: &SampleKey<'_>,
    table: &str,
) -> String {
    let words: Vec<String> = key
        .columns
        .iter()
        .map(|(column, desc)| format!("{}{}", column.name, if *desc { " desc" } else { "" }))
        .collect();
    let named = [
        ("--key", Some(words.join(", "))),
        ("--table", Some(table.to_owned())),
        ("--tz", zone.map(|zone| zone.name().to_owned())),
    ];
    let mut command =
        format!("keystride design new {}{}", quoted(&place.file.name()), request.sample.input.flags());
    for (name, value) in named.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        command.push_str(&format!(" {name} {}", quoted(&value)));
    }
    if let Some(charset) = read.found_encoding {
        command.push_str(&format!(" --encoding {}", charset.name()));
    }
    if let Some(buckets) = request.buckets {
        command.push_str(&format!(" --buckets {buckets}"));
    }
    command + " -o design.toml"
}

#[cfg(test)]
mod tests {
    use keystride::Design;
    use keystride::design::Charset;

    use super::super::tests::{calls, sample};
    use super::*;
    use crate::files::{FileName, Place};

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
    fn times_without_an_offset_are_of_the_zone_of_whoever_asks() {
        let made = |rows: &str, tz: Option<&str>, local_tz: &str| {
            let (_folder, place) = sample("a.csv", rows);
            let request = NewRequest { local_tz: Some(local_tz.to_owned()), ..request(tz, None) };
            make(&place, &request).unwrap()
        };
        let local = "at,n\n2024-03-01 08:00:47,1\n2024-03-01 08:00:48,1\n";
        let here = made(local, None, "Asia/Shanghai");
        assert!(here.design.contains("zone = \"Asia/Shanghai\""), "{}", here.design);
        assert!(here.command.contains(" --tz 'Asia/Shanghai' "), "{}", here.command);
        assert!(made(local, Some("Asia/Tokyo"), "Asia/Shanghai").design.contains("zone = \"Asia/Tokyo\""));
        assert!(!made(local, None, "Moon/Tycho").design.contains("zone"), "it is not known here");
        let instants = local.replace(",1\n", "Z,1\n");
        assert!(!made(&instants, None, "Asia/Shanghai").design.contains("zone"));
    }

    #[test]
    fn a_design_of_a_sample_in_gbk_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.csv");
        std::fs::write(&path, b"\xb5\xe7\xbb\xb0,n\n13800138000,\xc0\xee\n").unwrap();
        let (_other, place) = sample("calls.csv", "");
        let place = SamplePlace { file: Place::new(path, FileName::Path("calls.csv".to_owned())), ..place };
        let made = make(&place, &request(None, None)).unwrap();
        assert!(made.design.contains("\n[input]\nencoding = \"gb18030\"\n"), "{}", made.design);
        assert!(made.command.contains(" --encoding gb18030 "), "{}", made.command);
        assert_eq!(Design::from_toml(&made.design).unwrap().input().encoding, Some(Charset::Gb18030));
    }

    #[test]
    fn a_table_can_have_the_name() {
        let names = ["calls", "通话 2020", "..", "a b/c"].map(table_name);
        assert_eq!(names, ["calls", "2020", "rows", "a_b_c"]);
    }
}
