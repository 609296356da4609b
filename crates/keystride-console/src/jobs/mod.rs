//! Loads and extracts that a console has begun. They go on when the page is closed.

mod document;
mod extract;
mod job;
mod load;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use document::JobDocument;
pub(crate) use extract::begin_extract;
pub(crate) use job::{Job, Work};
pub(crate) use load::{BegunLoad, begin_load};

/// The jobs of a console, the newest first.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    jobs: Mutex<VecDeque<Arc<Job>>>,
    next: AtomicU64,
}

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

    /// Returns all jobs, the newest first.
    pub(crate) fn all(&self) -> Vec<Arc<Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Returns a job by its number.
    pub(crate) fn find(&self, id: u64) -> Option<Arc<Job>> {
        self.all().into_iter().find(|job| job.id == id)
    }
}
