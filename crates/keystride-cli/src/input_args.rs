//! The options of commands that read rows from files.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use keystride::KeyCodec;
use keystride::design::{Charset, Mark};
use keystride_table::input::{Delimiter, Format, Header, InputOptions, RequiredFields};

use crate::failure::Failure;
use crate::global::Global;
use crate::key_file::HeldKeys;
use crate::keyed_rows::KeyedRows;
use crate::output::say;

/// How to read files, if their names do not say so.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct InputArgs {
    #[command(flatten)]
    format: FormatArgs,
    /// The CSV file has no header: its columns are the design's fields, in order
    #[arg(long)]
    headerless: bool,
}

/// How files are written, if their names do not say so.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct FormatArgs {
    /// The format [default: by the file's name, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    input: Option<FileFormat>,
    /// The character set of whole files: utf-8, gb18030, gbk or latin1
    #[arg(long, value_name = "NAME", value_parser = parse_charset)]
    pub(crate) encoding: Option<Charset>,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
}

/// How CSV is written, if not as usual.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CsvArgs {
    /// The column separator, such as ; or tab [default: a comma, or a tab in .tsv files]
    #[arg(long, value_name = "CHAR")]
    delimiter: Option<Delimiter>,
    /// What encloses fields of CSV, or none [default: the design's, else "]
    #[arg(long, value_name = "CHAR")]
    pub(crate) quote: Option<Mark>,
    /// What takes the next character of CSV as it is, or none [default: the design's, else none: a quote in quotes is
    /// doubled]
    #[arg(long, value_name = "CHAR")]
    pub(crate) escape: Option<Mark>,
}

impl CsvArgs {
    pub(crate) fn options(&self) -> InputOptions {
        let Self { delimiter, quote, escape } = *self;
        InputOptions { delimiter, quote, escape, ..InputOptions::default() }
    }
}

/// The formats of files that are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    /// Comma-separated values.
    Csv,
    /// One JSON object a line.
    Json,
    /// Apache Parquet.
    Parquet,
}

impl FileFormat {
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Csv => Format::Csv,
            Self::Json => Format::JsonLines,
            Self::Parquet => Format::Parquet,
        }
    }
}

impl InputArgs {
    pub(crate) fn options(&self) -> InputOptions {
        let header = if self.headerless { Header::Absent } else { Header::Present };
        InputOptions { header, required: RequiredFields::All, ..self.format.options() }
    }
}

impl FormatArgs {
    pub(crate) fn options(&self) -> InputOptions {
        InputOptions {
            format: self.input.map(FileFormat::format),
            encoding: self.encoding,
            ..self.csv.options()
        }
    }
}

/// Returns the keys of a file's rows, for split points by sample. Rows without a key are left out, and their number is
/// reported.
pub(crate) fn keys_of(global: &Global, codec: &KeyCodec, path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut rows = KeyedRows::open(codec, path, InputOptions::default(), None)?;
    let (mut keys, mut first_reason) = (HeldKeys::of(path), None);
    while let Some(key) = rows.next()? {
        match key {
            Ok(key) => keys.push(key.to_vec())?,
            Err(reason) => drop(first_reason.get_or_insert(reason)),
        }
    }
    if let Some(reason) = first_reason {
        let count = rows.count();
        let left_out = count - keys.len() as u64;
        let path = path.display();
        say(
            global,
            &format!("{path}: {left_out} of {count} rows of the sample have no key; the first: {reason}"),
        );
    }
    Ok(keys.into_vec())
}

/// Returns the parser of `--input`, which knows Avro in order to say how that is read.
fn format_parser() -> impl TypedValueParser<Value = FileFormat> {
    let known = FileFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let values = known.chain([PossibleValue::new("avro").hide(true)]);
    PossibleValuesParser::new(values).try_map(|name| {
        let avro = "Avro is read from topics, where --schema FILE says that it is: give that instead";
        FileFormat::from_str(&name, false).map_err(|_| avro)
    })
}

fn parse_charset(name: &str) -> Result<Charset, String> {
    Charset::named(name).ok_or_else(|| format!("\"{name}\" is none of utf-8, gb18030, gbk and latin1"))
}
