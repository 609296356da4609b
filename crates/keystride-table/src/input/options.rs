//! Options that determine how sources are read.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use keystride::Design;
use keystride::design::{Charset, Mark};

/// Options for reading sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputOptions {
    /// The format; `None` to derive it from the source's name, with CSV as the default.
    pub format: Option<Format>,
    /// The delimiter of CSV columns; `None` for a comma, or a tab in `.tsv` and `.tab` files.
    pub delimiter: Option<Delimiter>,
    /// What encloses fields of CSV; `None` for what the design says.
    pub quote: Option<Mark>,
    /// What takes the next character of CSV as it is; `None` for what the design says.
    pub escape: Option<Mark>,
    /// Whether CSV sources start with a header.
    pub header: Header,
    /// The character set of the whole source, which overrides the `charset` of individual fields; `None` for what the
    /// design says of CSV, or else to use those, and UTF-8 for everything else. Parquet's texts are always UTF-8.
    pub encoding: Option<Charset>,
    /// The fields that must have a column.
    pub required: RequiredFields,
    /// The memory of the program, in bytes, of which the pages of Parquet files take up to a half. The default is 256 MiB.
    pub memory_bytes: usize,
}

/// A row is at its largest in so many copies: as it was read, as it is encoded, and in the batches that wait, are being
/// written, and are derived from these, each with the room that it had to grow.
pub(crate) const ROWS_IN_MEMORY: usize = 32;

/// Rows of this size are taken however little memory there is.
const LEAST_ROW_BYTES: usize = 512 << 10;

/// Least memory for the pages of Parquet files.
#[cfg(feature = "parquet")]
const LEAST_PAGES_BYTES: usize = 32 << 20;

/// Returns the size of the largest rows that `memory_bytes` suffice for.
pub(crate) fn most_row_bytes(memory_bytes: usize) -> usize {
    (memory_bytes / ROWS_IN_MEMORY).max(LEAST_ROW_BYTES)
}

impl Default for InputOptions {
    fn default() -> Self {
        Self {
            format: None,
            delimiter: None,
            quote: None,
            escape: None,
            header: Header::default(),
            encoding: None,
            required: RequiredFields::default(),
            memory_bytes: 256 << 20,
        }
    }
}

/// The source fields that must have a column in CSV with a header and in Parquet; the others are null without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RequiredFields {
    /// All of them.
    #[default]
    All,
    /// Those from which the key is computed.
    OfKey,
}

/// The format of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CSV as in RFC 4180, with quotes and embedded line ends; lines end with LF or CRLF.
    Csv,
    /// JSON Lines, one object per line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
}

/// Whether CSV sources start with a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Header {
    /// Every file starts with a header.
    #[default]
    Present,
    /// There is none: the columns are the design's source fields, in the design's order.
    Absent,
}

/// The delimiter of CSV columns: one ASCII character other than a quote or a line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimiter(u8);

/// A text that is not a valid delimiter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} can't stand between columns: give one ASCII character, such as ; or |, or the word tab")]
pub struct InvalidDelimiter {
    /// The text found.
    pub found: String,
}

impl Delimiter {
    /// The delimiter of `.csv` files.
    pub const COMMA: Self = Self(b',');
    /// The delimiter of `.tsv` files.
    pub const TAB: Self = Self(b'\t');

    pub(super) fn byte(self) -> u8 {
        self.0
    }
}

impl FromStr for Delimiter {
    type Err = InvalidDelimiter;

    fn from_str(text: &str) -> Result<Self, InvalidDelimiter> {
        match text.as_bytes() {
            b"tab" | b"\\t" => Ok(Self::TAB),
            [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(Self(*byte)),
            _ => Err(InvalidDelimiter { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b'\t' => f.write_str("tab"),
            byte => write!(f, "{}", char::from(byte)),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "CSV",
            Self::JsonLines => "JSON lines",
            Self::Parquet => "Parquet",
        })
    }
}

/// File name extensions of compressed sources. They are only removed from the name; the compression is detected from
/// the bytes.
const COMPRESSED: [&str; 4] = [".gz", ".gzip", ".zst", ".zstd"];

const FORMATS: [(&str, Format); 9] = [
    (".csv", Format::Csv),
    (".tsv", Format::Csv),
    (".tab", Format::Csv),
    (".txt", Format::Csv),
    (".json", Format::JsonLines),
    (".jsonl", Format::JsonLines),
    (".ndjson", Format::JsonLines),
    (".parquet", Format::Parquet),
    (".pq", Format::Parquet),
];

impl InputOptions {
    /// Returns them for CSV: with the character set that a design says, if they name none.
    pub(super) fn of_csv(self, design: &Design) -> Self {
        Self { encoding: self.encoding.or(design.input().encoding), ..self }
    }

    /// Returns the format of the source with this name.
    pub fn format_of(self, name: &str) -> Format {
        let by_name = || split_endings(name).1.and_then(|ending| format_named(&ending));
        self.format.or_else(by_name).unwrap_or(Format::Csv)
    }

    /// Returns the memory for pages of Parquet files.
    #[cfg(feature = "parquet")]
    pub(super) fn pages_bytes(self) -> usize {
        (self.memory_bytes / 2).max(LEAST_PAGES_BYTES)
    }

    pub(super) fn delimiter_of(self, name: &str) -> Delimiter {
        let by_name = || match split_endings(name).1.as_deref() {
            Some(".tsv" | ".tab") => Delimiter::TAB,
            _ => Delimiter::COMMA,
        };
        self.delimiter.unwrap_or_else(by_name)
    }
}

fn format_named(ending: &str) -> Option<Format> {
    FORMATS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
}

/// Returns the name of a file without the endings that say how it is compressed and what its format is: `calls` for
/// `data/calls.csv.gz`.
pub fn source_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    split_endings(&name).0.to_owned()
}

/// Splits off the extensions for compression and format. Returns the rest, and the latter in lower case.
fn split_endings(name: &str) -> (&str, Option<String>) {
    let cut = |name: &str, ending: &str| {
        let at = name.len().checked_sub(ending.len())?;
        name.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(ending)).then_some(at)
    };
    let plain = COMPRESSED.iter().find_map(|ending| cut(name, ending)).map_or(name, |at| &name[..at]);
    match FORMATS.iter().find_map(|(ending, _)| cut(plain, ending)) {
        Some(at) => (&plain[..at], Some(plain[at..].to_lowercase())),
        None => (plain, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_the_format_whatever_the_compression_and_case() {
        let options = InputOptions::default();
        for (name, format) in [
            ("a.csv", Format::Csv),
            ("a.CSV.GZ", Format::Csv),
            ("logs/a.ndjson.zst", Format::JsonLines),
            ("a.json", Format::JsonLines),
            ("a.parquet", Format::Parquet),
            ("standard input", Format::Csv),
            ("größe", Format::Csv),
        ] {
            assert_eq!(options.format_of(name), format, "{name}");
        }
        let asked = InputOptions { format: Some(Format::JsonLines), ..options };
        assert_eq!(asked.format_of("a.csv"), Format::JsonLines);
    }

    #[test]
    fn tabs_stand_between_the_columns_of_tsv() {
        assert_eq!(InputOptions::default().delimiter_of("a.tsv.gz"), Delimiter::TAB);
        let asked = InputOptions { delimiter: "|".parse().ok(), ..InputOptions::default() };
        assert_eq!(asked.delimiter_of("a.tsv").byte(), b'|');
    }

    #[test]
    fn a_delimiter_is_one_ascii_character() {
        for (text, byte) in [("tab", b'\t'), ("\\t", b'\t'), ("\t", b'\t'), (";", b';'), ("\u{1}", 1)] {
            assert_eq!(text.parse::<Delimiter>().unwrap().byte(), byte);
        }
        for text in ["", "\"", "\n", "\r", "||", "ü"] {
            assert!(text.parse::<Delimiter>().is_err(), "{text:?}");
        }
    }
}
