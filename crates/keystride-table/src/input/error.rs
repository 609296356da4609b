//! What makes a whole source unreadable.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::{Compression, Format, Position};

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

/// A field that no column gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingColumn {
    /// The field.
    pub field: String,
    /// The column with the most similar name.
    pub nearest: Option<String>,
}

/// A column that no field names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownColumn {
    /// Its name.
    pub name: String,
    /// What a design file may say of it, going by its first value or its type: `type = "int"`.
    pub suggested: &'static str,
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

impl MissingColumn {
    pub(super) fn new(field: &str, header: &[String]) -> Self {
        let len = field.chars().count();
        let far = (len / 3).max(1) + 1;
        // Lengths alone tell most names apart, and comparing a very long one would take its time.
        let is_alike = |name: &&String| name.trim().chars().count().abs_diff(len) < far;
        let nearest = header
            .iter()
            .filter(is_alike)
            .map(|name| (strsim::damerau_levenshtein(&name.trim().to_lowercase(), field), name))
            .filter(|(distance, _)| *distance < far)
            .min();
        Self { field: field.to_owned(), nearest: nearest.map(|(_, name)| name.clone()) }
    }
}

impl UnknownColumn {
    /// Goes by the first value that was seen of it.
    pub(super) fn new(name: &str, value: &str) -> Self {
        Self { name: name.to_owned(), suggested: suggest_type(value) }
    }
}

/// Leading zeros are kept by text alone.
fn suggest_type(value: &str) -> &'static str {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    match value {
        "true" | "false" => r#"type = "bool""#,
        _ if is_padded => r#"type = "string""#,
        _ if value.parse::<i64>().is_ok() && !value.starts_with('+') => r#"type = "int""#,
        _ if digits.starts_with(|first: char| first.is_ascii_digit()) && value.parse::<f64>().is_ok() => {
            r#"type = "f64""#
        }
        _ => r#"type = "string""#,
    }
}

/// A message of more columns than this is read by nobody.
const MOST_TOLD: usize = 100;

/// Says how many of `count` columns are not told.
fn write_rest(f: &mut fmt::Formatter<'_>, before: &str, count: usize) -> fmt::Result {
    match count.saturating_sub(MOST_TOLD) {
        0 => Ok(()),
        more => write!(f, "{before}and {more} more"),
    }
}

/// A column's name as a message has it: cut where it is long, as what is no header at all may be one name, and in
/// characters that a terminal only shows.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST_CHARACTERS: usize = 60;
        let Some((end, _)) = self.0.char_indices().nth(MOST_CHARACTERS) else {
            return write!(f, "{}", self.0.escape_debug());
        };
        write!(f, "{}…", self.0[..end].escape_debug())
    }
}

struct MissingColumns<'a>(&'a [MissingColumn], &'a [String]);

impl fmt::Display for MissingColumns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(missing, header) = self;
        f.write_str("no column for ")?;
        for (index, MissingColumn { field, nearest }) in missing.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}field \"{field}\"")?;
            if let Some(nearest) = nearest {
                write!(f, " (nearest: \"{nearest}\")")?;
            }
        }
        f.write_str("; the columns are: ")?;
        for (index, name) in header.iter().take(MOST_TOLD).enumerate() {
            write!(f, "{}{}", if index > 0 { ", " } else { "" }, Shown(name))?;
        }
        write_rest(f, ", ", header.len())
    }
}

struct UnknownColumns<'a>(&'a [UnknownColumn]);

impl fmt::Display for UnknownColumns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (fit, unfit): (Vec<_>, Vec<_>) = self.0.iter().partition(|column| can_name_a_field(&column.name));
        let (columns, verb) = if self.0.len() == 1 { ("column", "is") } else { ("columns", "are") };
        write!(f, "{} {columns} of the input {verb} named by no field", self.0.len())?;
        if !fit.is_empty() {
            f.write_str("; to keep them, paste under [fields] (types are guesses from the first record):")?;
        }
        for column in fit.iter().take(MOST_TOLD) {
            write!(f, "\n{} = {{ {} }}", column.name, column.suggested)?;
        }
        write_rest(f, "\n# ", fit.len())?;
        for column in unfit.iter().take(MOST_TOLD) {
            write!(
                f,
                "\n# \"{}\" can't name a field: rename the column to keep it as one",
                Shown(&column.name)
            )?;
        }
        write_rest(f, "\n# ", unfit.len())?;
        f.write_str("\nor say under [columns] other = \"drop\", or other = a family to store them as text")
    }
}

/// The rule of the design file for names of fields.
fn can_name_a_field(name: &str) -> bool {
    let is_word_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_word_byte)
        && !["rest", "other", "cell_time"].contains(&name)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_suggests_a_type() {
        for (value, expected) in [
            ("517", "int"),
            ("-3", "int"),
            ("0", "int"),
            ("007", "string"),
            ("-0", "int"),
            ("+1", "string"),
            ("1.5", "f64"),
            ("0.5", "f64"),
            ("1e9", "f64"),
            ("inf", "string"),
            ("NaN", "string"),
            ("true", "bool"),
            ("", "string"),
            ("99999999999999999999", "f64"),
        ] {
            assert_eq!(suggest_type(value), format!("type = \"{expected}\""), "{value}");
        }
    }

    #[test]
    fn the_nearest_column_is_found_whatever_its_case_and_blanks() {
        let header = ["Phone", " ts", "city"].map(str::to_owned);
        assert_eq!(MissingColumn::new("phone", &header).nearest.as_deref(), Some("Phone"));
        assert_eq!(MissingColumn::new("ts", &header).nearest.as_deref(), Some(" ts"));
        assert_eq!(MissingColumn::new("duration", &header).nearest, None);
    }

    #[test]
    fn a_header_that_is_none_does_not_fill_the_screen() {
        let of = |header: Vec<String>| {
            let missing = vec![MissingColumn::new("phone", &header)];
            InputError::MissingColumns { name: "f.csv".to_owned(), missing, header }.to_string()
        };
        assert!(
            of(vec!["é\u{1}".repeat(1_000_000)])
                .ends_with(&format!("columns are: {}…", "é\\u{1}".repeat(30)))
        );
        let many = of((0..10_000).map(|number| format!("c{number}")).collect());
        assert!(many.ends_with("c98, c99, and 9900 more"), "{many}");
        let columns = (0..500).map(|number| UnknownColumn::new(&format!("c{number}"), "")).collect();
        let many = InputError::UnknownColumns { name: "f.csv".to_owned(), columns }.to_string();
        assert!(many.contains("\nc99 = { type = \"string\" }\n# and 400 more\nor say"), "{many}");
    }

    #[test]
    fn columns_without_a_field_are_lines_to_paste() {
        let columns = [("dep_time", "517"), ("Dep Time", "x"), ("carrier", "UA")];
        let columns = columns.map(|(name, value)| UnknownColumn::new(name, value)).to_vec();
        let error = InputError::UnknownColumns { name: "f.csv".to_owned(), columns };
        assert_eq!(
            error.to_string(),
            "f.csv: 3 columns of the input are named by no field; to keep them, paste under [fields] (types are \
             guesses from the first record):\n\
             dep_time = { type = \"int\" }\n\
             carrier = { type = \"string\" }\n\
             # \"Dep Time\" can't name a field: rename the column to keep it as one\n\
             or say under [columns] other = \"drop\", or other = a family to store them as text"
        );
    }
}
