use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use serde::Serialize;

use super::ApiError;
use crate::jobs::{Job, JobDocument};
use crate::served::{Served, Shared};

#[derive(Serialize)]
pub(super) struct JobList {
    jobs: Vec<JobDocument>,
}

pub(super) async fn list(State(served): State<Shared>) -> Json<JobList> {
    Json(JobList { jobs: served.jobs.all().iter().map(|job| JobDocument::new(job)).collect() })
}

/// A job with its log.
#[derive(Serialize)]
pub(super) struct JobWithLog {
    #[serde(flatten)]
    job: JobDocument,
    log: Vec<String>,
}

pub(super) async fn show(
    State(served): State<Shared>,
    Path(id): Path<u64>,
) -> Result<Json<JobWithLog>, ApiError> {
    let job = find(&served, id)?;
    Ok(Json(JobWithLog { job: JobDocument::new(&job), log: job.log() }))
}

pub(super) async fn cancel(
    State(served): State<Shared>,
    Path(id): Path<u64>,
) -> Result<StatusCode, ApiError> {
    find(&served, id)?.cancel();
    Ok(StatusCode::ACCEPTED)
}

fn find(served: &Served, id: u64) -> Result<Arc<Job>, ApiError> {
    served
        .jobs
        .find(id)
        .ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, "no-such-job", "there is no such job"))
}

/// How often progress is told.
const EVERY: Duration = Duration::from_millis(250);

/// Tells the progress of a job until it has ended.
pub(super) async fn events(
    State(served): State<Shared>,
    Path(id): Path<u64>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let job = find(&served, id)?;
    let told = futures_util::stream::unfold((job, false), |(job, is_told)| async move {
        if is_told {
            return None;
        }
        let mut ends = job.ends();
        // The end is told at once.
        let _ = tokio::time::timeout(EVERY, ends.wait_for(Option::is_some)).await;
        let has_ended = job.has_ended();
        let event = Event::default().json_data(JobDocument::new(&job)).unwrap_or_default();
        Some((Ok(event), (job, has_ended)))
    });
    Ok(Sse::new(told).keep_alive(KeepAlive::default()))
}
