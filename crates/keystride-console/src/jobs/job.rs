use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use keystride_app::extract::{ExtractDocument, ExtractHandle};
use keystride_app::load::{LoadDocument, LoadHandle};
use serde::Serialize;
use tokio::sync::watch;

use crate::files::Place;
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
    /// Where that is which it reads, or writes to, if a request named it.
    pub(crate) place: Option<Place>,
    end: watch::Sender<Option<End>>,
    log: Mutex<Vec<String>>,
}

/// The request that began a job.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) resume: ResumeRequest,
    /// What is read, or written to.
    pub(crate) place: Place,
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
        let user = asked.as_ref().and_then(|asked| asked.user.as_ref());
        let log = Mutex::new(user.map(|user| format!("begun by {user}")).into_iter().collect());
        let (resume, place) = asked.map(|asked| (asked.resume, asked.place)).unzip();
        let end = watch::Sender::new(None);
        Self { id, table, what, begun_ms: now_ms(), work, command, resume, place, end, log }
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

    /// Returns a text in which files are named as in the request.
    pub(crate) fn named_in(&self, text: &str) -> String {
        self.place.as_ref().map_or_else(|| text.to_owned(), |place| place.named_in(text))
    }

    /// Adds a line to the log.
    pub(crate) fn say(&self, line: &str) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() < MOST_LINES {
            log.push(self.named_in(line));
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
