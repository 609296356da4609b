//! The past of watched tables in a folder, so that it outlasts the program.
//!
//! One thread reads and writes all files, in order; what it is told while it lags behind is left out. A file is never
//! needed: without it, the past is not there.

mod error;
mod file;
mod record;

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use keystride_heat::live::{Closed, Layers};
use keystride_store::TableName;
use tokio::sync::oneshot;

pub use error::ArchiveError;
use file::HeatFile;

/// What the thread is told and has not done yet.
const MOST_WAITING: usize = 256;

/// The thread that reads and writes files. It ends when all clones of its sender are dropped.
#[derive(Debug)]
pub(super) struct Archive {
    sender: ArchiveSender,
    thread: JoinHandle<()>,
}

/// Tells the thread what to keep.
#[derive(Debug, Clone)]
pub(super) struct ArchiveSender(SyncSender<Command>);

/// What was kept of a table.
#[derive(Debug)]
pub(super) struct Restored {
    pub(super) layers: Layers,
    pub(super) servers: Vec<Box<str>>,
}

#[derive(Debug)]
enum Command {
    Open { table: TableName, period_ms: u32, reply: oneshot::Sender<Result<Restored, ArchiveError>> },
    Keep { table: TableName, closed: Vec<Closed>, servers: Vec<Box<str>> },
    Forget { table: TableName },
}

/// The folder and the files that were opened in it.
struct Keeper {
    folder: PathBuf,
    /// Held as long as the files are used.
    lock: Option<File>,
    files: BTreeMap<TableName, HeatFile>,
}

impl Archive {
    /// Begins to keep files in a folder, which is made when the first is.
    pub(super) fn begin(folder: &Path) -> Self {
        let (sender, commands) = sync_channel(MOST_WAITING);
        let keeper = Keeper { folder: folder.to_owned(), lock: None, files: BTreeMap::new() };
        let thread = thread::spawn(move || keeper.run(&commands));
        Self { sender: ArchiveSender(sender), thread }
    }

    pub(super) fn sender(&self) -> ArchiveSender {
        self.sender.clone()
    }

    /// Waits until everything is written that was told. It blocks; all other senders must be gone or go soon.
    pub(super) fn close(self) {
        drop(self.sender);
        // A thread that panicked has nothing left to write.
        let _ = self.thread.join();
    }
}

impl ArchiveSender {
    /// Returns what was kept of a table. Only a table that was opened is kept.
    pub(super) async fn open(&self, table: &TableName, period_ms: u32) -> Result<Restored, ArchiveError> {
        let (reply, answer) = oneshot::channel();
        let command = Command::Open { table: table.clone(), period_ms, reply };
        match self.0.try_send(command) {
            Ok(()) => answer.await.unwrap_or(Err(ArchiveError::Behind)),
            Err(_) => Err(ArchiveError::Behind),
        }
    }

    /// Removes what was kept of a table.
    pub(super) fn forget(&self, table: &TableName) {
        if self.0.try_send(Command::Forget { table: table.clone() }).is_err() {
            tracing::warn!(%table, "the heat map of a dropped table stays: the disk is too slow");
        }
    }

    /// Keeps columns. Those of the finest layer are left out: the file would be written all the time.
    pub(super) fn keep(&self, table: &TableName, closed: &[Closed], servers: &[Box<str>]) {
        let closed: Vec<Closed> = closed.iter().filter(|closed| closed.layer > 0).cloned().collect();
        if closed.is_empty() {
            return;
        }
        let command = Command::Keep { table: table.clone(), closed, servers: servers.to_vec() };
        if self.0.try_send(command).is_err() {
            tracing::warn!(%table, "columns of the heat map are not kept: the disk is too slow");
        }
    }
}

impl Keeper {
    fn run(mut self, commands: &Receiver<Command>) {
        for command in commands {
            match command {
                Command::Open { table, period_ms, reply } => {
                    let restored = self.open(&table, period_ms);
                    // Who asked may be gone.
                    let _ = reply.send(restored);
                }
                Command::Keep { table, closed, servers } => self.keep(&table, &closed, &servers),
                Command::Forget { table } => self.forget(&table),
            }
        }
    }

    fn open(&mut self, table: &TableName, period_ms: u32) -> Result<Restored, ArchiveError> {
        self.lock()?;
        self.files.remove(table);
        let (file, restored) = HeatFile::open(self.path_of(table), period_ms)?;
        self.files.insert(table.clone(), file);
        Ok(restored)
    }

    fn keep(&mut self, table: &TableName, closed: &[Closed], servers: &[Box<str>]) {
        let Some(file) = self.files.get_mut(table) else { return };
        if let Err(error) = file.append(closed, servers) {
            tracing::warn!(%table, %error, "the heat map is not kept any more");
            self.files.remove(table);
        }
    }

    fn forget(&mut self, table: &TableName) {
        self.files.remove(table);
        // Another program may have the folder, and only it forgets.
        if self.lock().is_ok()
            && let Err(error) = fs::remove_file(self.path_of(table))
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%table, %error, "the heat map of a dropped table stays");
        }
    }

    fn path_of(&self, table: &TableName) -> PathBuf {
        self.folder.join(table.namespace()).join(format!("{}.heat", table.qualifier()))
    }

    /// Sees to it that nobody else writes to the folder.
    fn lock(&mut self) -> Result<(), ArchiveError> {
        if self.lock.is_some() {
            return Ok(());
        }
        let failed = |source| ArchiveError::Io { path: self.folder.clone(), source };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let lock = File::create(self.folder.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {
                self.lock = Some(lock);
                Ok(())
            }
            Err(TryLockError::WouldBlock) => Err(ArchiveError::InUse { folder: self.folder.clone() }),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

#[cfg(test)]
mod tests;
