use std::io;
use std::path::PathBuf;

use keystride::time::TimeError;
use keystride_store::StoreError;
use parquet::errors::ParquetError;

use crate::scan::ReadError;

/// Why an extract was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The rows can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A day that can't be read.
    #[error("\"{found}\" is no day: write 2013-03-08 or 20130308")]
    Day {
        /// The text.
        found: String,
        /// Why.
        #[source]
        source: TimeError,
    },
    /// Days are those of a time.
    #[error("field \"{field}\" is no time, so it has no days")]
    NotATime {
        /// The field.
        field: String,
    },
    /// A file's column and the partitions' would have one name.
    #[error(
        "\"{name}\" is a field, and can't be the partitions' column too, nor can a name that differs in upper and lower \
         case alone: give that column another name"
    )]
    PartitionColumnTaken {
        /// The name.
        name: String,
    },
    /// A name that is no folder's own, or that Hive would write otherwise.
    #[error(
        "\"{}\" can't name the partitions' column: it begins folders' names, so it is not empty, does not begin with a \
         dot, and holds no =, /, quotes, control characters or what else Hive escapes in them",
        name.escape_debug()
    )]
    PartitionColumn {
        /// The name.
        name: String,
    },
    /// Files are there already.
    #[error("{} has files already: overwrite them, or extract to another folder", folder.display())]
    NotEmpty {
        /// The partition's folder.
        folder: PathBuf,
    },
    /// A time in seconds that its column of milliseconds can't hold.
    #[error("field \"{field}\": {number} s is beyond 64 bits of milliseconds")]
    TimeOutOfRange {
        /// The field.
        field: String,
        /// The number.
        number: i128,
    },
    /// A manifest that another program wrote, or that is damaged.
    #[error("{} is no manifest of an extract: remove it, or do not resume", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
    },
    /// A file that the manifest names is gone.
    #[error("{} is gone, though an earlier run had finished it: do not resume", path.display())]
    PartGone {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{}: can't {doing}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// Its reason.
        source: io::Error,
    },
    /// Parquet refused.
    #[error("{}: can't write Parquet", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: ParquetError,
    },
    /// Another part failed first.
    #[error("the extract was stopped")]
    Stopped,
    /// A background task ended early.
    #[error("a background task of the extract ended while it was to {doing}")]
    TaskLost {
        /// What was under way.
        doing: &'static str,
    },
}

impl ExtractError {
    /// For `map_err`: what the operating system refused to do with `path`.
    pub(super) fn io(path: &std::path::Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), doing, source }
    }
}
