//! Loads and extracts that a console has begun. They go on when the page is closed.

mod document;
mod extract;
mod job;
mod load;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::api::ApiError;
use crate::files::Place;
pub(crate) use document::JobDocument;
pub(crate) use extract::begin_extract;
pub(crate) use job::{Asked, Job, ResumeRequest, Work};
pub use load::FileLoad;
pub(crate) use load::begin_load;

/// The jobs of a console, the newest first.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    jobs: Mutex<VecDeque<Arc<Job>>>,
    next: AtomicU64,
}

/// How long the end of a console waits for jobs.
const END_WITHIN: Duration = Duration::from_secs(5);

/// So many may run at a time.
const MOST_RUNNING: usize = 16;

/// So many are kept after they have ended.
const MOST_KEPT: usize = 200;

impl Jobs {
    /// Adds a job.
    pub(crate) fn add(&self, make: impl FnOnce(u64) -> Job) -> Arc<Job> {
        let job = Arc::new(make(self.next.fetch_add(1, Ordering::Relaxed) + 1));
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.push_front(Arc::clone(&job));
        let mut ended = 0;
        jobs.retain(|job| {
            ended += usize::from(job.has_ended());
            !job.has_ended() || ended <= MOST_KEPT
        });
        job
    }

    /// Refuses another job while many are running: each takes memory.
    pub(crate) fn demand_room(&self) -> Result<(), ApiError> {
        let running = self.all().iter().filter(|job| !job.has_ended()).count();
        if running < MOST_RUNNING { Ok(()) } else { Err(ApiError::too_many_jobs(running)) }
    }

    /// Whether an extract is writing to a folder.
    pub(crate) fn writes_to(&self, folder: &Place) -> bool {
        let writes = |job: &Arc<Job>| matches!(job.work, Work::Extract(_)) && !job.has_ended();
        let is_there = |job: &Arc<Job>| job.place.as_ref().is_some_and(|place| place.path == folder.path);
        self.all().iter().any(|job| writes(job) && is_there(job))
    }

    /// Returns all jobs, the newest first.
    pub(crate) fn all(&self) -> Vec<Arc<Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Cancels all jobs, and waits until they have ended, but not for one that takes long for its last batch.
    pub(crate) async fn end_all(&self) {
        let running: Vec<_> = self.all().into_iter().filter(|job| !job.has_ended()).collect();
        for job in &running {
            job.cancel();
        }
        let ends = async {
            for job in running {
                // A job that is gone has ended.
                let _ = job.ends().wait_for(Option::is_some).await;
            }
        };
        let _ = tokio::time::timeout(END_WITHIN, ends).await;
    }

    /// Returns a job by its number.
    pub(crate) fn find(&self, id: u64) -> Option<Arc<Job>> {
        self.all().into_iter().find(|job| job.id == id)
    }
}
