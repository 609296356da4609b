//! The options of commands that read rows from files.

use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use keystride::design::Charset;
use keystride::{Design, KeyCodec};
use keystride_table::input::{self, Delimiter, Format, Header, InputOptions, InputReader, Next, SourceSpec};

use crate::failure::Failure;
use crate::global::Global;
use crate::output::say;

/// How to read files, if their names do not say so.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct InputArgs {
    /// The format [default: by the file's name, else csv]
    #[arg(long, value_enum, value_name = "FORMAT")]
    input: Option<InputFormat>,
    /// The character set of whole files: utf-8, gb18030, gbk or latin1
    #[arg(long, value_name = "NAME", value_parser = parse_charset)]
    encoding: Option<Charset>,
    /// The column separator, such as ; or tab [default: a comma, or a tab in .tsv files]
    #[arg(long, value_name = "CHAR")]
    delimiter: Option<Delimiter>,
    /// The CSV file has no header: its columns are the design's fields, in order
    #[arg(long)]
    headerless: bool,
}

/// The formats of input files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InputFormat {
    /// Comma-separated values.
    Csv,
    /// One JSON object a line.
    Json,
    /// Apache Parquet.
    Parquet,
}

impl InputArgs {
    pub(crate) fn options(&self) -> InputOptions {
        InputOptions {
            format: self.input.map(|format| match format {
                InputFormat::Csv => Format::Csv,
                InputFormat::Json => Format::JsonLines,
                InputFormat::Parquet => Format::Parquet,
            }),
            delimiter: self.delimiter,
            header: if self.headerless { Header::Absent } else { Header::Present },
            encoding: self.encoding,
        }
    }
}

/// Opens a reader of one file, or of standard input for `-`.
pub(crate) fn open(path: &Path, design: &Design, options: InputOptions) -> Result<InputReader, Failure> {
    Ok(input::open(&[SourceSpec::parse(path)], Arc::new(design.clone()), options)?)
}

/// Returns the keys of a file's rows, for split points by sample. Rows without a key are left out, and their number is
/// reported.
pub(crate) fn keys_of(global: &Global, codec: &KeyCodec, path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut reader = open(path, codec.design(), InputOptions::default())?;
    let mut encoder = codec.encoder();
    let mut row = reader.new_row();
    let mut keys = Vec::new();
    let (mut count, mut first_reason) = (0_u64, None);
    loop {
        let mut key = Vec::new();
        let reason = match reader.next(&mut row)? {
            Next::End => break,
            Next::Rejected(reject) => Some(reject.to_string()),
            Next::Row => {
                // Buckets that are not a function of the row are taken in turn.
                encoder.supply(count);
                let unkeyed = encoder.encode(&row, &mut key).err();
                unkeyed.map(|error| format!("{}:{}: {error}", reader.source(), reader.line()))
            }
        };
        count += 1;
        match reason {
            None => keys.push(key),
            Some(reason) => drop(first_reason.get_or_insert(reason)),
        }
    }
    if let Some(reason) = first_reason {
        let left_out = count - keys.len() as u64;
        say(global, &format!("{left_out} of {count} rows of the sample have no key; the first: {reason}"));
    }
    Ok(keys)
}

fn parse_charset(name: &str) -> Result<Charset, String> {
    Charset::named(name).ok_or_else(|| format!("\"{name}\" is none of utf-8, gb18030, gbk and latin1"))
}
