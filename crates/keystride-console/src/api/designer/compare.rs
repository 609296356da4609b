use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride_advisor::lint::{Finding, PlannedAccess, planned_accesses};
use keystride_app::designer::{Differences, Draft, EncodedRows, KeyLength, KeySpread, split_of};
use serde::{Deserialize, Serialize};

use super::findings::review;
use super::{SamplePlace, SampleRequest, encoded};
use crate::api::ApiError;
use crate::api::designs::DesignDocument;
use crate::api::loads::blocking;
use crate::api::splits::Tongue;
use crate::served::Shared;

/// Two designs, and a sample on which both are tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct CompareRequest {
    designs: [String; 2],
    sample: Option<SampleRequest>,
    #[serde(default)]
    language: Tongue,
}

#[derive(Serialize)]
pub(in crate::api) struct Compared {
    sides: [Option<Side>; 2],
    /// What the second says otherwise, if both are designs.
    differences: Option<Differences>,
}

/// What there is to say of one design beside another.
#[derive(Serialize)]
struct Side {
    design: DesignDocument,
    length: Option<KeyLength>,
    /// Rows of the sample that have no key.
    rejected: Option<usize>,
    /// Rows of the sample whose key another row has, too.
    doubled: Option<usize>,
    spread: Option<KeySpread>,
    findings: Vec<FoundLint>,
    accesses: Vec<PlannedAccess>,
}

#[derive(Serialize)]
struct FoundLint {
    id: &'static str,
    severity: &'static str,
    title: &'static str,
}

pub(in crate::api) async fn compare(
    State(served): State<Shared>,
    body: Result<Json<CompareRequest>, JsonRejection>,
) -> Result<Json<Compared>, ApiError> {
    let Json(request) = body?;
    let sample = request.sample.as_ref().map(|sample| sample.place(&served)).transpose()?;
    blocking(move || sides(&request, sample.as_ref())).await.map(Json)
}

fn sides(request: &CompareRequest, sample: Option<&SamplePlace>) -> Result<Compared, ApiError> {
    let drafts = [&request.designs[0], &request.designs[1]].map(|text| Draft::read(text));
    let [ours, theirs] = &drafts;
    let differences = match (&ours.codec, &theirs.codec) {
        (Some(ours), Some(theirs)) => Some(Differences::between(ours.design(), theirs.design())),
        _ => None,
    };
    let sides = [side(ours, request, sample)?, side(theirs, request, sample)?];
    Ok(Compared { sides, differences })
}

fn side(
    draft: &Draft,
    request: &CompareRequest,
    sample: Option<&SamplePlace>,
) -> Result<Option<Side>, ApiError> {
    let (rows, _) = encoded(draft, sample)?;
    let (Some(codec), Some((review, known))) = (&draft.codec, review(draft, rows.as_ref(), request.language))
    else {
        return Ok(None);
    };
    let points = split_of(codec.design(), rows.as_ref()).and_then(Result::ok).unwrap_or_default();
    let findings = review.findings().iter().filter(|finding| known.suffices_for(finding));
    Ok(Some(Side {
        design: DesignDocument::new(codec),
        length: KeyLength::of(codec.design(), rows.as_ref()),
        rejected: rows.as_ref().map(|rows| rows.rows.len() - rows.keys().count()),
        doubled: rows.as_ref().map(EncodedRows::doubled_count),
        spread: rows.as_ref().map(|rows| KeySpread::of(&points, rows)),
        findings: findings.map(|finding| FoundLint::new(finding, request.language)).collect(),
        accesses: planned_accesses(codec),
    }))
}

impl FoundLint {
    fn new(finding: &Finding, language: Tongue) -> Self {
        Self {
            id: finding.id.name(),
            severity: finding.severity.name(),
            title: finding.id.title(language.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::calls;
    use super::*;

    #[test]
    fn two_designs_are_tried_on_the_same_rows() {
        let (_folder, place) = calls();
        let design = |parts: &str| {
            format!(
                "format = 1\n[table]\nname = \"calls\"\nfamilies = [\"f\"]\n[fields]\n\
                 phone = {{ type = \"digits\", len = 11 }}\nts = {{ type = \"time\", unit = \"s\" }}\n\
                 id = {{ type = \"int\", min = 0 }}\n[key]\nparts = [{{ bucket = 4, of = [{parts}] }}, {{ field = \"phone\" }}]\n\
                 [split]\nby = \"bucket\"\n[access.one]\nby = [\"phone\"]\n"
            )
        };
        let designs = [design("\"phone\""), design("\"id\"")];
        let request = CompareRequest { designs, sample: None, language: Tongue::default() };
        let found = serde_json::to_value(sides(&request, Some(&place)).unwrap()).unwrap();
        let read = |side: usize| found["sides"][side]["accesses"][0]["buckets"].clone();
        assert_eq!((read(0), read(1)), (serde_json::json!([1, 4]), serde_json::json!([4, 4])));
        assert_eq!(found["sides"][1]["spread"]["whole"]["row_count"], 1000);
        assert_eq!(found["differences"]["parts_added"].as_array().unwrap().len(), 1);
        assert_eq!(found["sides"][0]["doubled"], 1000, "50 phones");
        let broken = CompareRequest { designs: [design("\"phone\""), String::new()], ..request };
        let found = serde_json::to_value(sides(&broken, None).unwrap()).unwrap();
        assert!(found["sides"][1].is_null() && found["differences"].is_null());
    }
}
