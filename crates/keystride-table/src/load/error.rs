//! Errors that abort a load.

use std::io;
use std::path::PathBuf;

use keystride_store::{StoreError, TableName};

use super::LoadId;
use crate::input::InputError;
use crate::source::SourceError;

/// Why a load was aborted. Everything acknowledged before is stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file can't be read further.
    #[error(transparent)]
    Input(InputError),
    /// Another source can't be read further.
    #[error(transparent)]
    Source(SourceError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A temporary file can't be written or read.
    #[error("a temporary file can't be used")]
    Spill(#[source] io::Error),
    /// A rejected row could not be recorded.
    #[error("a rejected row can't be kept")]
    Rejects(#[source] io::Error),
    /// The id belongs to a load with a different design.
    #[error("load {id} of table {table} was begun with another design: give this one an id of its own")]
    OtherDesign {
        /// The load.
        id: LoadId,
        /// The table.
        table: TableName,
    },
    /// A load was resumed with a different check than it was started with.
    #[error("load {id} was begun with check \"{begun}\", not \"{asked}\": resume it with the same")]
    OtherCheck {
        /// The load.
        id: LoadId,
        /// The check it was started with.
        begun: String,
        /// The check that was requested.
        asked: &'static str,
    },
    /// The input of a resumed load has changed.
    #[error(
        "the input is not what it was: load {id} had stored the rows of its first {records} records, which now are \
         others or fewer; load it under an id of its own"
    )]
    InputChanged {
        /// The load.
        id: LoadId,
        /// The number of records it had processed.
        records: u64,
    },
    /// The stored progress of the load can't be decoded.
    #[error("what table {table} keeps of load {id} does not read back: load it under an id of its own")]
    Note {
        /// The load.
        id: LoadId,
        /// The table.
        table: TableName,
    },
    /// Another load with the same id goes on.
    #[error("process {process} on {host} loads {id} into table {table} already; it has to end first")]
    Claimed {
        /// The load.
        id: LoadId,
        /// The table.
        table: TableName,
        /// The process.
        process: u32,
        /// Its machine.
        host: String,
    },
    /// The file with the progress of a load can't be used.
    #[error("{}: {cause}", path.display())]
    NoteFile {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// The thread that reads the input ended early.
    #[error("the thread that reads the input ended early")]
    ReaderLost,
}

impl From<SourceError> for LoadError {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Input(error) => Self::Input(error),
            error => Self::Source(error),
        }
    }
}
