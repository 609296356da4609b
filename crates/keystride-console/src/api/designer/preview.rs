use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride::{Design, KeyCodec, SplitPoints};
use keystride_advisor::sample::Sample;
use keystride_app::designer::{Draft, EncodedRows, KeyLength, KeyPartsDocument, KeySpread, split_of};
use keystride_app::error_text::with_causes;
use keystride_app::findings::FindingDocument;
use keystride_table::input::{InputError, UnknownColumn};
use keystride_table::load::event_field;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{SamplePlace, SampleRequest, encoded};
use crate::api::designs::DesignDocument;
use crate::api::loads::blocking;
use crate::api::{ApiError, time_style};
use crate::served::Shared;

/// A text that is to be a design, and a sample on which it is tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct PreviewRequest {
    design: String,
    sample: Option<SampleRequest>,
    /// The first row whose key is shown, from 0, and how many are.
    #[serde(default)]
    from: usize,
    #[serde(default = "usual_count")]
    count: usize,
}

/// Keys take room: a page shows few of them.
const MOST_KEYS: usize = 50;

fn usual_count() -> usize {
    MOST_KEYS
}

/// What is known of a text that is to be a design.
#[derive(Serialize)]
pub(in crate::api) struct Previewed {
    /// What is wrong with it, if it is no design.
    mistakes: Vec<FindingDocument>,
    /// Its words as they are written, if it is TOML.
    words: Option<Value>,
    design: Option<DesignDocument>,
    /// The field whose times windows are of.
    time: Option<String>,
    length: Option<KeyLength>,
    tried: Option<Tried>,
    /// Why the sample does not suit the design.
    unfit: Option<String>,
    /// The columns of the sample that no field has, as fields that they can be.
    unnamed: Vec<NewField>,
    /// Why there are no split points.
    unsplit: Option<String>,
    /// Whether the points are in a file, or made of a sample that is not here.
    points_unknown: bool,
    spread: Option<KeySpread>,
}

/// The rows of a sample with their keys.
#[derive(Serialize)]
struct Tried {
    rows: usize,
    rejected: usize,
    /// The commonest reasons for which rows have no key, with how many rows each rejects.
    rejects: Vec<(String, usize)>,
    /// How many rows have a key that another row has, too.
    doubled: usize,
    from: usize,
    keys: Vec<KeyPartsDocument>,
}

const MOST_REASONS: usize = 3;

pub(in crate::api) async fn preview(
    State(served): State<Shared>,
    body: Result<Json<PreviewRequest>, JsonRejection>,
) -> Result<Json<Previewed>, ApiError> {
    let Json(request) = body?;
    let sample = request.sample.as_ref().map(|sample| sample.place(&served)).transpose()?;
    blocking(move || show(&request, sample.as_ref())).await.map(Json)
}

fn show(request: &PreviewRequest, sample: Option<&SamplePlace>) -> Result<Previewed, ApiError> {
    let draft = Draft::read(&request.design);
    let (rows, unfit) = encoded(&draft, sample)?;
    let design = draft.codec.as_ref().map(KeyCodec::design);
    let split = design.and_then(|design| split_of(design, rows.as_ref()));
    let (points, unsplit) = match &split {
        Some(Ok(points)) => (points.clone(), None),
        Some(Err(error)) => (SplitPoints::default(), Some(with_causes(error))),
        None => (SplitPoints::default(), None),
    };
    Ok(Previewed {
        words: draft.words(),
        design: draft.codec.as_ref().map(DesignDocument::new),
        time: design.and_then(|design| Some(design.fields()[event_field(design)?].name.clone())),
        length: design.and_then(|design| KeyLength::of(design, rows.as_ref())),
        spread: rows.as_ref().map(|rows| KeySpread::of(&points, rows)),
        tried: rows.as_ref().map(|rows| Tried::new(&draft, rows, request)),
        points_unknown: draft.codec.is_some() && split.is_none(),
        mistakes: draft.mistakes,
        unnamed: match (&unfit, design, sample) {
            (Some(InputError::UnknownColumns { columns, .. }), Some(design), Some(sample)) => {
                new_fields(columns, design, &sample.read()?.rows.sample)
            }
            _ => Vec::new(),
        },
        unfit: unfit.map(|error| with_causes(&error)),
        unsplit,
    })
}

/// A field that a design may have, too.
#[derive(Serialize)]
struct NewField {
    field: String,
    /// Its declaration in TOML.
    declaration: String,
}

/// Returns fields for columns of a sample, under names that the design has not. Local times are of the zone that the
/// design has already.
fn new_fields(columns: &[UnknownColumn], design: &Design, sample: &Sample) -> Vec<NewField> {
    let zone = design
        .fields()
        .iter()
        .find_map(|field| Some(field.time()?.zone.name()))
        .filter(|name| *name != "UTC");
    let mut taken: Vec<String> = design.fields().iter().map(|field| field.name.clone()).collect();
    let unknown = sample.columns.iter().filter(|column| columns.iter().any(|one| one.name == column.header));
    unknown
        .map(|column| {
            let (field, declaration) = column.as_field(&taken, zone.filter(|_| column.has_local_times()));
            taken.push(field.clone());
            NewField { field, declaration }
        })
        .collect()
}

impl Tried {
    fn new(draft: &Draft, rows: &EncodedRows, request: &PreviewRequest) -> Self {
        let (rejects, style) = (rows.rejects(), time_style());
        let shown = rows.rows.iter().skip(request.from).take(request.count.min(MOST_KEYS));
        let keys = |codec| shown.map(|row| KeyPartsDocument::new(codec, row, &style)).collect();
        Self {
            rows: rows.rows.len(),
            rejected: rejects.iter().map(|(_, count)| count).sum(),
            doubled: rows.doubled_count(),
            from: request.from,
            keys: draft.codec.as_ref().map(keys).unwrap_or_default(),
            rejects: rejects.into_iter().take(MOST_REASONS).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{calls, sample};
    use super::*;

    const DESIGN: &str = "format = 1\n[table]\nname = \"calls\"\nfamilies = [\"f\"]\n[fields]\n\
                          phone = { type = \"digits\", len = 11 }\nts = { type = \"time\", unit = \"s\" }\n\
                          id = { type = \"int\", min = 0 }\n[key]\nparts = [{ bucket = 4, of = [\"phone\"] }, \
                          { field = \"phone\" }, { field = \"ts\" }]\n[split]\nby = \"bucket\"\n";

    fn previewed(design: &str, place: Option<&SamplePlace>) -> Value {
        let request = PreviewRequest { design: design.to_owned(), sample: None, from: 998, count: 5 };
        serde_json::to_value(show(&request, place).unwrap()).unwrap()
    }

    #[test]
    fn keys_come_part_by_part_and_are_counted_by_region() {
        let (_folder, place) = calls();
        let found = previewed(DESIGN, Some(&place));
        let keys = found["tried"]["keys"].as_array().unwrap();
        assert_eq!(keys.len(), 2, "the last two rows");
        assert_eq!(keys[1]["parts"][1], serde_json::json!({ "from": 1, "to": 12, "value": "13800138049" }));
        assert_eq!(keys[1]["text"].as_str().unwrap().len(), 22);
        assert_eq!(found["spread"]["counts"].as_array().unwrap().len(), 4);
        assert_eq!((&found["spread"]["whole"]["row_count"], &found["time"]), (&1000.into(), &"ts".into()));
    }

    #[test]
    fn a_text_that_is_no_design_has_its_mistakes_and_its_words() {
        let (_folder, place) = calls();
        let found = previewed(&DESIGN.replace("\"digits\"", "\"digit\""), Some(&place));
        assert_eq!((&found["design"], &found["tried"]), (&Value::Null, &Value::Null));
        assert_eq!(found["mistakes"][0]["line"], 6);
        assert_eq!(found["words"]["fields"]["phone"]["type"], "digit");
        assert_eq!(previewed("no toml [", Some(&place))["words"], Value::Null);
    }

    #[test]
    fn rows_that_a_load_would_reject_are_counted_with_their_reason() {
        let (_folder, place) = calls();
        let found = previewed(&DESIGN.replace("len = 11", "len = 10"), Some(&place));
        assert_eq!(found["tried"]["rejected"], 1000);
        assert_eq!(found["spread"]["whole"], Value::Null);
        let unfit = previewed(&DESIGN.replace("id = { type = \"int\", min = 0 }\n", ""), Some(&place));
        assert!(unfit["unfit"].as_str().unwrap().contains("id"), "{unfit}");
        assert_eq!(
            unfit["unnamed"],
            serde_json::json!([{ "field": "id", "declaration": "{ type = \"int\" }" }])
        );
    }

    #[test]
    fn a_column_becomes_a_field_of_a_name_that_is_not_taken() {
        let (_folder, place) = sample("calls.csv", "phone,ts,id,the area\n13800138000,1586131200,1,138\n");
        let derived = DESIGN.replace("id = {", "the_area = { from = \"left(phone,3)\" }\nid = {");
        let declaration = "{ type = \"int\", column = \"the area\" }";
        assert_eq!(
            previewed(&derived, Some(&place))["unnamed"],
            serde_json::json!([{ "field": "the_area_2", "declaration": declaration }])
        );
    }

    #[test]
    fn rows_that_share_a_key_are_counted() {
        let (_folder, place) = calls();
        let doubled = |design: &str| previewed(design, Some(&place))["tried"]["doubled"].clone();
        assert_eq!(doubled(DESIGN), 0);
        assert_eq!(doubled(&DESIGN.replace(", { field = \"ts\" }", "")), 1000, "50 phones");
    }

    #[test]
    fn points_of_a_sample_are_made_of_the_open_one() {
        let (_folder, place) = calls();
        let by_sample =
            DESIGN.replace("by = \"bucket\"", "by = \"sample\"\nregions = 5\npath = \"calls.csv\"");
        assert_eq!(previewed(&by_sample, Some(&place))["spread"]["region_count"], 5);
        assert_eq!(previewed(&by_sample, None)["points_unknown"], true);
    }
}
