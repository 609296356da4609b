use std::io;
use std::path::PathBuf;

use keystride::escape::to_escaped;
use keystride::time::TimeError;
use keystride_store::StoreError;
use parquet::errors::ParquetError;

use crate::arrow::TimeOutOfRange;
use crate::input::InputError;
use crate::scan::ReadError;

/// Why an extract was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// Rows can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A day can't be parsed.
    #[error("\"{found}\" is not a day: write 2013-03-08 or 20130308")]
    Day {
        /// The text.
        found: String,
        /// Why.
        #[source]
        source: TimeError,
    },
    /// The field for days is not a time.
    #[error("field \"{field}\" is not a time, so it has no days")]
    NotATime {
        /// The field.
        field: String,
    },
    /// The partition column has the same name as a column of the files.
    #[error(
        "\"{name}\" is a field, and can't be the partitions' column too, nor can a name that differs in upper and lower \
         case alone: give that column another name"
    )]
    PartitionColumnTaken {
        /// The name.
        name: String,
    },
    /// The name of the partition column can't be used in folder names, or Hive would escape it.
    #[error(
        "\"{}\" can't name the partitions' column: it begins folders' names, so it is not empty, does not begin with a \
         dot, and holds no =, /, quotes, control characters or what else Hive escapes in them",
        name.escape_debug()
    )]
    PartitionColumn {
        /// The name.
        name: String,
    },
    /// A time has no day that could name its partition.
    #[error(
        "row \"{}\", field \"{field}\": {number} has no day, as its year is not 1 to 9999: leave such rows out with a \
         condition, or extract without partitions",
        to_escaped(key)
    )]
    NoDay {
        /// The key of the row.
        key: Vec<u8>,
        /// The field.
        field: String,
        /// The number.
        number: i128,
    },
    /// The folder contains partitions, and files or partitions of another kind would be beside them.
    #[error(
        "{} has partitions of another kind, such as {partition}: extract to another folder",
        folder.display()
    )]
    Partitioned {
        /// The folder.
        folder: PathBuf,
        /// The name of one of them.
        partition: String,
    },
    /// The folder contains files, and partitions would be beside them.
    #[error("{} has files that are in no partition: extract partitions to another folder", folder.display())]
    Unpartitioned {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder already contains files.
    #[error("{} has files already: overwrite them, or extract to another folder", folder.display())]
    NotEmpty {
        /// The partition's folder.
        folder: PathBuf,
    },
    /// The folder to overwrite contains a file that no extract writes.
    #[error(
        "{} is not a file of an extract, so its folder is not overwritten: extract to another folder",
        path.display()
    )]
    OtherFile {
        /// The file.
        path: PathBuf,
    },
    /// A time is out of range for its column.
    #[error(transparent)]
    TimeOutOfRange(#[from] TimeOutOfRange),
    /// A manifest was written by another program or is damaged.
    #[error("{} is not a manifest of an extract: remove it, or do not resume", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
    },
    /// A file listed in the manifest no longer exists.
    #[error(
        "{} is gone, or another extract's, though an earlier run had finished it: do not resume, but begin anew",
        path.display()
    )]
    PartGone {
        /// The file.
        path: PathBuf,
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
    /// The Parquet writer reported an error.
    #[error("{}: can't write Parquet", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: ParquetError,
    },
    /// The design's dialect of CSV contradicts itself.
    #[error(transparent)]
    Dialect(#[from] InputError),
    /// The design's dialect of CSV has no way to write a value.
    #[error(
        "field \"{field}\" has a text with a comma or a line end, or no value, and CSV as the design's [input] has it \
         can't write that: extract to JSON or Parquet, or give [input] a quote or a null"
    )]
    NotCsv {
        /// The field.
        field: String,
    },
    /// A row is an empty line, which readers of CSV skip.
    #[error(
        "a row would be an empty line of CSV, which is none to its readers: extract more fields, or to JSON or Parquet"
    )]
    EmptyLine,
    /// A time can't be written in its pattern.
    #[error("field \"{field}\" has a time that its pattern can't write: extract to Parquet")]
    NoText {
        /// The field.
        field: String,
    },
    /// The extract was stopped because another part failed.
    #[error("the extract was stopped")]
    Stopped,
    /// A background task ended early.
    #[error("a background task of the extract ended while it was to {doing}")]
    TaskLost {
        /// The operation the task was performing.
        doing: &'static str,
    },
}

impl ExtractError {
    /// Returns a function for `map_err` that adds the path.
    pub(super) fn parquet(path: &std::path::Path) -> impl FnOnce(ParquetError) -> Self {
        move |source| Self::Parquet { path: path.to_owned(), source }
    }

    /// Returns a function for `map_err` that adds the path and the failed operation.
    pub(super) fn io(path: &std::path::Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), doing, source }
    }
}
