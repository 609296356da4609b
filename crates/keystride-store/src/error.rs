//! What can go wrong in a store.

use std::io;
use std::path::PathBuf;

use keystride::{InvalidKey, Key, KeyRange, SplitError, escape};
use keystride_hbase::Error as ClusterError;

#[cfg(feature = "embedded")]
use crate::EngineFault;
use crate::holder::Holder;
use crate::{FamilyName, MutationError, TableName};

/// An error of a store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No table has that name.
    #[error("there is no table {table}")]
    UnknownTable {
        /// The name.
        table: TableName,
    },
    /// There is no store.
    #[error("there is no store in {}", folder.display())]
    NoStore {
        /// The folder, which is empty or missing.
        folder: PathBuf,
    },
    /// A table has that name already.
    #[error("there is a table {table} already")]
    TableExists {
        /// The name.
        table: TableName,
    },
    /// A table to be created has no family.
    #[error("table {table} has no column family: it needs at least one")]
    NoFamily {
        /// The table.
        table: TableName,
    },
    /// A table to be created has two families of the same name.
    #[error("table {table} has column family {family} twice")]
    FamilyTwice {
        /// The table.
        table: TableName,
        /// The family.
        family: FamilyName,
    },
    /// A cell, a selection or a filter names a family the table doesn't have.
    #[error("table {table} has no column family {family:?}")]
    UnknownFamily {
        /// The table.
        table: TableName,
        /// The family as readable text.
        family: String,
    },
    /// A setting of a family has an invalid value.
    #[error("column family {family}: {attribute} can't be {value:?}")]
    FamilyAttribute {
        /// The family.
        family: FamilyName,
        /// The setting's name in HBase's schema.
        attribute: String,
        /// The value found.
        value: String,
    },
    /// A region already starts at the requested split key.
    #[error("table {table} has a region that starts at {key} already")]
    SplitExists {
        /// The table.
        table: TableName,
        /// The key.
        key: Key,
    },
    /// Stored split points are inconsistent.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The key of a row to read is not a valid row key.
    #[error(transparent)]
    Key(#[from] InvalidKey),
    /// A mutation exceeds HBase's limits.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// An increment found a stored value that is not a number; nothing was changed.
    #[error(
        "row {row}{}: a value of {len} bytes can't be incremented: a number has 8",
        column.as_ref().map(|column| format!(", column {column}")).unwrap_or_default()
    )]
    NotANumber {
        /// The row.
        row: Key,
        /// The column as readable text, `family:qualifier`; `None` if the store does not report it.
        column: Option<String>,
        /// Length of the value in bytes.
        len: usize,
    },
    /// An increment or an append names a column twice.
    #[error("row {row} is to be changed in column {column} twice: add up what is meant for it")]
    ColumnTwice {
        /// The row.
        row: Key,
        /// The column as readable text, `family:qualifier`.
        column: String,
    },
    /// An increment or an append has no columns, or a conditional change has no mutations.
    #[error("row {row} is to be changed, but no column of it: name at least one")]
    EmptyChange {
        /// The row.
        row: Key,
    },
    /// A conditional change contains a mutation of a row other than the checked one.
    #[error("row {} can't be changed under a condition on row {checked}", escape::to_escaped(found))]
    OtherRow {
        /// The row of the condition.
        checked: Key,
        /// The row that was to be changed.
        found: Vec<u8>,
    },
    /// The ranges of a scan overlap or don't ascend.
    #[error("range {index} of the scan, {range}, does not come after the one before it")]
    RangesOverlap {
        /// Index among the ranges given.
        index: usize,
        /// The range.
        range: KeyRange,
    },
    /// The rows of a bulk load are not in ascending order.
    #[error(
        "bulk load: row {} does not sort after {}: rows must ascend, each in one batch",
        escape::to_escaped(row),
        escape::to_escaped(before)
    )]
    NotAscending {
        /// The row.
        row: Vec<u8>,
        /// The row before it.
        before: Vec<u8>,
    },
    /// The table of a bulk load is not empty.
    #[error("table {table} is not empty, which a bulk load needs: truncate it or write in batches")]
    NotEmpty {
        /// The table.
        table: TableName,
    },
    /// A family was added to a table during a bulk load.
    #[error("table {table} was altered during the load: load again")]
    Altered {
        /// The table.
        table: TableName,
    },
    /// A row does not fit into an answer in addition to its earlier rows.
    #[error("row {} does not fit: an answer takes just under 4 GiB", escape::to_escaped(row))]
    AnswerTooLarge {
        /// The row.
        row: Vec<u8>,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// Another process, or this one, already has the store open.
    #[error(
        "{} is in use: {} has the store open",
        folder.display(),
        holder.as_ref().map_or("another process".to_owned(), ToString::to_string)
    )]
    Locked {
        /// The store's folder.
        folder: PathBuf,
        /// Who has it open, if that is known.
        holder: Option<Holder>,
    },
    /// The store's folder may only be read.
    #[error("{} may only be read: its files can't be written", folder.display())]
    ReadOnly {
        /// The store's folder.
        folder: PathBuf,
    },
    /// The folder contains files but is not a store.
    #[error("{} is not a keystride store: it has no file {marker:?} but other files", folder.display())]
    NotAStore {
        /// The folder.
        folder: PathBuf,
        /// The marker file that identifies a store's folder.
        marker: &'static str,
    },
    /// The store was written by a newer keystride.
    #[error(
        "{} has store format {found}, this program knows up to {newest}: use the newer keystride that wrote it",
        folder.display()
    )]
    NewerFormat {
        /// The store's folder.
        folder: PathBuf,
        /// The format found.
        found: u32,
        /// The newest format known.
        newest: u32,
    },
    /// Stored data can't be decoded.
    #[error("the store is damaged: {what} does not read back")]
    Damaged {
        /// What was being read.
        what: &'static str,
    },
    /// A file of the store is missing, or is not as it was written.
    #[error("the store is damaged: {} {found}; put back the whole folder as it was", path.display())]
    DamagedFile {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        found: &'static str,
    },
    /// A journal of the store's engine does not read back, although batches were written after the damage.
    #[error(
        "the store is damaged: bytes {from} to {to} of {} do not read back, and {following} batches follow",
        path.display()
    )]
    DamagedJournal {
        /// The journal.
        path: PathBuf,
        /// The first byte of the damage.
        from: u64,
        /// The first byte behind the damage.
        to: u64,
        /// How many batches that read back follow.
        following: u64,
    },
    /// The engine's files are there, but not its journal.
    #[error("the store is damaged: {} has no journal (*.jnl); put back the whole folder as it was", folder.display())]
    NoJournal {
        /// The folder of the engine's files.
        folder: PathBuf,
    },
    /// The operating system reported an error.
    #[error("{}: can't {doing}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operation that was attempted.
        doing: &'static str,
        /// Its reason.
        source: io::Error,
    },
    /// The storage engine reported an error.
    #[cfg(feature = "embedded")]
    #[error("the storage engine can't {doing}")]
    Engine {
        /// The operation that was attempted.
        doing: &'static str,
        /// Its reason.
        source: EngineFault,
    },
    /// This program was built without the kind of store that an address names.
    #[error(
        "this program was built without {what}; build it with the feature \"{feature}\" of keystride-store"
    )]
    NotBuilt {
        /// The kind of store.
        what: &'static str,
        /// The feature of this crate that it needs.
        feature: &'static str,
    },
    /// The storage engine refuses further writes because an earlier one failed.
    #[error(
        "the store can't {doing}: an earlier write failed, most often because the disk is full; make room and open it \
         again"
    )]
    GaveUp {
        /// The operation that was attempted.
        doing: &'static str,
    },
    /// A background task of the store ended early.
    #[error("a background task of the store ended while it was to {doing}")]
    TaskLost {
        /// The operation the task was performing.
        doing: &'static str,
    },
    /// The table in which a cluster's notes are kept is not for this user.
    #[error("progress is kept in table {table}, which this user may not read and write")]
    NotesDenied {
        /// That table.
        table: TableName,
        /// What the cluster said.
        source: Box<ClusterError>,
    },
    /// The cluster reported an error.
    #[error(transparent)]
    Cluster(Box<ClusterError>),
}

impl StoreError {
    /// Whether the system or the cluster denied access.
    pub fn is_denied(&self) -> bool {
        match self {
            Self::ReadOnly { .. } => return true,
            Self::Cluster(error) | Self::NotesDenied { source: error, .. } => return error.is_denied(),
            _ => {}
        }
        let mut cause: Option<&dyn std::error::Error> = Some(self);
        while let Some(error) = cause {
            let is_denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
            if error.downcast_ref::<io::Error>().is_some_and(is_denied) {
                return true;
            }
            cause = error.source();
        }
        false
    }

    /// Whether a table's description can't be told, though its rows may be read and written: access to it is denied, or
    /// no master answers.
    pub fn is_untold(&self) -> bool {
        self.is_denied() || self.is_without_master()
    }

    /// Whether a cluster's master was needed, and there is none that answers.
    pub fn is_without_master(&self) -> bool {
        matches!(self, Self::Cluster(error) if matches!(**error, ClusterError::NoMaster { .. }))
    }
}
