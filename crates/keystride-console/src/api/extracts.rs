use std::num::NonZeroUsize;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::{Extension, Json};
use keystride::Design;
use keystride_app::fields::{fields_named, time_named};
use keystride_app::shell_word::quoted;
use keystride_store::TableName;
use keystride_table::extract::{Day, DayFormatError, Existing, Extract, Partition};
use keystride_table::input::Format;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::ApiError;
use super::query::predicate;
use crate::files::Folder;
use crate::jobs::{Asked, JobDocument, ResumeRequest, begin_extract};
use crate::safety::User;
use crate::served::Shared;

/// Rows of a table as a folder of files below that of `--files`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtractRequest {
    /// The folder to write to.
    to: String,
    #[serde(default, rename = "where")]
    predicate: String,
    /// The rows of one day.
    day: Option<String>,
    /// The time field that days refer to.
    on: Option<String>,
    /// Whether each day gets a folder.
    #[serde(default)]
    by_day: bool,
    partition_column: Option<String>,
    partition_format: Option<String>,
    columns: Option<Vec<String>>,
    /// `parquet`, `csv` or `json`.
    format: Option<String>,
    /// What is done with files that are there: `refuse`, `overwrite` or `resume`.
    #[serde(default)]
    existing: ExistingFiles,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ExistingFiles {
    #[default]
    Refuse,
    Overwrite,
    Resume,
}

pub(super) async fn begin(
    State(served): State<Shared>,
    Path(name): Path<String>,
    user: Option<Extension<User>>,
    body: Result<Json<ExtractRequest>, JsonRejection>,
) -> Result<Json<JobDocument>, ApiError> {
    let Json(mut request) = body?;
    let table = served.table(&TableName::new(&name)?).await?;
    let place = served.files.place(&request.to)?;
    if Folder::has_link(&place.path) {
        return Err(ApiError::linked());
    }
    if served.jobs.writes_to(&place) {
        return Err(ApiError::busy_folder());
    }
    served.jobs.demand_room()?;
    let extract = request.extract(table.design())?;
    let command = request.command(&table.name().to_string());
    request.existing = ExistingFiles::Resume;
    let path = format!("/tables/{}/extracts", table.name());
    let resume = ResumeRequest { path, body: json!(request) };
    let asked = Asked { resume, place, user: user.map(|user| user.0) };
    let job = begin_extract(&served.jobs, &table, extract, command, asked);
    Ok(Json(JobDocument::new(&job)))
}

impl ExtractRequest {
    fn extract(&self, design: &Design) -> Result<Extract, ApiError> {
        let usual = Extract::default();
        let day_format = given(self.partition_format.as_ref()).map(str::parse).transpose();
        Ok(Extract {
            predicate: predicate(&self.predicate, design)?,
            format: match self.format.as_deref() {
                None | Some("parquet") => Format::Parquet,
                Some("csv") => Format::Csv,
                Some("json") => Format::JsonLines,
                Some(other) => {
                    return Err(ApiError::bad_input(format!("\"{other}\" is none of parquet, csv and json")));
                }
            },
            partition: self.partition(design)?,
            partition_column: given(self.partition_column.as_ref())
                .map_or(usual.partition_column, str::to_owned),
            day_format: day_format
                .map_err(|error: DayFormatError| ApiError::bad_input(error.to_string()))?
                .unwrap_or_default(),
            fields: self.columns.as_deref().map(|names| fields_named(design, names)).transpose()?,
            existing: match self.existing {
                ExistingFiles::Refuse => Existing::Refuse,
                ExistingFiles::Overwrite => Existing::Overwrite,
                ExistingFiles::Resume => Existing::Resume,
            },
            // A core is left for pages.
            workers: NonZeroUsize::new(usual.workers.get() - 1).unwrap_or(NonZeroUsize::MIN),
            part_rows: usual.part_rows,
        })
    }

    fn partition(&self, design: &Design) -> Result<Partition, ApiError> {
        let no_time = || ApiError::bad_input("the design has no time, so it has no days".to_owned());
        let time = || time_named(design, given(self.on.as_ref()))?.ok_or_else(no_time);
        match given(self.day.as_ref()) {
            Some(day) => Ok(Partition::Day(Day::parse(day, design, time()?)?)),
            None if self.by_day => Ok(Partition::ByDay { field: time()? }),
            None => Ok(Partition::Whole),
        }
    }

    /// Returns the command that does the same.
    fn command(&self, table: &str) -> String {
        let mut line = format!("keystride extract {} --to {}", quoted(table), quoted(&self.to));
        let mut add = |name: &str, value: Option<&str>| {
            line.extend(value.map(|value| format!(" --{name} {}", quoted(value))));
        };
        add("where", Some(self.predicate.trim()).filter(|text| !text.is_empty()));
        add("day", given(self.day.as_ref()));
        add("on", given(self.on.as_ref()));
        add("partition-by", (self.by_day && given(self.day.as_ref()).is_none()).then_some("day"));
        add("partition-column", given(self.partition_column.as_ref()));
        add("partition-format", given(self.partition_format.as_ref()));
        add("columns", self.columns.as_ref().map(|names| names.join(",")).as_deref());
        add("to-format", given(self.format.as_ref()));
        match self.existing {
            ExistingFiles::Refuse => {}
            ExistingFiles::Overwrite => line.push_str(" --overwrite"),
            ExistingFiles::Resume => line.push_str(" --resume"),
        }
        line
    }
}

fn given(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}
