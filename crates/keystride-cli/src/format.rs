//! How results and messages look, as words of the command line.

use clap::ValueEnum;

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A bordered table.
    Table,
    /// One JSON document.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Findings with their place and what would do; elsewhere as table.
    Full,
    /// Findings a line each; elsewhere as tsv.
    Concise,
}

impl Format {
    /// Its word.
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
    /// On a terminal that can.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
