use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path as InAddress, State};
use axum::{Extension, Json};
use keystride_app::key_text::KeyForm;
use keystride_app::load::rejects_writer;
use keystride_app::shell_word::quoted;
use keystride_app::values::{field_columns, row_values};
use keystride_store::TableName;
use keystride_table::Table;
use keystride_table::input::{InputReader, Next, Source};
use keystride_table::load::{LoadId, LoadOptions, Start};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json_, json};

use super::exact::exact;
use super::input::InputRequest;
use super::{ApiError, time_style};
use crate::files::{FileName, Place};
use crate::jobs::{Asked, FileLoad, JobDocument, ResumeRequest, begin_load};
use crate::safety::User;
use crate::served::Shared;

/// A load of a file into a table.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadRequest {
    file: FileName,
    #[serde(default)]
    input: InputRequest,
    /// Whether it goes on where an earlier run of the same load ended.
    #[serde(default)]
    resume: bool,
    /// A name of the load; by default, its file and the design are.
    load_id: Option<String>,
}

pub(super) async fn begin(
    State(served): State<Shared>,
    InAddress(name): InAddress<String>,
    user: Option<Extension<User>>,
    body: Result<Json<LoadRequest>, JsonRejection>,
) -> Result<Json<JobDocument>, ApiError> {
    let Json(request) = body?;
    let name = TableName::new(&name)?;
    let table = served.table(&name).await?;
    served.jobs.demand_room()?;
    let place = served.files.find(&request.file)?;
    let resume = resume_request(&name, &request);
    let asked = Asked { resume, place: place.clone(), user: user.map(|user| user.0) };
    let load = blocking(move || open(table, &place, &request).map_err(|error| error.naming(&place))).await?;
    let job = begin_load(&served.jobs, load, Some(asked));
    Ok(Json(JobDocument::new(&job)))
}

/// Returns the request by which the load goes on.
fn resume_request(table: &TableName, request: &LoadRequest) -> ResumeRequest {
    let body = json!({
        "file": request.file,
        "input": request.input,
        "resume": true,
        "load_id": request.load_id,
    });
    ResumeRequest { path: format!("/tables/{table}/loads"), body }
}

fn open(table: Table, place: &Place, request: &LoadRequest) -> Result<FileLoad, ApiError> {
    let what = place.name();
    let sources = vec![Source::file(&place.path)?];
    let rejects = rejects_writer(None, &sources);
    if rejects.path().is_symlink() {
        return Err(ApiError::linked());
    }
    let id = match &request.load_id {
        Some(id) => LoadId::new(id),
        None => LoadId::of_sources(&sources, table.design())?,
    };
    let start = if request.resume { Start::Resume } else { Start::Anew };
    let options = LoadOptions { start, ..LoadOptions::of(id) };
    let reader = InputReader::open(Arc::new(table.design().clone()), sources, request.input.options()?)?;
    let resume = if request.resume { " --resume" } else { "" };
    let named = request.load_id.as_ref().map_or_else(String::new, |id| format!(" --load-id {}", quoted(id)));
    let command = format!(
        "keystride load {} -t {}{}{named}{resume}",
        quoted(&what),
        quoted(&table.name().to_string()),
        request.input.flags()
    );
    Ok(FileLoad { table, reader, options, rejects: Some(rejects), what, command })
}

/// The first rows of a file as the design of a table reads them.
#[derive(Serialize)]
pub(super) struct Trial {
    columns: Vec<String>,
    rows: Vec<TrialRow>,
    rejected: Vec<String>,
    /// Columns of the file that are none of the design's fields.
    others: Vec<String>,
}

#[derive(Serialize)]
struct TrialRow {
    /// The key, in HBase's escaped form.
    key: Option<String>,
    values: Vec<Json_>,
    message: Option<String>,
}

const TRIED_ROWS: usize = 20;

/// Reads the first rows of a file, and stores nothing.
pub(super) async fn try_it(
    State(served): State<Shared>,
    InAddress(name): InAddress<String>,
    body: Result<Json<LoadRequest>, JsonRejection>,
) -> Result<Json<Trial>, ApiError> {
    let Json(request) = body?;
    let table = served.table(&TableName::new(&name)?).await?;
    let place = served.files.find(&request.file)?;
    blocking(move || trial(&table, &place, &request).map_err(|error| error.naming(&place))).await.map(Json)
}

fn trial(table: &Table, place: &Place, request: &LoadRequest) -> Result<Trial, ApiError> {
    let design = Arc::new(table.design().clone());
    let mut reader =
        InputReader::open(Arc::clone(&design), vec![Source::file(&place.path)?], request.input.options()?)?;
    let fields = field_columns(&design, None);
    let (mut row, mut encoder) = (reader.new_row(), table.codec().encoder());
    let (mut rows, mut rejected) = (Vec::new(), Vec::new());
    while rows.len() + rejected.len() < TRIED_ROWS {
        match reader.next(&mut row)? {
            Next::End => break,
            Next::Rejected(reject) => rejected.push(place.named_in(&reject.to_string())),
            Next::Row => {
                let mut key = Vec::new();
                // Records are numbered as by a load, with those that are rejected.
                encoder.supply((rows.len() + rejected.len()) as u64);
                let made = encoder.encode(&row, &mut key);
                rows.push(TrialRow {
                    key: made.is_ok().then(|| KeyForm::Escaped.write(&key)),
                    values: exact(row_values(&design, &fields, &time_style(), |field| row.get(field))),
                    message: made.err().map(|error| error.to_string()),
                });
            }
        }
    }
    let columns = fields.into_iter().map(|(_, name)| name).collect();
    Ok(Trial { columns, rows, rejected, others: reader.other_names().to_vec() })
}

/// Does work that blocks on a thread for that.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::broken())?
}
