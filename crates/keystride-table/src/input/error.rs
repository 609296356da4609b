//! Errors that concern a source as a whole.

use std::io;
use std::path::{Path, PathBuf};

use super::reject::Mebibytes;
use super::unfit_columns::{MissingColumns, Shown, UnknownColumns};
use super::{Compression, Format, MissingColumn, RejectReason, UnknownColumn};

/// Why a source can't be read, or can't be read further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// No source was specified.
    #[error("nothing to read: name a file, a glob such as 'logs/*.csv', or - for standard input")]
    NoSources,
    /// Standard input was specified more than once.
    #[error("standard input is named twice: name it once")]
    StdinTwice,
    /// The file does not exist.
    #[error("{}: there is no such file: check the path; one that is not absolute starts at the working folder", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// A folder was specified instead of a file.
    #[error("{} is a folder: name its files, such as '{}'", path.display(), path.join("*.csv").display())]
    Directory {
        /// The path.
        path: PathBuf,
    },
    /// The file can't be opened.
    #[error("{}: can't be opened: {cause}; let this user read it, or name another file", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
    /// A glob matches no file.
    #[error("{pattern}: no file matches; folders and *.rejects.csv are left out, name such a file itself")]
    NoMatch {
        /// The glob.
        pattern: String,
    },
    /// JSON that is an array, or objects over several lines.
    #[error(
        "{name}: JSON is read one object a line, and this begins an array or an object over several lines; \
         `jq -c '.[]'` writes the objects of an array so, and `jq -c .` others"
    )]
    NotOneALine {
        /// The source.
        name: String,
    },
    /// A glob is malformed.
    #[error("{pattern}: not a glob, at character {at}: {what}")]
    Glob {
        /// The glob.
        pattern: String,
        /// The position of the error, counted from 0.
        at: usize,
        /// The underlying error.
        what: &'static str,
    },
    /// The source is compressed in an unsupported way.
    #[error("{name} is compressed with {found}, which is not read: unpack it, or use gzip or zstd")]
    UnknownCompression {
        /// The source.
        name: String,
        /// Its kind.
        found: &'static str,
    },
    /// The compressed data is truncated.
    #[error(
        "{name}: the {compression} data ends in its middle, after line {line}: the file was cut short, copy it again"
    )]
    Truncated {
        /// The source.
        name: String,
        /// The compression of the source.
        compression: Compression,
        /// The last line that could be read.
        line: u64,
        /// The error of the decompressor.
        #[source]
        cause: io::Error,
    },
    /// The data was compressed with a window beyond the decompressor's limit.
    #[error(
        "{name}: the zstd data takes more than {limit_mib} MiB of memory to unpack: give more --memory, of which a quarter \
         is for that, up to 128 MiB; or pack it without --long and --ultra, or read it from `zstd -dc --long=31`"
    )]
    LargeWindow {
        /// The largest window that is unpacked, in MiB.
        limit_mib: u32,
        /// The source.
        name: String,
        /// The error of the decompressor.
        #[source]
        cause: io::Error,
    },
    /// The compressed data is damaged.
    #[error("{name}: the {compression} data is damaged after line {line} ({cause}): copy the file again")]
    Damaged {
        /// The source.
        name: String,
        /// The compression of the source.
        compression: Compression,
        /// The last line that could be read.
        line: u64,
        /// The error of the decompressor.
        #[source]
        cause: io::Error,
    },
    /// The operating system reported a read error.
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
    /// The source is UTF-16 text.
    #[error("{name} is UTF-16, which is not read: convert it, for example with iconv -f UTF-16 -t UTF-8")]
    Utf16 {
        /// The source.
        name: String,
    },
    /// The source is clearly in another format.
    #[error("{name} is read as {asked}, but its bytes are {found}: name that as the input's format")]
    OtherFormat {
        /// The source.
        name: String,
        /// The format it was read as.
        asked: Format,
        /// The format it appears to be in.
        found: Format,
    },
    /// A CSV source is empty and lacks even a header.
    #[error("{name}: no header: the file is empty")]
    NoHeader {
        /// The source.
        name: String,
    },
    /// The header is not valid text.
    #[error("{name}:{line}: the header is not {charset} (its column {column}): try --encoding gb18030")]
    HeaderNotText {
        /// The source.
        name: String,
        /// The header's line.
        line: u64,
        /// The first such column, counted from 1.
        column: usize,
        /// The character set it was read in.
        charset: &'static str,
    },
    /// Columns that the design requires are missing.
    #[error("{name}: {}", MissingColumns(missing, header))]
    MissingColumns {
        /// The source.
        name: String,
        /// The fields without a column, each with the most similar column name of the source.
        missing: Vec<MissingColumn>,
        /// The columns found.
        header: Vec<String>,
    },
    /// Two columns have the same name.
    #[error("{name}: the column \"{}\" is there twice: rename one of them", Shown(column))]
    ColumnTwice {
        /// The source.
        name: String,
        /// The column.
        column: String,
    },
    /// There are columns that belong to no field, and the design does not allow such columns.
    #[error("{name}: {}", UnknownColumns(columns))]
    UnknownColumns {
        /// The source.
        name: String,
        /// The columns, each with the type that its first value suggests.
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
    /// The first line exceeds the maximum length.
    #[error("{name}:{line}: the first line is longer than {}: is this no text?", Mebibytes(*limit))]
    LineTooLong {
        /// The source.
        name: String,
        /// The line.
        line: u64,
        /// The maximum length in bytes.
        limit: usize,
    },
    /// The quotes of the header break the grammar.
    #[error("{name}:{line}: the header can't be read: {reason}")]
    BrokenHeader {
        /// The source.
        name: String,
        /// The header's line.
        line: u64,
        /// Why.
        #[source]
        reason: Box<RejectReason>,
    },
    /// One character has two meanings.
    #[error(
        "{name}: the {one} and the {other} are both {mark:?}: name another character with --{one} or --{other}; \
         --quote none and --escape none name none"
    )]
    OneForTwo {
        /// The source.
        name: String,
        /// One of them.
        one: &'static str,
        /// The other.
        other: &'static str,
        /// The character.
        mark: String,
    },
    /// A character that structures the text may be a part of another one.
    #[error(
        "{name}: {mark:?} may be a part of a character of {charset}, the charset of field \"{field}\": say the encoding of \
         the whole file with --encoding {charset}"
    )]
    MarkInCharset {
        /// The source.
        name: String,
        /// The delimiter, quote or escape.
        mark: char,
        /// The field.
        field: String,
        /// Its character set.
        charset: &'static str,
    },
    /// The type of a column can't be converted to its field's.
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
    /// A Parquet source is not a file.
    #[error("{name}: Parquet is read from a file, as its index stands at the end: save it to one")]
    NeedsFile {
        /// The source.
        name: String,
    },
    /// A Parquet file is compressed as a whole.
    #[error(
        "{name} is packed with {compression}, and Parquet is read from its end: unpack it; its columns are compressed \
         one by one within the file"
    )]
    PackedParquet {
        /// The source.
        name: String,
        /// The compression of the source.
        compression: Compression,
    },
    /// A column of a Parquet file is compressed in an unsupported way.
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
    /// The pages of a Parquet file that are read at the same time are too large.
    #[error(
        "{name}: column \"{column}\", after row {line}: a page of {bytes} bytes, and with those of the other columns that \
         are read {needed}, where at most {limit} are: write the file with smaller pages, read fewer columns, or give \
         more memory"
    )]
    PageTooLarge {
        /// The source.
        name: String,
        /// The last row that could be read.
        line: u64,
        /// The column.
        column: String,
        /// The size of the page when it is unpacked.
        bytes: u64,
        /// The size of all pages that would be in memory.
        needed: u64,
        /// The limit of that.
        limit: u64,
    },
    /// The program was built without Parquet support.
    #[error(
        "{name}: this program was built without Parquet: build it with the feature parquet, or convert the file"
    )]
    NoParquet {
        /// The source.
        name: String,
    },
    /// The Parquet file can't be read.
    #[cfg(feature = "parquet")]
    #[error("{name}: Parquet that can't be read after row {line}: {cause}")]
    Parquet {
        /// The source.
        name: String,
        /// The last row that could be read.
        line: u64,
        /// The underlying error.
        #[source]
        cause: parquet::errors::ParquetError,
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
