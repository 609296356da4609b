use std::path::Path;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride::{KeyCodec, SplitPoints};
use keystride_advisor::Review;
use keystride_advisor::lint::Finding;
use keystride_app::designer::{Draft, EncodedRows, split_of};
use keystride_app::findings::FindingDocument;
use serde::{Deserialize, Serialize};

use super::edit::EditDocument;
use super::{SamplePlace, SampleRequest, encoded};
use crate::api::ApiError;
use crate::api::loads::blocking;
use crate::api::splits::Tongue;
use crate::served::Shared;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct FindingsRequest {
    design: String,
    sample: Option<SampleRequest>,
    #[serde(default)]
    language: Tongue,
}

/// What lints find in a design; nothing in a text that is none.
#[derive(Serialize)]
pub(in crate::api) struct Found {
    findings: Vec<FoundOne>,
    silenced: usize,
}

#[derive(Serialize)]
struct FoundOne {
    #[serde(flatten)]
    finding: FindingDocument,
    notes: Vec<String>,
    /// The changes of its fix.
    edits: Vec<EditDocument>,
}

pub(in crate::api) async fn findings(
    State(served): State<Shared>,
    body: Result<Json<FindingsRequest>, JsonRejection>,
) -> Result<Json<Found>, ApiError> {
    let Json(request) = body?;
    let sample = request.sample.as_ref().map(|sample| sample.place(&served)).transpose()?;
    blocking(move || find(&request, sample.as_ref())).await.map(Json)
}

fn find(request: &FindingsRequest, sample: Option<&SamplePlace>) -> Result<Found, ApiError> {
    let draft = Draft::read(&request.design);
    let (rows, _) = encoded(&draft, sample)?;
    let Some((mut review, points)) = review(&draft, rows.as_ref(), request.language) else {
        return Ok(Found { findings: Vec::new(), silenced: 0 });
    };
    let kept = sample.map(SamplePlace::read).transpose()?;
    review.keep_good_patches(&|codec: &KeyCodec| {
        // Keys by the patched design are needed where they make the points.
        let rows = kept.as_ref().and_then(|sample| EncodedRows::of(codec, &sample.rows.rows).ok());
        split_of(codec.design(), rows.as_ref())
    });
    let findings = review.findings().iter().filter(|finding| points.suffices_for(finding));
    Ok(Found {
        findings: findings.map(|finding| FoundOne::new(finding, &draft.text)).collect(),
        silenced: review.silenced().len(),
    })
}

/// Whether the split points of a design are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    Known,
    Unknown,
}

impl Points {
    /// Whether a finding holds: what is said of points that are not known does not.
    pub(super) fn suffices_for(self, finding: &Finding) -> bool {
        self == Self::Known || !finding.id.name().starts_with("SPL")
    }
}

/// Checks a draft, if it is a design. Where its points are not known, it is taken for one of a single region.
pub(super) fn review(
    draft: &Draft,
    rows: Option<&EncodedRows>,
    language: Tongue,
) -> Option<(Review, Points)> {
    let codec = draft.codec.clone()?;
    let (split, points) = match split_of(codec.design(), rows) {
        Some(split) => (split, Points::Known),
        None => (Ok(SplitPoints::default()), Points::Unknown),
    };
    Some((Review::new(codec, Some(draft.text.clone()), split, language.into()), points))
}

impl FoundOne {
    fn new(finding: &Finding, text: &str) -> Self {
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(EditDocument::from);
        Self {
            finding: FindingDocument::of_finding(finding, Path::new("design.toml"), text),
            notes: finding.notes.clone(),
            edits: edits.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use keystride::Design;
    use keystride_advisor::edited;
    use keystride_advisor::lint::Edit;

    use super::super::tests::calls;
    use super::*;

    #[test]
    fn the_edits_of_a_fix_make_a_design_without_the_finding() {
        let (_folder, place) = calls();
        let design = "format = 1\n[table]\nname = \"calls\"\nfamilies = [\"f\"] # one\n[fields]\n\
                      phone = { type = \"digits\", len = 11 }\nts = { type = \"time\", unit = \"s\" }\n\
                      id = { type = \"int\", min = 0 }\n[key]\nparts = [{ field = \"ts\" }, { field = \"phone\" }]\n";
        let find = |design: &str| {
            let request =
                FindingsRequest { design: design.to_owned(), sample: None, language: Tongue::default() };
            find(&request, Some(&place)).unwrap().findings
        };
        let found = find(design);
        let fixed = found.iter().find(|found| !found.edits.is_empty()).unwrap();
        let edits: Vec<Edit> = fixed.edits.iter().map(Edit::from).collect();
        let better = edited(design, &edits).unwrap();
        assert!(Design::from_toml(&better).is_ok() && better.contains("# one"), "{better}");
        assert!(find(&better).len() < found.len(), "{better}");
        assert!(find("format = 1").is_empty());
    }
}
