//! The forms of results and messages, as they are written on the command line.

use clap::ValueEnum;
use clap::builder::PossibleValue;
pub(crate) use keystride_app::settings::Format;

/// What `--format` accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormatArg {
    /// How results are printed.
    Results(Format),
    /// No form of results: it is known so that it can be told where it belongs.
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
        Some(match self {
            Self::Results(format) => PossibleValue::new(format.name()).help(help(*format)),
            Self::Parquet => PossibleValue::new("parquet").hide(true),
        })
    }
}

fn help(format: Format) -> &'static str {
    match format {
        Format::Table => "A bordered table",
        Format::Json => "One JSON document",
        Format::Ndjson => "One JSON object per line",
        Format::Csv => "Comma-separated values",
        Format::Tsv => "Tab-separated values",
        Format::Full => "Findings with their place and help; other results as a table",
        Format::Concise => "Findings on one line each; other results as tsv",
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
