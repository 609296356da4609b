//! The forms of results and messages, as they are written on the command line.

use clap::ValueEnum;

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
