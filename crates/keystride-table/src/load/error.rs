//! What ends a load before its end.

use std::io;

use keystride_store::{StoreError, TableName};

use super::LoadId;
use crate::input::InputError;

/// Why a load could not go on. What was acknowledged before is stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The source can't be read on.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file for what memory has no room for can't be written or read.
    #[error("a temporary file can't be used")]
    Spill(#[source] io::Error),
    /// A rejected row could not be kept.
    #[error("a rejected row can't be kept")]
    Rejects(#[source] io::Error),
    /// The id belongs to a load with another design.
    #[error("load {id} of table {table} was begun with another design: give this one an id of its own")]
    OtherDesign {
        /// The load.
        id: LoadId,
        /// The table.
        table: TableName,
    },
    /// A load is to be resumed with another check than it was begun with.
    #[error("load {id} was begun with check \"{begun}\", not \"{asked}\": resume it with the same")]
    OtherCheck {
        /// The load.
        id: LoadId,
        /// What it was begun with.
        begun: String,
        /// What was asked for.
        asked: &'static str,
    },
    /// The input of a resumed load is not what it was.
    #[error(
        "the input is not what it was: load {id} had stored the rows of its first {records} records, which now are \
         others or fewer; load it under an id of its own"
    )]
    InputChanged {
        /// The load.
        id: LoadId,
        /// The records it had come to.
        records: u64,
    },
    /// What was kept of the load does not read back.
    #[error("what table {table} keeps of load {id} does not read back: load it under an id of its own")]
    Note {
        /// The load.
        id: LoadId,
        /// The table.
        table: TableName,
    },
    /// The thread that reads ended early.
    #[error("the thread that reads the input ended early")]
    ReaderLost,
}
