//! The forms of results and messages, as they are written on the command line.

use clap::ValueEnum;
use clap::builder::PossibleValue;

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A bordered table.
    Table,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    Ndjson,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Findings with their place and help; other results as a table.
    Full,
    /// Findings on one line each; other results as tsv.
    Concise,
}

impl Format {
    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Full => "full",
            Self::Concise => "concise",
        }
    }
}

/// What `--format` accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormatArg {
    /// How results are printed.
    Results(Format),
    /// The format of the files that `extract` writes.
    Parquet,
}

impl ValueEnum for FormatArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Results(Format::Table),
            Self::Results(Format::Json),
            Self::Results(Format::Ndjson),
            Self::Results(Format::Csv),
            Self::Results(Format::Tsv),
            Self::Results(Format::Full),
            Self::Results(Format::Concise),
            Self::Parquet,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Results(format) => format.to_possible_value(),
            Self::Parquet => Some(PossibleValue::new("parquet").help("What `extract` writes, and it alone")),
        }
    }
}

/// When to colour messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that supports it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
