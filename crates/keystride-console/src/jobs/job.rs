use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use keystride_app::extract::{ExtractDocument, ExtractHandle};
use keystride_app::load::{LoadDocument, LoadHandle};
use serde::Serialize;
use tokio::sync::watch;

use crate::safety::User;

/// A load or an extract.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: u64,
    pub(crate) table: String,
    /// What is read, or the folder that is written to.
    pub(crate) what: String,
    pub(crate) begun_ms: u64,
    pub(crate) work: Work,
    /// The command that does the same.
    pub(crate) command: String,
    /// The request that goes on where it ended, if one began it.
    pub(crate) resume: Option<ResumeRequest>,
    end: watch::Sender<Option<End>>,
    log: Mutex<Vec<String>>,
}

/// The request that began a job.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) resume: ResumeRequest,
    /// Who sent it, if a proxy says that.
    pub(crate) user: Option<User>,
}

/// A request by which a job goes on after it was cancelled or failed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ResumeRequest {
    /// Where it is posted, below `/api/v1`.
    pub(crate) path: String,
    pub(crate) body: serde_json::Value,
}

/// What a job does, and what watches and cancels it.
#[derive(Debug)]
pub(crate) enum Work {
    Load(LoadHandle),
    Extract(ExtractHandle),
}

/// How a job ended.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub(crate) enum End {
    Loaded { report: Box<LoadDocument> },
    Extracted { report: ExtractDocument },
    Cancelled,
    Failed { message: String },
}

/// A log has no more lines: the first ones tell why.
const MOST_LINES: usize = 1_000;

impl Job {
    pub(crate) fn new(
        id: u64,
        table: String,
        (what, work): (String, Work),
        command: String,
        asked: Option<Asked>,
    ) -> Self {
        let (resume, user) = asked.map_or((None, None), |asked| (Some(asked.resume), asked.user));
        let log = Mutex::new(user.map(|user| format!("begun by {user}")).into_iter().collect());
        let end = watch::Sender::new(None);
        Self { id, table, what, begun_ms: now_ms(), work, command, resume, end, log }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.end.borrow().is_some()
    }

    pub(crate) fn end(&self) -> Option<End> {
        self.end.borrow().clone()
    }

    pub(crate) fn set_end(&self, end: End) {
        self.end.send_replace(Some(end));
    }

    /// Returns a receiver that notices the end.
    pub(crate) fn ends(&self) -> watch::Receiver<Option<End>> {
        self.end.subscribe()
    }

    pub(crate) fn cancel(&self) {
        match &self.work {
            Work::Load(handle) => handle.cancel(),
            Work::Extract(handle) => handle.cancel(),
        }
    }

    pub(crate) fn say(&self, line: impl Into<String>) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() < MOST_LINES {
            log.push(line.into());
        }
    }

    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
