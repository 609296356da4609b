//! What makes a whole source unreadable.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::unfit_columns::{MissingColumns, Shown, UnknownColumns};
use super::{Compression, Format, MissingColumn, Position, UnknownColumn};

/// Why a source can't be read, or not further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// Nothing was named.
    #[error("nothing to read: name a file, a glob such as 'logs/*.csv', or - for standard input")]
    NoSources,
    /// Standard input can't be read twice.
    #[error("standard input is named twice: name it once")]
    StdinTwice,
    /// No such file.
    #[error("{}: there is no such file: check the path; one that is not absolute starts at the working folder", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// A folder where a file is needed.
    #[error("{} is a folder: name its files, such as '{}'", path.display(), path.join("*.csv").display())]
    Directory {
        /// The path.
        path: PathBuf,
    },
    /// A file that the system does not open.
    #[error("{}: can't be opened: {cause}; let this user read it, or name another file", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
    /// A glob without a file.
    #[error("{pattern}: no file matches; folders and *.rejects.csv are left out, name such a file itself")]
    NoMatch {
        /// The glob.
        pattern: String,
    },
    /// A glob that can't be read.
    #[error("{pattern}: not a glob, at character {at}: {what}")]
    Glob {
        /// The glob.
        pattern: String,
        /// Where, from 0.
        at: usize,
        /// The reader's words.
        what: &'static str,
    },
    /// Compressed in a way that is not read here.
    #[error("{name} is compressed with {found}, which is not read: unpack it, or use gzip or zstd")]
    UnknownCompression {
        /// The source.
        name: String,
        /// Its kind.
        found: &'static str,
    },
    /// Compressed bytes end in their middle.
    #[error(
        "{name}: the {compression} data ends in its middle, after line {line}: the file was cut short, copy it again"
    )]
    Truncated {
        /// The source.
        name: String,
        /// What it is packed with.
        compression: Compression,
        /// The last line that could be read.
        line: u64,
        /// The unpacker's words.
        #[source]
        cause: io::Error,
    },
    /// Compressed bytes that don't hold together.
    #[error("{name}: the {compression} data is damaged after line {line} ({cause}): copy the file again")]
    Damaged {
        /// The source.
        name: String,
        /// What it is packed with.
        compression: Compression,
        /// The last line that could be read.
        line: u64,
        /// The unpacker's words.
        #[source]
        cause: io::Error,
    },
    /// The system can't read on.
    #[error("{name}: reading stopped after line {line}: {cause}; go on from there when that is mended")]
    Read {
        /// The source.
        name: String,
        /// The last line that could be read.
        line: u64,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
    /// UTF-16 text.
    #[error("{name} is UTF-16, which is not read: convert it, for example with iconv -f UTF-16 -t UTF-8")]
    Utf16 {
        /// The source.
        name: String,
    },
    /// Bytes that are plainly of another format.
    #[error("{name} is read as {asked}, but its bytes are {found}: name that as the input's format")]
    OtherFormat {
        /// The source.
        name: String,
        /// The format it is read as.
        asked: Format,
        /// What the bytes look like.
        found: Format,
    },
    /// CSV without even a header.
    #[error("{name}: no header: the file is empty")]
    NoHeader {
        /// The source.
        name: String,
    },
    /// A header that is not text.
    #[error(
        "{name}:{line}: the header is not {charset} (its column {column}): say the input's encoding, for example gb18030"
    )]
    HeaderNotText {
        /// The source.
        name: String,
        /// The header's line.
        line: u64,
        /// The first such column, from 1.
        column: usize,
        /// What it was read as.
        charset: &'static str,
    },
    /// Columns that the design needs are not there.
    #[error("{name}: {}", MissingColumns(missing, header))]
    MissingColumns {
        /// The source.
        name: String,
        /// The fields without a column, each with the nearest name that the source has.
        missing: Vec<MissingColumn>,
        /// The columns found.
        header: Vec<String>,
    },
    /// Two columns of one name.
    #[error("{name}: the column \"{}\" is there twice: rename one of them", Shown(column))]
    ColumnTwice {
        /// The source.
        name: String,
        /// The column.
        column: String,
    },
    /// Columns that no field names, where the design allows none.
    #[error("{name}: {}", UnknownColumns(columns))]
    UnknownColumns {
        /// The source.
        name: String,
        /// The columns, each with the type its first value suggests.
        columns: Vec<UnknownColumn>,
    },
    /// The first record of a source without a header does not fit the design.
    #[error(
        "{name}:{line}: {found} columns, but the design reads {expected} fields: a source without a header has one \
         column for each, in the design's order"
    )]
    ColumnCount {
        /// The source.
        name: String,
        /// The record's line.
        line: u64,
        /// Its columns.
        found: usize,
        /// The design's source fields.
        expected: usize,
    },
    /// A source whose first record has no end.
    #[error(
        "{name}:{line}: the first record has more than {limit} bytes, up to line {to_line} and beyond: is a quote left \
         open, or is this no text?"
    )]
    RecordTooLong {
        /// The source.
        name: String,
        /// The line it begins at.
        line: u64,
        /// The line it had come to.
        to_line: u64,
        /// The most that is read, in bytes.
        limit: usize,
    },
    /// A column of a type that can't become a value of its field.
    #[error(
        "{name}: column \"{column}\" holds {found}, which is no {expected}: cast it, or change the field's type"
    )]
    ColumnType {
        /// The source.
        name: String,
        /// The column.
        column: String,
        /// Its type in the source.
        found: String,
        /// The field's type.
        expected: &'static str,
    },
    /// Parquet from a pipe.
    #[error("{name}: Parquet is read from a file, as its index stands at the end: save it to one")]
    NeedsFile {
        /// The source.
        name: String,
    },
    /// Parquet in a file that is packed as a whole.
    #[error(
        "{name} is packed with {compression}, and Parquet is read from its end: unpack it; its columns are compressed \
         one by one within the file"
    )]
    PackedParquet {
        /// The source.
        name: String,
        /// What it is packed with.
        compression: Compression,
    },
    /// A column of Parquet, compressed in a way that is not read here.
    #[error(
        "{name}: column \"{column}\" is compressed with {found}, which is not read: write the file with zstd, snappy, \
         gzip or lz4"
    )]
    ColumnCompression {
        /// The source.
        name: String,
        /// The column.
        column: String,
        /// Its kind.
        found: &'static str,
    },
    /// Parquet, in a program built without it.
    #[error(
        "{name}: this program was built without Parquet: build it with the feature parquet, or convert the file"
    )]
    NoParquet {
        /// The source.
        name: String,
    },
    /// Parquet that can't be read.
    #[cfg(feature = "parquet")]
    #[error("{name}: Parquet that can't be read after row {line}: {cause}")]
    Parquet {
        /// The source.
        name: String,
        /// The last row that could be read.
        line: u64,
        /// The reader's words.
        #[source]
        cause: parquet::errors::ParquetError,
    },
    /// The place to go on from was passed already.
    #[error("can't go back to record {} of source {}: reading is at {reached}: open the sources again", at.record, at.source + 1)]
    Behind {
        /// The place asked for.
        at: Position,
        /// The place at hand.
        reached: Position,
    },
    /// The place to go on from is not in the sources.
    #[error("can't go on from record {} of source {}: {}", at.record, at.source + 1, PastEnd(name.as_deref(), *found))]
    PastEnd {
        /// The place.
        at: Position,
        /// The source, where there is one.
        name: Option<String>,
        /// How many records it has, or how many sources there are.
        found: u64,
    },
}

impl InputError {
    pub(super) fn of_path(path: &Path, cause: io::Error) -> Self {
        let path = path.to_owned();
        match cause.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            _ => Self::Unreadable { path, cause },
        }
    }
}

struct PastEnd<'a>(Option<&'a str>, u64);

impl fmt::Display for PastEnd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "{name} has only {}: is it still the same file?", self.1),
            None => write!(f, "there are {} sources: are they still the same?", self.1),
        }
    }
}
