use keystride_app::extract::ExtractHandle;
use keystride_app::load::LoadHandle;
use keystride_table::load::Phase;
use serde::Serialize;

use super::job::{End, ResumeRequest};
use super::{Job, Work};

/// A job as pages show it.
#[derive(Debug, Serialize)]
pub(crate) struct JobDocument {
    id: u64,
    kind: &'static str,
    table: String,
    what: String,
    begun_ms: u64,
    command: String,
    resume: Option<ResumeRequest>,
    progress: Progress,
    end: Option<End>,
}

/// How far it is.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Progress {
    Load(LoadProgress),
    Extract(ExtractProgress),
}

#[derive(Debug, Serialize)]
struct LoadProgress {
    phase: Option<&'static str>,
    records: u64,
    rows: u64,
    rejected: u64,
    bytes_read: u64,
    byte_count: Option<u64>,
    elapsed_ms: u64,
    retries: u64,
    /// The last window: the hottest region as a multiple of the mean, and what chance alone would show.
    hot: Option<f64>,
    chance: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ExtractProgress {
    parts_done: usize,
    part_count: usize,
    rows: u64,
    bytes: u64,
}

impl JobDocument {
    pub(crate) fn new(job: &Job) -> Self {
        let (kind, progress) = match &job.work {
            Work::Load(handle) => ("load", Progress::Load(handle.into())),
            Work::Extract(handle) => ("extract", Progress::Extract(handle.into())),
        };
        Self {
            id: job.id,
            kind,
            table: job.table.clone(),
            what: job.what.clone(),
            begun_ms: job.begun_ms,
            command: job.command.clone(),
            resume: job.resume.clone(),
            progress,
            end: job.end(),
        }
    }
}

impl From<&LoadHandle> for LoadProgress {
    fn from(handle: &LoadHandle) -> Self {
        let progress = handle.progress();
        let phase = progress.phase.map(|phase| match phase {
            Phase::CatchingUp => "catching-up",
            Phase::Storing => "storing",
            Phase::Sorting => "sorting",
            Phase::Filling { .. } => "filling",
            Phase::Replaying => "replaying",
        });
        Self {
            phase,
            records: progress.counts.records,
            rows: progress.counts.rows,
            rejected: progress.counts.rejected_count(),
            bytes_read: progress.bytes_read,
            byte_count: progress.byte_count,
            elapsed_ms: progress.elapsed_ms,
            retries: progress.retries,
            hot: progress.last_window.map(|window| window.hot),
            chance: progress.last_window.map(|window| window.chance),
        }
    }
}

impl From<&ExtractHandle> for ExtractProgress {
    fn from(handle: &ExtractHandle) -> Self {
        let progress = handle.progress();
        Self {
            parts_done: progress.parts_done,
            part_count: progress.part_count,
            rows: progress.counts.rows,
            bytes: progress.counts.bytes,
        }
    }
}
