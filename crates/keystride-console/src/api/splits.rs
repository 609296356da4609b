use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride::{Design, KeyCodec, SplitPoints};
use keystride_advisor::Review;
use keystride_advisor::lint::Language;
use keystride_app::designer::read_design;
use keystride_app::findings::FindingDocument;
use keystride_app::key_text::{KeyForm, KeyTextError};
use keystride_app::new_table::{NewFamily, NewTable, Schema, Statements};
use keystride_app::splits::{self, ListProblem, PointList, SplitChoice, SplitPreview};
use keystride_store::{Family, TableName};
use serde::{Deserialize, Serialize};

use super::ApiError;
use crate::served::Shared;

/// A table that is to be made, as a page describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableRequest {
    /// The table's name. A preview needs none.
    #[serde(default)]
    name: String,
    /// The families of a table without a design.
    #[serde(default)]
    families: Vec<NewFamily>,
    /// The text of a design.
    design: Option<String>,
    /// How the table is split.
    split: SplitChoice,
    /// Keys of a sample, one a line.
    sample: Option<Sample>,
    /// The language of findings.
    #[serde(default)]
    language: Tongue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    form: KeyForm,
    keys: String,
}

/// The language of what is said.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) enum Tongue {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    Chinese,
}

impl From<Tongue> for Language {
    fn from(tongue: Tongue) -> Self {
        match tongue {
            Tongue::English => Self::English,
            Tongue::Chinese => Self::Chinese,
        }
    }
}

/// What would be made.
#[derive(Serialize)]
pub(super) struct Previewed {
    points: Vec<PointTexts>,
    #[serde(flatten)]
    preview: SplitPreview,
    /// What is wrong with a list of points: the first of it.
    problems: Vec<ListProblem>,
    problem_count: usize,
    /// The list without what is wrong with it, in its own form, if something is.
    mended: Option<String>,
    /// What the design's lints say of the points.
    findings: Vec<FindingDocument>,
    /// The arguments of `keystride splits` that make the points.
    splits_command: Option<String>,
    /// Statements that make the table, if it has a name and families, and not too many points to copy.
    statements: Option<Statements>,
}

/// A split point in each form.
#[derive(Serialize)]
struct PointTexts {
    text: Option<String>,
    escaped: String,
    hex: String,
}

/// A page shows no more of them.
const MOST_SHOWN: usize = 2_000;

/// Each region takes some time to judge by a design, and no table has as many.
const MOST_JUDGED: usize = 1 << 17;

/// Nobody copies statements of more points.
const MOST_STATED: usize = 10_000;

pub(super) async fn preview(
    State(_): State<Shared>,
    body: Result<Json<TableRequest>, JsonRejection>,
) -> Result<Json<Previewed>, ApiError> {
    let Json(request) = body?;
    let previewed = tokio::task::spawn_blocking(move || Asked::of(&request)?.previewed(&request));
    previewed.await.map_err(|_| ApiError::broken())?.map(Json)
}

/// A request with its texts read.
pub(super) struct Asked {
    design: Option<Design>,
    sample: Option<Vec<Vec<u8>>>,
    points: SplitPoints,
    list: Option<PointList>,
}

impl Asked {
    pub(super) fn of(request: &TableRequest) -> Result<Self, ApiError> {
        let design = request.design.as_deref().map(read_design).transpose()?;
        let mut sample = request.sample.as_ref().map(Sample::read).transpose()?;
        let mut none = Vec::new();
        let (points, list) = match &request.split {
            SplitChoice::List { form, points } => {
                let list = PointList::read(points, *form)?;
                (list.points.clone(), Some(list))
            }
            choice => (choice.points(design.as_ref(), sample.as_mut().unwrap_or(&mut none))?, None),
        };
        Ok(Self { design, sample, points, list })
    }

    /// Returns the table to make; it is refused if something is wrong with its points.
    pub(super) fn into_table(self, request: &TableRequest) -> Result<NewTable, ApiError> {
        if self.list.as_ref().is_some_and(|list| !list.is_usable()) {
            return Err(ApiError::unusable_points());
        }
        self.table(request)
    }

    fn table(self, request: &TableRequest) -> Result<NewTable, ApiError> {
        let schema = match self.design {
            Some(design) => Schema::Design(Box::new(design)),
            None => {
                let families = request.families.iter().cloned().map(Family::try_from);
                Schema::Families(families.collect::<Result<_, _>>()?)
            }
        };
        Ok(NewTable { name: TableName::new(&request.name)?, schema, points: self.points })
    }

    fn previewed(self, request: &TableRequest) -> Result<Previewed, ApiError> {
        if self.design.is_some() && self.points.region_count() > MOST_JUDGED {
            return Err(ApiError::too_many_regions(MOST_JUDGED));
        }
        let codec = self.design.clone().map(KeyCodec::new);
        let points = &self.points;
        let preview = splits::preview(points, codec.as_ref(), self.sample.as_deref(), MOST_SHOWN);
        let findings = codec.map(|codec| findings(codec, points, request.language.into()));
        let problems = self.list.as_ref().map_or(&[][..], |list| &list.problems);
        let mended = match &request.split {
            SplitChoice::List { form, .. } if !problems.is_empty() => Some(lines(points, *form)),
            _ => None,
        };
        Ok(Previewed {
            points: points.keys().iter().take(MOST_SHOWN).map(|key| texts(key.as_bytes())).collect(),
            preview,
            problems: problems.iter().take(MOST_SHOWN).cloned().collect(),
            problem_count: problems.len(),
            mended,
            findings: findings.unwrap_or_default(),
            splits_command: request.split.command(),
            statements: self.statements(request)?,
        })
    }

    fn statements(self, request: &TableRequest) -> Result<Option<Statements>, ApiError> {
        let has_families = self.design.is_some() || !request.families.is_empty();
        if request.name.is_empty() || !has_families || self.points.keys().len() > MOST_STATED {
            return Ok(None);
        }
        Ok(Some(Statements::of(&self.table(request)?)))
    }
}

impl Sample {
    fn read(&self) -> Result<Vec<Vec<u8>>, KeyTextError> {
        let lines = self.keys.lines().filter(|line| !line.is_empty());
        lines.map(|line| self.form.read(line)).collect()
    }
}

fn lines(points: &SplitPoints, form: KeyForm) -> String {
    points.keys().iter().map(|key| form.write(key.as_bytes()) + "\n").collect()
}

fn texts(key: &[u8]) -> PointTexts {
    PointTexts {
        text: std::str::from_utf8(key)
            .ok()
            .filter(|text| !text.chars().any(char::is_control))
            .map(str::to_owned),
        escaped: KeyForm::Escaped.write(key),
        hex: KeyForm::Hex.write(key),
    }
}

/// Returns what lints of split points say.
fn findings(codec: KeyCodec, points: &SplitPoints, language: Language) -> Vec<FindingDocument> {
    let review = Review::new(codec, None, Ok(points.clone()), language);
    let of_splits = review.findings().iter().filter(|finding| finding.id.name().starts_with("SPL"));
    of_splits.map(|finding| FindingDocument::of_finding(finding, "design.toml".as_ref(), "")).collect()
}
