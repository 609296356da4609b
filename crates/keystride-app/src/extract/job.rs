//! An extract that can be watched and cancelled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keystride_table::Table;
use keystride_table::extract::{Extract, ExtractError, ExtractProgress, Extracted};
use tokio::sync::{Notify, watch};

/// An extract of a table into a folder, which can be watched and cancelled by its [handle](Self::handle).
///
/// It runs in the future that [`Self::run`] returns: spawn it, or drop it to break the extract off. What is complete then
/// stays, hidden, and [`Existing::Resume`](keystride_table::extract::Existing::Resume) goes on after it.
#[derive(Debug)]
pub struct ExtractJob {
    table: Table,
    extract: Extract,
    folder: PathBuf,
    handle: ExtractHandle,
}

/// Watches and cancels an extract. Cheap to clone; it stays valid after the extract.
#[derive(Debug, Clone)]
pub struct ExtractHandle {
    progress: watch::Sender<ExtractProgress>,
    cancelled: Arc<Notify>,
}

impl ExtractJob {
    /// Creates the job of an extract into `folder`, which is created if necessary.
    pub fn new(table: &Table, extract: Extract, folder: &Path) -> Self {
        let handle = ExtractHandle { progress: watch::Sender::default(), cancelled: Arc::default() };
        Self { table: table.clone(), extract, folder: folder.to_owned(), handle }
    }

    /// Returns what watches and cancels it.
    pub fn handle(&self) -> ExtractHandle {
        self.handle.clone()
    }

    /// Does the extract; `None` if it was cancelled.
    ///
    /// # Errors
    ///
    /// [`ExtractError`].
    pub async fn run(self) -> Result<Option<Extracted>, ExtractError> {
        let Self { table, extract, folder, handle } = self;
        tokio::select! {
            biased;
            () = handle.cancelled.notified() => Ok(None),
            done = table.extract_watched(&extract, &folder, handle.progress.clone()) => done.map(Some),
        }
    }
}

impl ExtractHandle {
    /// Returns how far the extract is. It is renewed after each part.
    pub fn progress(&self) -> ExtractProgress {
        *self.progress.borrow()
    }

    /// Returns a receiver that notices when the progress is renewed.
    pub fn changes(&self) -> watch::Receiver<ExtractProgress> {
        self.progress.subscribe()
    }

    /// Stops the extract at the next batch of rows. Parts that are complete stay, and it can be resumed.
    pub fn cancel(&self) {
        self.cancelled.notify_one();
    }
}
